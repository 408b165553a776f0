package scheduletest

import (
	"fmt"
	"slices"

	"plancheck/internal/search/schedule"
)

// Judge says what a solution costs, or why it is not legal. It is written from
// the definitions alone, without a thought for speed, and for small numbers:
// sums are not checked for overflow.
func Judge(p *schedule.Problem, s *schedule.Solution) (schedule.Cost, error) {
	for _, check := range []func(*schedule.Problem, *schedule.Solution) error{
		judgeRanges, judgePlaces, judgeOps, judgeReads, judgeForwards, judgeRoom,
	} {
		if err := check(p, s); err != nil {
			return schedule.Cost{}, err
		}
	}
	return schedule.Cost{Interval: interval(p, s), Forwards: len(s.Forwards), Traffic: traffic(p, s)}, nil
}

// judgeRanges: ranges follow each other without a gap, from core 0 to the last.
func judgeRanges(p *schedule.Problem, s *schedule.Solution) error {
	if len(s.First) != p.Stages {
		return fmt.Errorf("%d ranges for %d stages", len(s.First), p.Stages)
	}
	if s.First[0] != 0 {
		return fmt.Errorf("stage 0 begins with core %d", s.First[0])
	}
	for t, given := range p.Ranges {
		count := end(p, s, t) - s.First[t]
		switch {
		case count < 1:
			return fmt.Errorf("stage %d has %d cores", t, count)
		case given.First != schedule.Free && given.First != s.First[t]:
			return fmt.Errorf("stage %d begins with core %d, not %d", t, s.First[t], given.First)
		case given.Count != schedule.Free && given.Count != count:
			return fmt.Errorf("stage %d has %d cores, not %d", t, count, given.Count)
		}
	}
	return nil
}

// end is the core after the last one of a stage.
func end(p *schedule.Problem, s *schedule.Solution, stage int) int {
	if stage+1 == p.Stages {
		return p.Cores
	}
	return s.First[stage+1]
}

// judgePlaces: every machine core has one logical core.
func judgePlaces(p *schedule.Problem, s *schedule.Solution) error {
	if len(s.Place) != len(p.Machine) {
		return fmt.Errorf("%d cores are placed, of %d", len(s.Place), len(p.Machine))
	}
	var seen []int
	for core, m := range s.Place {
		switch {
		case m < 0 || m >= len(p.Machine):
			return fmt.Errorf("core %d is on machine core %d, which is not there", core, m)
		case slices.Contains(seen, m):
			return fmt.Errorf("machine core %d is taken twice", m)
		case p.Places[core] != schedule.Free && p.Places[core] != m:
			return fmt.Errorf("core %d is on machine core %d, not %d", core, m, p.Places[core])
		}
		seen = append(seen, m)
	}
	return nil
}

// judgeOps: every op has a stage that it may have, and its shares have cores of
// that stage.
func judgeOps(p *schedule.Problem, s *schedule.Solution) error {
	if len(s.Stage) != len(p.Ops) || len(s.Core) != len(p.Ops) {
		return fmt.Errorf("%d stages and %d lists of cores for %d ops", len(s.Stage), len(s.Core), len(p.Ops))
	}
	for o, op := range p.Ops {
		stage := s.Stage[o]
		if stage < 0 || stage >= p.Stages || stage < op.Lo || stage > op.Hi {
			return fmt.Errorf("op %d is in stage %d", o, stage)
		}
		if len(s.Core[o]) != op.Lanes*op.Parts {
			return fmt.Errorf("op %d has cores for %d shares", o, len(s.Core[o]))
		}
		for share, core := range s.Core[o] {
			if core < s.First[stage] || core >= end(p, s, stage) {
				return fmt.Errorf("share %d of op %d is on core %d, outside stage %d", share, o, core, stage)
			}
			if op.Pins != nil && op.Pins[share] != schedule.Free && op.Pins[share] != core {
				return fmt.Errorf("share %d of op %d is on core %d, not %d", share, o, core, op.Pins[share])
			}
		}
	}
	for t := range p.Stages {
		if p.NonEmpty && !filled(p, s.Stage, t) {
			return fmt.Errorf("stage %d is empty", t)
		}
	}
	return nil
}

// filled says whether a stage has an op that is no forward.
func filled(p *schedule.Problem, stage []int, t int) bool {
	for o := range p.Ops {
		if stage[o] == t && !p.Ops[o].Carries {
			return true
		}
	}
	return false
}

// made is the stage in which a value is made.
func made(p *schedule.Problem, stage []int, value int) int {
	if from := p.Values[value].From; from != schedule.Outside {
		return stage[from]
	}
	return schedule.Outside
}

// judgeReads: a value is read where it is made or one stage later, and further
// away only if something carries it.
func judgeReads(p *schedule.Problem, s *schedule.Solution) error {
	for _, r := range p.Reads {
		from, to := made(p, s.Stage, r.Value), s.Stage[r.To]
		if to < from || to > from+1 && p.Values[r.Value].Forward == 0 {
			return fmt.Errorf("op %d in stage %d reads value %d of stage %d", r.To, to, r.Value, from)
		}
	}
	return nil
}

// carried is one forward that the stages of the ops ask for.
type carried struct{ value, stage int }

// carry lists the forwards that the stages of the ops ask for, by value, then
// by stage: one in each stage between the value's and its farthest reader's.
func carry(p *schedule.Problem, stage []int) []carried {
	var list []carried
	for v := range p.Values {
		from := made(p, stage, v)
		farthest := from
		for _, r := range p.Reads {
			if r.Value == v {
				farthest = max(farthest, stage[r.To])
			}
		}
		for t := from + 1; t < farthest; t++ {
			list = append(list, carried{v, t})
		}
	}
	return list
}

// judgeForwards: there are exactly the forwards that are needed, and their
// lanes have cores of their stage.
func judgeForwards(p *schedule.Problem, s *schedule.Solution) error {
	var have []carried
	for _, f := range s.Forwards {
		have = append(have, carried{f.Value, f.Stage})
	}
	if want := carry(p, s.Stage); !slices.Equal(have, want) {
		return fmt.Errorf("forwards (value, stage) %v, needed are %v", have, want)
	}
	for _, f := range s.Forwards {
		if len(f.Core) != p.Values[f.Value].Forward {
			return fmt.Errorf("the forward of value %d in stage %d has %d lanes", f.Value, f.Stage, len(f.Core))
		}
		for _, core := range f.Core {
			if core < s.First[f.Stage] || core >= end(p, s, f.Stage) {
				return fmt.Errorf("a forward of value %d is on core %d, outside stage %d", f.Value, core, f.Stage)
			}
		}
	}
	return nil
}

// held is what a core holds of a weight: one part of the slice of a lane, which
// is the whole slice where there is one part.
type held struct{ weight, lane, part, parts int }

// holds lists what share number i of the op needs on its core.
func holds(op *schedule.Op, i int) []held {
	var list []held
	for _, w := range op.Weights {
		list = append(list, held{w, i / op.Parts, i % op.Parts, op.Parts})
	}
	return list
}

// bytes is the size of what is held: the first parts of a slice are one byte
// larger where the parts cannot be equal.
func (h held) bytes(p *schedule.Problem) int64 {
	slice, parts := p.Slices[h.weight], int64(h.parts)
	if int64(h.part) < slice%parts {
		return slice/parts + 1
	}
	return slice / parts
}

// room is how many bytes a core needs that holds these: each once, and no part
// of a slice that is there whole.
func room(p *schedule.Problem, list []held) int64 {
	var sum int64
	for i, h := range list {
		whole := held{h.weight, h.lane, 0, 1}
		if slices.Contains(list[:i], h) || h != whole && slices.Contains(list, whole) {
			continue
		}
		sum += h.bytes(p)
	}
	return sum
}

// used is how many bytes each logical core needs.
func used(p *schedule.Problem, cores [][]int) []int64 {
	list := make([][]held, p.Cores)
	for o := range p.Ops {
		for i, core := range cores[o] {
			list[core] = append(list[core], holds(&p.Ops[o], i)...)
		}
	}
	sums := make([]int64, p.Cores)
	for core := range sums {
		sums[core] = room(p, list[core])
	}
	return sums
}

// judgeRoom: the weights of a core fit the machine core that it is on.
func judgeRoom(p *schedule.Problem, s *schedule.Solution) error {
	for core, sum := range used(p, s.Core) {
		if s.Place == nil {
			continue
		}
		if c := p.Machine[s.Place[core]].Capacity; c != schedule.Unknown && sum > c {
			return fmt.Errorf("core %d holds %d bytes, machine core %d has %d", core, sum, s.Place[core], c)
		}
	}
	return nil
}

// kind is the kind of machine core that a logical core is on; without a machine
// there is one kind.
func kind(p *schedule.Problem, s *schedule.Solution, core int) int {
	if s.Place == nil {
		return 0
	}
	return p.Machine[s.Place[core]].Kind
}

// interval is the largest load of a core.
func interval(p *schedule.Problem, s *schedule.Solution) int64 {
	loads := make([]int64, p.Cores)
	for o, op := range p.Ops {
		for _, core := range s.Core[o] {
			loads[core] += op.Cycles[kind(p, s, core)]
		}
	}
	for _, f := range s.Forwards {
		for _, core := range f.Core {
			loads[core] += p.Values[f.Value].Cycles[kind(p, s, core)]
		}
	}
	return slices.Max(loads)
}
