package schedule

import (
	"fmt"

	"plancheck/internal/search/packing"
)

// Cost returns what a solution costs. It is the definition of what is legal: a
// solution that is not gives an error that wraps ErrSolution and says what is
// wrong first. The problem must be well-formed.
//
// Legal means:
//   - every op is in a stage from Lo to Hi;
//   - the ranges of the stages cover the cores in order, none is empty, and they
//     are as decided;
//   - every share, also of a forward, is on a core of its stage, and where it
//     is pinned;
//   - a read of a value is in its op's stage or in the next one, where stage 0 is
//     next for what comes from outside, or in a later one behind forwards;
//   - each value that is read later has a forward in each stage strictly
//     between, with as many lanes as the value says, and no others are there;
//   - where a machine is, the places are a permutation, as decided, and the
//     slices and parts of slices on a core fit the machine core that it is
//     placed on. A slice that several shares use counts once, and so does a part;
//     a part of a slice that is there as a whole does not count;
//   - with NonEmpty, every stage has an op that is no forward.
//
// The interval is the largest load of a core: the cycles of all shares on it, on
// the kind of machine core that it is placed on, or on kind 0 without a machine.
// Traffic is bytes times hops of all that Flow counts: 0 where nothing goes from
// core to core, and otherwise Unknown where hops are not known.
func (p *Problem) Cost(s *Solution) (Cost, error) {
	for _, check := range []func(*Solution) error{p.legalStages, p.legalRanges, p.legalCores, p.legalPlaces, p.legalForwards, p.legalMemory} {
		if err := check(s); err != nil {
			return Cost{}, fmt.Errorf("%w: %w", ErrSolution, err)
		}
	}
	return Cost{Interval: p.interval(s), Forwards: len(s.Forwards), Traffic: p.traffic(s)}, nil
}

func (p *Problem) legalStages(s *Solution) error {
	if len(s.Stage) != len(p.Ops) {
		return fmt.Errorf("stages of %d ops, of %d", len(s.Stage), len(p.Ops))
	}
	filled := make([]bool, p.Stages)
	for i, stage := range s.Stage {
		if o := &p.Ops[i]; stage < o.Lo || stage > o.Hi {
			return fmt.Errorf("op %d is in stage %d, not in %d to %d", i, stage, o.Lo, o.Hi)
		}
		filled[stage] = filled[stage] || !p.Ops[i].Carries
	}
	for stage, has := range filled {
		if p.NonEmpty && !has {
			return fmt.Errorf("stage %d has no op, or forwards only", stage)
		}
	}
	return nil
}

func (p *Problem) legalRanges(s *Solution) error {
	if len(s.First) != p.Stages {
		return fmt.Errorf("ranges of %d stages, of %d", len(s.First), p.Stages)
	}
	if s.First[0] != 0 {
		return fmt.Errorf("stage 0 begins with core %d", s.First[0])
	}
	for stage, decided := range p.Ranges {
		first, end := s.Range(p, stage)
		switch {
		case first >= end:
			return fmt.Errorf("stage %d has the cores from %d to before %d", stage, first, end)
		case decided.First != Free && decided.First != first, decided.Count != Free && decided.Count != end-first:
			return fmt.Errorf("stage %d has %d cores from core %d on, and should have %d from %d on",
				stage, end-first, first, decided.Count, decided.First)
		}
	}
	return nil
}

// Range returns the first core of a stage and the one behind its last.
func (s *Solution) Range(p *Problem, stage int) (first, end int) {
	if stage+1 == len(s.First) {
		return s.First[stage], p.Cores
	}
	return s.First[stage], s.First[stage+1]
}

func (p *Problem) legalCores(s *Solution) error {
	if len(s.Core) != len(p.Ops) {
		return fmt.Errorf("cores of %d ops, of %d", len(s.Core), len(p.Ops))
	}
	for i, cores := range s.Core {
		o := &p.Ops[i]
		if len(cores) != o.Shares() {
			return fmt.Errorf("cores of %d shares of op %d, of %d", len(cores), i, o.Shares())
		}
		first, end := s.Range(p, s.Stage[i])
		for share, core := range cores {
			if core < first || core >= end {
				return fmt.Errorf("share %d of op %d is on core %d, which stage %d does not own", share, i, core, s.Stage[i])
			}
			if o.Pins != nil && o.Pins[share] != Free && o.Pins[share] != core {
				return fmt.Errorf("share %d of op %d is on core %d and should be on core %d", share, i, core, o.Pins[share])
			}
		}
	}
	return nil
}

func (p *Problem) legalPlaces(s *Solution) error {
	if len(s.Place) != len(p.Machine) {
		return fmt.Errorf("%d places on %d machine cores", len(s.Place), len(p.Machine))
	}
	taken := make([]bool, len(p.Machine))
	for core, place := range s.Place {
		switch {
		case !below(place, len(taken)) || taken[place]:
			return fmt.Errorf("core %d is placed on machine core %d, which does not exist or is taken", core, place)
		case p.Places[core] != Free && p.Places[core] != place:
			return fmt.Errorf("core %d is placed on machine core %d and should be on %d", core, place, p.Places[core])
		}
		taken[place] = true
	}
	return nil
}

// from returns the stage of a value's op.
func (p *Problem) from(s *Solution, value int) int {
	if op := p.Values[value].From; op != Outside {
		return s.Stage[op]
	}
	return Outside
}

func (p *Problem) legalForwards(s *Solution) error {
	last := make([]int, len(p.Values)) // stage of the farthest reader
	for v := range last {
		last[v] = p.from(s, v)
	}
	for _, r := range p.Reads {
		from, to := p.from(s, r.Value), s.Stage[r.To]
		switch {
		case to < from:
			return fmt.Errorf("op %d in stage %d reads value %d of stage %d", r.To, to, r.Value, from)
		case to > from+1 && p.Values[r.Value].Forward == 0:
			return fmt.Errorf("op %d in stage %d reads value %d of stage %d, which must not be forwarded", r.To, to, r.Value, from)
		}
		last[r.Value] = max(last[r.Value], to)
	}
	i := 0
	for v := range p.Values {
		for stage := p.from(s, v) + 1; stage < last[v]; stage++ {
			if i == len(s.Forwards) || s.Forwards[i].Value != v || s.Forwards[i].Stage != stage {
				return fmt.Errorf("forward %d is not that of value %d in stage %d", i, v, stage)
			}
			if err := p.legalForward(s, i); err != nil {
				return err
			}
			i++
		}
	}
	if i < len(s.Forwards) {
		return fmt.Errorf("forward %d, of value %d in stage %d, carries it to nobody", i, s.Forwards[i].Value, s.Forwards[i].Stage)
	}
	return nil
}

func (p *Problem) legalForward(s *Solution, i int) error {
	f := &s.Forwards[i]
	if lanes := p.Values[f.Value].Forward; len(f.Core) != lanes {
		return fmt.Errorf("forward %d has %d lanes, and should have %d", i, len(f.Core), lanes)
	}
	first, end := s.Range(p, f.Stage)
	for lane, core := range f.Core {
		if core < first || core >= end {
			return fmt.Errorf("lane %d of forward %d is on core %d, which stage %d does not own", lane, i, core, f.Stage)
		}
	}
	return nil
}

// slice is a part of a lane's slice of a weight on a logical core; the whole is
// part 0 of 1.
type slice struct{ core, weight, lane, part, parts int }

func (p *Problem) legalMemory(s *Solution) error {
	if len(p.Machine) == 0 {
		return nil
	}
	for core, bytes := range p.memory(s) {
		if fits := p.Machine[s.Place[core]].Capacity; fits != Unknown && bytes > fits {
			return fmt.Errorf("%d bytes are on core %d, but machine core %d holds %d", bytes, core, s.Place[core], fits)
		}
	}
	return nil
}

// memory is how many bytes of weights are on each logical core.
func (p *Problem) memory(s *Solution) []int64 {
	there := map[slice]bool{}
	used := make([]int64, p.Cores) // cannot overflow: Check bounds the sum of all
	for _, whole := range []bool{true, false} {
		for i := range p.Ops {
			o := &p.Ops[i]
			if whole != (o.Parts == 1) {
				continue
			}
			for share, core := range s.Core[i] {
				lane, part := share/o.Parts, share%o.Parts
				for _, w := range o.Weights {
					at := slice{core, w, lane, part, o.Parts}
					if there[at] || there[slice{core, w, lane, 0, 1}] {
						continue
					}
					there[at] = true
					used[core] += packing.PartBytes(p.Slices[w], part, o.Parts)
				}
			}
		}
	}
	return used
}

func (p *Problem) interval(s *Solution) int64 { return maxOf(p.loads(s)) }

// loads are the cycles of each logical core.
func (p *Problem) loads(s *Solution) []int64 {
	load := make([]int64, p.Cores)
	work := func(cycles []int64, cores []int) {
		for _, core := range cores {
			kind := 0
			if len(p.Machine) > 0 {
				kind = p.Machine[s.Place[core]].Kind
			}
			load[core] += cycles[kind]
		}
	}
	for i, cores := range s.Core {
		work(p.Ops[i].Cycles, cores)
	}
	for _, f := range s.Forwards {
		work(p.Values[f.Value].Cycles, f.Core)
	}
	return load
}

func (p *Problem) traffic(s *Solution) int64 {
	if !p.sizesKnown(s) {
		return Unknown
	}
	traffic, goes := int64(0), false
	p.deliver(s, func(from, to int, bytes int64) {
		goes = true
		if p.Hops != nil {
			traffic += bytes * p.Hops[s.Place[from]][s.Place[to]]
		}
	})
	if goes && p.Hops == nil {
		return Unknown
	}
	return traffic
}
