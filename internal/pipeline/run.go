package pipeline

import "fmt"

// Costs are the steps that computations take; transfers take none.
type Costs struct {
	Forward, BackwardInput, BackwardWeights int64 // each from 0 to MaxCost; a whole backward takes the sum
}

// MaxCost bounds costs so that no length leaves 64 bits.
const MaxCost = 1 << 31

// UnitCosts are one step for each computation, two for a whole backward.
func UnitCosts() Costs { return Costs{1, 1, 1} }

func (c Costs) of(k Kind) int64 {
	switch k {
	case Forward:
		return c.Forward
	case Backward:
		return c.BackwardInput + c.BackwardWeights
	case BackwardInput:
		return c.BackwardInput
	case BackwardWeights:
		return c.BackwardWeights
	}
	return 0
}

// Run is what happens when ranks do their actions in order, each as soon as
// what it needs is done.
type Run struct {
	// Length is the number of steps until the last action that could be done has
	// ended.
	Length int64
	// Order lists the actions that were done by when they began. Those that
	// begin at once are listed by rank.
	Order []Place
	// Starts is when the actions of Order began, in steps from 0.
	Starts []int64
	// Stuck lists, for each rank that did not get to its end, the action that
	// could not begin. It is empty for a schedule that runs to its end.
	Stuck []Stuck
}

// Stuck is an action that waits for ever, and a part that it waits for.
type Stuck struct {
	At      Place
	Waiting Action
	For     Action
	Exists  bool // For is in the schedule, but is not reached
}

// Do runs a schedule. Sends do not wait for their receives. It fails for costs
// out of range.
func (s Schedule) Do(costs Costs) (Run, error) {
	for _, c := range []int64{costs.Forward, costs.BackwardInput, costs.BackwardWeights} {
		if c < 0 || c > MaxCost {
			return Run{}, fmt.Errorf("a cost must be from 0 to %d, not %d", MaxCost, c)
		}
	}
	return s.run(s.Shape(), costs), nil
}

// DoInUnits runs a schedule with UnitCosts.
func (s Schedule) DoInUnits() Run { return s.run(s.Shape(), UnitCosts()) }

func (s Schedule) run(sh Shape, costs Costs) Run {
	var run Run
	done := make(map[Action]int64, len(sh.at)) // when parts ended
	next := make([]int, len(s.Ranks))
	free := make([]int64, len(s.Ranks))
	heads := make([]head, len(s.Ranks))
	for {
		best := -1
		for r := range s.Ranks {
			h := &heads[r]
			if next[r] == len(s.Ranks[r]) {
				continue
			}
			if !h.ready {
				h.find(&sh, done, s.Ranks[r][next[r]], free[r])
			}
			if h.ready && (best < 0 || h.start < heads[best].start) {
				best = r
			}
		}
		if best < 0 {
			break
		}
		a, start := s.Ranks[best][next[best]], heads[best].start
		run.Order = append(run.Order, Place{best, next[best]})
		run.Starts = append(run.Starts, start)
		free[best] = start + costs.of(a.Kind)
		run.Length = max(run.Length, free[best])
		for _, part := range a.parts() {
			if _, again := done[part]; !again {
				done[part] = free[best]
			}
		}
		next[best]++
		heads[best] = head{}
	}
	for r := range s.Ranks {
		if next[r] < len(s.Ranks[r]) {
			_, exists := sh.at[heads[r].lacks]
			run.Stuck = append(run.Stuck, Stuck{Place{r, next[r]}, s.Ranks[r][next[r]], heads[r].lacks, exists})
		}
	}
	return run
}

// head is what is known of the next action of a rank.
type head struct {
	ready bool
	start int64
	lacks Action // what it waits for
}

func (h *head) find(sh *Shape, done map[Action]int64, a Action, free int64) {
	h.start = free
	for _, need := range sh.needs(a) {
		end, ok := done[need]
		if !ok {
			h.lacks = need
			return
		}
		h.start = max(h.start, end)
	}
	h.ready = true
}
