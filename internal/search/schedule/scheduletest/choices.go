package scheduletest

import (
	"iter"
	"slices"

	"plancheck/internal/search/schedule"
)

// stagings yields every list of stages that the ops may have and that lets
// every value be read. The list is used again for the next one.
func stagings(p *schedule.Problem) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		stage := make([]int, len(p.Ops))
		var choose func(o int) bool
		choose = func(o int) bool {
			if o == len(p.Ops) {
				return !readable(p, stage) || yield(stage)
			}
			for stage[o] = max(p.Ops[o].Lo, 0); stage[o] <= min(p.Ops[o].Hi, p.Stages-1); stage[o]++ {
				if !choose(o + 1) {
					return false
				}
			}
			return true
		}
		choose(0)
	}
}

// readable says whether the stages of the ops let every value be read, and
// leave no stage empty that must not be.
func readable(p *schedule.Problem, stage []int) bool {
	for t := range p.Stages {
		if p.NonEmpty && !filled(p, stage, t) {
			return false
		}
	}
	return judgeReads(p, &schedule.Solution{Stage: stage}) == nil
}

// rangings yields every list of first cores of the stages that is legal. The
// list is used again for the next one.
func rangings(p *schedule.Problem) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		first := make([]int, p.Stages)
		var choose func(t int) bool
		choose = func(t int) bool {
			if t == p.Stages {
				s := schedule.Solution{First: first}
				return judgeRanges(p, &s) != nil || yield(first)
			}
			for first[t] = first[t-1] + 1; first[t] < p.Cores; first[t]++ {
				if !choose(t + 1) {
					return false
				}
			}
			return true
		}
		choose(1)
	}
}

// placings yields every legal placement of the logical cores, nil alone where
// there is no machine. The list is used again for the next one.
func placings(p *schedule.Problem) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		if len(p.Machine) == 0 {
			yield(nil)
			return
		}
		place := make([]int, 0, len(p.Machine))
		var choose func() bool
		choose = func() bool {
			if len(place) == len(p.Machine) {
				return yield(place)
			}
			pin := p.Places[len(place)]
			for m := range p.Machine {
				if slices.Contains(place, m) || pin != schedule.Free && pin != m {
					continue
				}
				place = append(place, m)
				more := choose()
				place = place[:len(place)-1]
				if !more {
					return false
				}
			}
			return true
		}
		choose()
	}
}

// seats yields every way to give n things cores first to end-1. The list is
// used again for the next one.
func seats(n, first, end int) iter.Seq[[]int] {
	return func(yield func([]int) bool) {
		core := make([]int, n)
		for i := range core {
			core[i] = first
		}
		for {
			if !yield(core) {
				return
			}
			i := 0
			for ; i < n && core[i] == end-1; i++ {
				core[i] = first
			}
			if i == n {
				return
			}
			core[i]++
		}
	}
}

// All yields every solution of a tiny problem that has stages in which values
// can be read, ranges and places that are legal, and the forwards that are
// needed. It looks neither at weights nor at pins of shares, so what it yields
// may be illegal. There are terribly many.
func All(p *schedule.Problem) iter.Seq[*schedule.Solution] {
	return func(yield func(*schedule.Solution) bool) {
		for stage := range stagings(p) {
			for first := range rangings(p) {
				s := &schedule.Solution{Stage: slices.Clone(stage), First: slices.Clone(first), Core: make([][]int, len(p.Ops))}
				for _, c := range carry(p, stage) {
					s.Forwards = append(s.Forwards, schedule.Forward{Value: c.value, Stage: c.stage})
				}
				if !seatAll(p, s, 0, yield) {
					return
				}
			}
		}
	}
}

// seatAll gives cores to everything from op o on, forwards coming after all
// ops, and places to the cores. It returns false once yield has.
func seatAll(p *schedule.Problem, s *schedule.Solution, o int, yield func(*schedule.Solution) bool) bool {
	f := o - len(p.Ops)
	if f == len(s.Forwards) {
		for place := range placings(p) {
			if !yield(clone(s, place)) {
				return false
			}
		}
		return true
	}
	if f >= 0 {
		t := s.Forwards[f].Stage
		for core := range seats(p.Values[s.Forwards[f].Value].Forward, s.First[t], end(p, s, t)) {
			s.Forwards[f].Core = core
			if !seatAll(p, s, o+1, yield) {
				return false
			}
		}
		return true
	}
	t := s.Stage[o]
	for core := range seats(p.Ops[o].Shares(), s.First[t], end(p, s, t)) {
		s.Core[o] = core
		if !seatAll(p, s, o+1, yield) {
			return false
		}
	}
	return true
}

// clone copies a solution, with another placement.
func clone(s *schedule.Solution, place []int) *schedule.Solution {
	c := &schedule.Solution{Stage: slices.Clone(s.Stage), First: slices.Clone(s.First), Place: slices.Clone(place)}
	for _, core := range s.Core {
		c.Core = append(c.Core, slices.Clone(core))
	}
	for _, f := range s.Forwards {
		c.Forwards = append(c.Forwards, schedule.Forward{Value: f.Value, Stage: f.Stage, Core: slices.Clone(f.Core)})
	}
	return c
}
