package scheduletest

import (
	"math/rand/v2"
	"slices"

	"plancheck/internal/search/schedule"
)

// Legal returns a random legal solution, or nil if after some attempts it has
// found none, although there may be one.
func Legal(rng *rand.Rand, p *schedule.Problem) *schedule.Solution {
	stage, first, place := pick(rng, stagings(p)), pick(rng, rangings(p)), pick(rng, placings(p))
	if stage == nil || first == nil || place == nil && len(p.Machine) > 0 {
		return nil
	}
	s := &schedule.Solution{Stage: stage, First: first, Place: place}
	seat := func(t, n int) []int {
		core := make([]int, n)
		for i := range core {
			core[i] = first[t] + rng.IntN(end(p, s, t)-first[t])
		}
		return core
	}
	for _, c := range carry(p, stage) {
		s.Forwards = append(s.Forwards, schedule.Forward{Value: c.value, Stage: c.stage, Core: seat(c.stage, p.Values[c.value].Forward)})
	}
	for range 20 {
		s.Core = nil
		for o, op := range p.Ops {
			core := seat(stage[o], op.Shares())
			for i, pin := range op.Pins {
				if pin != schedule.Free {
					core[i] = pin
				}
			}
			s.Core = append(s.Core, core)
		}
		if _, err := Judge(p, s); err == nil {
			return s
		}
	}
	return nil
}

// pick returns a copy of one of a few lists; nil if there is none.
func pick(rng *rand.Rand, lists func(func([]int) bool)) []int {
	var chosen []int
	n := 0
	for list := range lists {
		if n++; rng.IntN(n) == 0 {
			chosen = slices.Clone(list)
		}
	}
	return chosen
}

// Broken returns a copy of a solution with something changed, which mostly
// makes it illegal.
func Broken(rng *rand.Rand, p *schedule.Problem, s *schedule.Solution) *schedule.Solution {
	s = clone(s, s.Place)
	for range 1 + rng.IntN(2) {
		change(rng, p, s)
	}
	return s
}

func change(rng *rand.Rand, p *schedule.Problem, s *schedule.Solution) {
	o := rng.IntN(len(p.Ops))
	number := func(list []int, most int) {
		if len(list) > 0 {
			list[rng.IntN(len(list))] = rng.IntN(most+2) - 1
		}
	}
	shorten := func(list *[]int) { *list = (*list)[:max(len(*list)-1, 0)] }
	switch rng.IntN(12) {
	case 0:
		number(s.Stage, p.Stages)
	case 1:
		number(s.First, p.Cores)
	case 2, 3:
		if o < len(s.Core) {
			number(s.Core[o], p.Cores)
		}
	case 4:
		number(s.Place, p.Cores)
	case 5:
		if n := len(s.Place); n > 1 {
			a, b := rng.IntN(n), rng.IntN(n)
			s.Place[a], s.Place[b] = s.Place[b], s.Place[a]
		}
	case 6:
		if n := len(s.Forwards); n > 0 {
			number(s.Forwards[rng.IntN(n)].Core, p.Cores)
		}
	case 7:
		if n := len(s.Forwards); n > 0 {
			i := rng.IntN(n)
			s.Forwards = slices.Delete(s.Forwards, i, i+1)
		}
	case 8:
		if len(p.Values) > 0 {
			v, t := rng.IntN(len(p.Values)), rng.IntN(p.Stages)
			core := make([]int, p.Values[v].Forward)
			for i := range core {
				core[i] = s.First[min(t, len(s.First)-1)]
			}
			s.Forwards = append(s.Forwards, schedule.Forward{Value: v, Stage: t, Core: core})
		}
	case 9:
		if n := len(s.Forwards); n > 1 {
			s.Forwards[0], s.Forwards[n-1] = s.Forwards[n-1], s.Forwards[0]
		}
	case 10:
		if len(s.Core) > o {
			shorten(&s.Core[o])
		}
	case 11:
		lists := []*[]int{&s.Stage, &s.Place}
		if rng.IntN(2) == 0 {
			s.Core = s.Core[:max(len(s.Core)-1, 0)]
		} else {
			shorten(lists[rng.IntN(2)])
		}
	}
}
