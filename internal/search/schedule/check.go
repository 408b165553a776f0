package schedule

import (
	"fmt"
	"math"
	"slices"
)

// mostShares is how many shares a problem may have, all ops and forwards of one
// stage together.
const mostShares = math.MaxInt32

// MostStages and MostCores are how many stages and logical cores a problem may
// have: as many as the partition into stages takes.
const (
	MostStages = 120
	MostCores  = 1 << 16
)

// Check returns an error that wraps ErrProblem unless the problem is
// well-formed: its lists fit together, every number exists, no op reads its own
// result or waits for itself, and no sum of cycles, of bytes, or of bytes times
// hops that a solution may have is larger than an int64. A well-formed problem
// need not have a solution.
func (p *Problem) Check() error {
	for _, check := range []func() error{p.checkSizes, p.checkOps, p.checkValues, p.checkRanges, p.checkMachine, p.checkOrder, p.CheckSums} {
		if err := check(); err != nil {
			return fmt.Errorf("%w: %w", ErrProblem, err)
		}
	}
	return nil
}

func (p *Problem) checkSizes() error {
	switch {
	case p.Stages < 1:
		return fmt.Errorf("%d stages", p.Stages)
	case p.Stages > MostStages || p.Cores > MostCores:
		return fmt.Errorf("%d stages and %d cores, more than %d or %d", p.Stages, p.Cores, MostStages, MostCores)
	case p.Cores < p.Stages:
		return fmt.Errorf("%d cores for %d stages", p.Cores, p.Stages)
	case p.Kinds < 1:
		return fmt.Errorf("%d kinds of cores", p.Kinds)
	}
	for w, size := range p.Slices {
		if size < 0 {
			return fmt.Errorf("weight %d has slices of %d bytes", w, size)
		}
	}
	return nil
}

func (p *Problem) checkOps() error {
	seen := make([]int, len(p.Slices)) // the last op, counted from 1, that has the weight
	for i := range p.Ops {
		o := &p.Ops[i]
		switch {
		case o.Lo < 0 || o.Hi < o.Lo || o.Hi >= p.Stages:
			return fmt.Errorf("op %d is in stages %d to %d of %d", i, o.Lo, o.Hi, p.Stages)
		case o.Lanes < 1 || o.Parts < 1 || o.Lanes > mostShares/o.Parts:
			return fmt.Errorf("op %d has %d lanes of %d parts", i, o.Lanes, o.Parts)
		case o.Pins != nil && len(o.Pins) != o.Shares():
			return fmt.Errorf("op %d has %d pins for %d shares", i, len(o.Pins), o.Shares())
		}
		if err := p.checkCycles(o.Cycles); err != nil {
			return fmt.Errorf("op %d: %w", i, err)
		}
		for _, w := range o.Weights {
			if w < 0 || w >= len(p.Slices) || seen[w] == i+1 {
				return fmt.Errorf("op %d has weight %d, which does not exist or is listed twice", i, w)
			}
			seen[w] = i + 1
		}
		for share, core := range o.Pins {
			if core != Free && !below(core, p.Cores) {
				return fmt.Errorf("share %d of op %d is on core %d of %d", share, i, core, p.Cores)
			}
		}
	}
	return nil
}

func (p *Problem) checkCycles(cycles []int64) error {
	if len(cycles) != p.Kinds {
		return fmt.Errorf("cycles on %d kinds of cores, of %d", len(cycles), p.Kinds)
	}
	for _, n := range cycles {
		if n < 0 {
			return fmt.Errorf("%d cycles", n)
		}
	}
	return nil
}

func (p *Problem) checkValues() error {
	for v := range p.Values {
		value := &p.Values[v]
		switch {
		case value.From != Outside && !below(value.From, len(p.Ops)):
			return fmt.Errorf("value %d is from op %d of %d", v, value.From, len(p.Ops))
		case value.Bytes < 0 && value.Bytes != Unknown:
			return fmt.Errorf("value %d has %d bytes", v, value.Bytes)
		case value.Forward < 0 || value.Forward > mostShares:
			return fmt.Errorf("forwards of value %d have %d lanes", v, value.Forward)
		}
		if value.Forward > 0 {
			if err := p.checkCycles(value.Cycles); err != nil {
				return fmt.Errorf("forwards of value %d: %w", v, err)
			}
		}
	}
	for i, r := range p.Reads {
		if !below(r.Value, len(p.Values)) || !below(r.To, len(p.Ops)) {
			return fmt.Errorf("read %d is of value %d by op %d", i, r.Value, r.To)
		}
	}
	return nil
}

func (p *Problem) checkRanges() error {
	if len(p.Ranges) != p.Stages {
		return fmt.Errorf("%d ranges for %d stages", len(p.Ranges), p.Stages)
	}
	for s, r := range p.Ranges {
		if r.First != Free && !below(r.First, p.Cores) || r.Count != Free && (r.Count < 1 || r.Count > p.Cores) {
			return fmt.Errorf("stage %d has %d cores from core %d on, of %d", s, r.Count, r.First, p.Cores)
		}
	}
	return nil
}

func (p *Problem) checkMachine() error {
	n := len(p.Machine)
	switch {
	case n != 0 && n != p.Cores:
		return fmt.Errorf("%d machine cores for %d logical ones", n, p.Cores)
	case len(p.Places) != n:
		return fmt.Errorf("%d places on %d machine cores", len(p.Places), n)
	case p.Hops != nil && len(p.Hops) != n:
		return fmt.Errorf("distances of %d machine cores, of %d", len(p.Hops), n)
	}
	for i, c := range p.Machine {
		if c.Capacity < 0 && c.Capacity != Unknown || !below(c.Kind, p.Kinds) {
			return fmt.Errorf("machine core %d holds %d bytes and is of kind %d of %d", i, c.Capacity, c.Kind, p.Kinds)
		}
	}
	for core, place := range p.Places {
		if place != Free && !below(place, n) {
			return fmt.Errorf("core %d is placed on machine core %d of %d", core, place, n)
		}
	}
	for i, row := range p.Hops {
		if len(row) != n {
			return fmt.Errorf("machine core %d has distances to %d cores, of %d", i, len(row), n)
		}
		for j, hops := range row {
			if hops < 0 {
				return fmt.Errorf("machine cores %d and %d are %d hops apart", i, j, hops)
			}
		}
	}
	return nil
}

func (p *Problem) checkOrder() error {
	order := p.Order()
	if len(order) == len(p.Ops) {
		return nil
	}
	placed := make([]bool, len(p.Ops))
	for _, op := range order {
		placed[op] = true
	}
	return fmt.Errorf("op %d waits for itself, or for an op that does", slices.Index(placed, false))
}

// Order returns the ops so that each comes behind those whose values it reads.
// Ops that wait for themselves, and ops that wait for those, are left out; a
// well-formed problem has none. Values and ops of reads must exist.
func (p *Problem) Order() []int {
	waits := make([]int, len(p.Ops))
	readers := make([][]int, len(p.Ops))
	for _, r := range p.Reads {
		if from := p.Values[r.Value].From; from != Outside {
			waits[r.To]++
			readers[from] = append(readers[from], r.To)
		}
	}
	order := make([]int, 0, len(p.Ops))
	for op, n := range waits {
		if n == 0 {
			order = append(order, op)
		}
	}
	for done := 0; done < len(order); done++ {
		for _, to := range readers[order[done]] {
			if waits[to]--; waits[to] == 0 {
				order = append(order, to)
			}
		}
	}
	return order
}

// CheckSums says which sum that may occur in a solution is too large, if any is.
// All numbers must be as Check wants them.
func (p *Problem) CheckSums() error {
	var load, bytes, shares tally
	for i := range p.Ops {
		o := &p.Ops[i]
		load.add(maxOf(o.Cycles), int64(o.Shares()))
		shares.add(int64(o.Shares()))
		for _, w := range o.Weights {
			bytes.add(p.Slices[w], int64(o.Lanes))
		}
	}
	for v := range p.Values {
		if value := &p.Values[v]; value.Forward > 0 {
			load.add(maxOf(value.Cycles), int64(value.Forward), int64(p.Stages))
			shares.add(int64(value.Forward))
		}
	}
	switch {
	case shares.over || shares.sum > mostShares:
		return fmt.Errorf("more than %d shares", mostShares)
	case load.over:
		return fmt.Errorf("the cycles of all shares are more than %d", int64(math.MaxInt64))
	case bytes.over:
		return fmt.Errorf("the weights of all lanes have more than %d bytes", int64(math.MaxInt64))
	case p.mostTraffic().over:
		return fmt.Errorf("the traffic may be more than %d", int64(math.MaxInt64))
	}
	return nil
}

// mostTraffic bounds the traffic: each carrier of a value hands all of it to
// each core that reads it there.
func (p *Problem) mostTraffic() tally {
	reach := make([]int64, len(p.Values)) // shares that read each value
	for _, r := range p.Reads {
		reach[r.Value] += int64(p.Ops[r.To].Shares())
	}
	far := int64(1)
	for _, row := range p.Hops {
		far = max(far, maxOf(row))
	}
	var traffic tally
	for v := range p.Values {
		value := &p.Values[v]
		if value.Bytes == Unknown {
			continue
		}
		carriers := int64(1)
		if value.Forward > 0 {
			carriers += int64(p.Stages)
			reach[v] += int64(value.Forward) * int64(p.Stages)
		}
		traffic.add(value.Bytes, min(reach[v], carriers*int64(p.Cores)), far)
	}
	return traffic
}

// below says whether n is one of 0 to count-1.
func below(n, count int) bool { return 0 <= n && n < count }

func maxOf(ns []int64) int64 {
	most := int64(0)
	for _, n := range ns {
		most = max(most, n)
	}
	return most
}

// ceil divides numbers that are not negative and rounds up.
func ceil(a, b int64) int64 {
	n := a / b
	if a%b > 0 {
		n++
	}
	return n
}

// tally is a sum of products of numbers that are not negative.
type tally struct {
	sum  int64
	over bool // the sum is larger than an int64
}

func (t *tally) add(factors ...int64) {
	product, over := int64(1), false
	for _, f := range factors {
		switch {
		case f == 0:
			return
		case product > math.MaxInt64/f:
			over = true // unless a later factor is 0
		default:
			product *= f
		}
	}
	if over || t.sum > math.MaxInt64-product {
		t.over = true
		return
	}
	t.sum += product
}
