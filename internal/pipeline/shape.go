package pipeline

import (
	"maps"
	"slices"
)

// Schedule lists the actions of each rank in the order in which it does them.
//
// It either has no transfers, and then data is where it is needed when it is
// made, or it has all of those between stages on different ranks.
type Schedule struct {
	Ranks [][]Action
}

// Place is where an action stands in a schedule.
type Place struct{ Rank, Index int }

// Action returns the action at a place.
func (s Schedule) Action(p Place) Action { return s.Ranks[p.Rank][p.Index] }

// Shape is what a schedule says as a whole.
type Shape struct {
	// Home is the rank that computes each stage: the first that does, if there
	// are several.
	Home map[int64]int
	// Stages and Microbatches are those that computations name, ascending.
	Stages, Microbatches []int64
	// Trains says that there are backwards, Transfers that there are sends or
	// receives.
	Trains, Transfers bool

	at map[Action]Place // the first place of every part
}

// Shape looks a schedule over.
func (s Schedule) Shape() Shape {
	sh := Shape{Home: map[int64]int{}, at: map[Action]Place{}}
	batches := map[int64]bool{}
	for r, actions := range s.Ranks {
		for i, a := range actions {
			if a.Kind.Transfer() {
				sh.Transfers = true
			} else {
				if _, ok := sh.Home[a.Stage]; !ok {
					sh.Home[a.Stage] = r
				}
				batches[a.Microbatch] = true
				sh.Trains = sh.Trains || a.Kind != Forward
			}
			for _, part := range a.parts() {
				if _, ok := sh.at[part]; !ok {
					sh.at[part] = Place{r, i}
				}
			}
		}
	}
	sh.Stages = slices.Sorted(maps.Keys(sh.Home))
	sh.Microbatches = slices.Sorted(maps.Keys(batches))
	return sh
}

func (sh *Shape) last() int64 {
	if len(sh.Stages) == 0 {
		return 0
	}
	return sh.Stages[len(sh.Stages)-1]
}

// apart says whether two stages exist and are on different ranks.
func (sh *Shape) apart(a, b int64) bool {
	x, xok := sh.Home[a]
	y, yok := sh.Home[b]
	return xok && yok && x != y
}

// needs lists the parts that must be done before an action can begin. A part
// that no action of the schedule does is listed, too.
func (sh *Shape) needs(a Action) []Action {
	m := a.Microbatch
	from := func(kind, received Kind, stage int64) Action {
		if sh.Transfers && sh.apart(a.Stage, stage) {
			return Action{received, a.Stage, m}
		}
		return Action{kind, stage, m}
	}
	switch a.Kind {
	case Forward:
		if a.Stage > 0 {
			return []Action{from(Forward, RecvForward, a.Stage-1)}
		}
	case Backward, BackwardInput:
		needs := []Action{{Forward, a.Stage, m}}
		if a.Stage < sh.last() {
			needs = append(needs, from(BackwardInput, RecvBackward, a.Stage+1))
		}
		return needs
	case BackwardWeights:
		return []Action{{BackwardInput, a.Stage, m}}
	case SendForward:
		return []Action{{Forward, a.Stage, m}}
	case RecvForward:
		return []Action{{SendForward, a.Stage - 1, m}}
	case SendBackward:
		return []Action{{BackwardInput, a.Stage, m}}
	case RecvBackward:
		return []Action{{SendBackward, a.Stage + 1, m}}
	}
	return nil
}

// Repeats lists the places of actions of which a part is done before, each with
// the first place.
func (s Schedule) Repeats() (repeats [][2]Place) {
	sh := s.Shape()
	s.each(func(p Place, a Action) {
		for _, part := range a.parts() {
			if first := sh.at[part]; first != p {
				repeats = append(repeats, [2]Place{first, p})
				break
			}
		}
	})
	return repeats
}

// Strays lists the places of actions that are not on the rank of their stage.
func (s Schedule) Strays() (strays []Place) {
	sh := s.Shape()
	s.each(func(p Place, a Action) {
		if home, ok := sh.Home[a.Stage]; !ok || home != p.Rank {
			strays = append(strays, p)
		}
	})
	return strays
}

// Missing lists the computations that no action does, in the order of their
// stages: of every stage the forward of every microbatch, and the two parts of
// its backward if the schedule has backwards at all.
func (s Schedule) Missing() (missing []Action) {
	sh := s.Shape()
	kinds := []Kind{Forward, BackwardInput, BackwardWeights}
	if !sh.Trains {
		kinds = kinds[:1]
	}
	for _, stage := range sh.Stages {
		for _, m := range sh.Microbatches {
			for _, k := range kinds {
				if _, ok := sh.at[Action{k, stage, m}]; !ok {
					missing = append(missing, Action{k, stage, m})
				}
			}
		}
	}
	return missing
}

// Computations counts the actions that are no transfers.
func (s Schedule) Computations() int {
	n := 0
	s.each(func(_ Place, a Action) {
		if !a.Kind.Transfer() {
			n++
		}
	})
	return n
}

// InFlight returns of each stage, by its number, the largest number of
// microbatches whose activations it holds at once: from the forward on to the
// last part of the backward. In a schedule without backwards there are none.
func (s Schedule) InFlight() map[int64]int {
	peak := map[int64]int{}
	if !s.Shape().Trains {
		return peak
	}
	for _, actions := range s.Ranks {
		now := map[int64]int{}
		for _, a := range actions {
			switch a.Kind {
			case Forward:
				now[a.Stage]++
				peak[a.Stage] = max(peak[a.Stage], now[a.Stage])
			case Backward, BackwardWeights:
				now[a.Stage]--
			}
		}
	}
	return peak
}

func (s Schedule) each(f func(Place, Action)) {
	for r, actions := range s.Ranks {
		for i, a := range actions {
			f(Place{r, i}, a)
		}
	}
}
