package scheduletest

import (
	"fmt"
	"slices"

	"plancheck/internal/search/schedule"
)

// Best finds the least interval, and then the fewest forwards, by trying
// everything: all stages of the ops, all ranges, and all placements that differ
// in the size or kind of some core; and for each stage under these all ways to
// seat its shares. It returns a solution with these and what it costs, as Judge
// says; false if there is none. Traffic is not made small.
//
// A problem has at most 64 ops and 64 values.
func Best(p *schedule.Problem) (schedule.Cost, *schedule.Solution, bool) {
	b := &best{p: p, places: differentPlacings(p), known: map[crowd]seating{}}
	for stage := range stagings(p) {
		forwards := carry(p, stage)
		for first := range rangings(p) {
			for _, place := range b.places {
				b.try(&schedule.Solution{Stage: stage, First: first, Place: place}, forwards)
			}
		}
	}
	if b.found == nil {
		return schedule.Cost{}, nil, false
	}
	cost, err := Judge(p, b.found)
	if err != nil || cost.Interval != b.cost.Interval || cost.Forwards != b.cost.Forwards {
		panic(fmt.Sprintf("brute force found %+v, which costs %+v: %v", b.cost, cost, err))
	}
	return cost, b.found, true
}

// LeastOfAll finds the least cost, traffic included, of everything that All
// yields, and a solution that has it; nil if none is legal. Traffic that is not
// known counts as more than any other. Known is false if All yields more than so
// many.
func LeastOfAll(p *schedule.Problem, most int) (cost schedule.Cost, s *schedule.Solution, known bool) {
	n := 0
	for next := range All(p) {
		if n++; n > most {
			return schedule.Cost{}, nil, false
		}
		c, err := Judge(p, next)
		if err != nil {
			continue
		}
		moves := c.Traffic != schedule.Unknown && (cost.Traffic == schedule.Unknown || c.Traffic < cost.Traffic)
		if s == nil || less(c, cost) || !less(cost, c) && moves {
			cost, s = c, next
		}
	}
	return cost, s, true
}

// differentPlacings returns one placement of all those in which each logical
// core has a machine core of the same size and kind.
func differentPlacings(p *schedule.Problem) [][]int {
	var list [][]int
	seen := map[string]bool{}
	for place := range placings(p) {
		if k := looks(p, place, 0, len(place)); !seen[k] {
			seen[k] = true
			list = append(list, slices.Clone(place))
		}
	}
	return list
}

// looks names the sizes and kinds of the machine cores under logical cores
// first to end-1.
func looks(p *schedule.Problem, place []int, first, end int) string {
	if place == nil {
		return ""
	}
	name := ""
	for _, m := range place[first:end] {
		name += fmt.Sprint(p.Machine[m])
	}
	return name
}

// best is the state of Best.
type best struct {
	p      *schedule.Problem
	places [][]int
	known  map[crowd]seating // best seatings of stages that were met before
	found  *schedule.Solution
	cost   schedule.Cost
}

// crowd is all that the seating of a stage depends on: who is in it, and the
// cores that it has.
type crowd struct {
	ops, forwards uint64
	first, end    int
	looks         string
}

// seating is the best that can be made of a crowd: a core for each share of
// each op, then for each lane of each forward. It has none if nothing fits.
type seating struct {
	load int64
	core []int
	fits bool
}

// try completes stages, ranges and places of a solution and keeps it if it is
// the best so far.
func (b *best) try(s *schedule.Solution, forwards []carried) {
	cost := schedule.Cost{Forwards: len(forwards)}
	seated := make([]seating, b.p.Stages)
	for t := range seated {
		seated[t] = b.seat(s, forwards, t)
		cost.Interval = max(cost.Interval, seated[t].load)
		if !seated[t].fits || b.found != nil && !less(cost, b.cost) {
			return
		}
	}
	b.cost, b.found = cost, clone(s, s.Place)
	take := func(t, n int) []int {
		core := seated[t].core[:n]
		seated[t].core = seated[t].core[n:]
		return slices.Clone(core)
	}
	for o := range b.p.Ops {
		b.found.Core = append(b.found.Core, take(s.Stage[o], b.p.Ops[o].Shares()))
	}
	for _, f := range forwards {
		core := take(f.stage, b.p.Values[f.value].Forward)
		b.found.Forwards = append(b.found.Forwards, schedule.Forward{Value: f.value, Stage: f.stage, Core: core})
	}
}

func less(a, b schedule.Cost) bool {
	return a.Interval < b.Interval || a.Interval == b.Interval && a.Forwards < b.Forwards
}

// seat finds the best seating of a stage.
func (b *best) seat(s *schedule.Solution, forwards []carried, stage int) seating {
	c := crowd{first: s.First[stage], end: end(b.p, s, stage)}
	c.looks = looks(b.p, s.Place, c.first, c.end)
	for o, t := range s.Stage {
		if t == stage {
			c.ops |= 1 << o
		}
	}
	for _, f := range forwards {
		if f.stage == stage {
			c.forwards |= 1 << f.value
		}
	}
	known, ok := b.known[c]
	if !ok {
		known = seatBest(b.p, s, c)
		b.known[c] = known
	}
	return known
}
