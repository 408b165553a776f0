package execute

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Stuck is a program whose sections that have not ended all wait for what cannot
// come any more.
type Stuck struct {
	// Waits are what they wait for, in the order of the program's sections.
	Waits []Waiter
}

// Waiter is an instruction that waits.
type Waiter struct {
	Section, Instruction, Command string
	// For is what it waits for, in words.
	For string
}

func (e *Stuck) Error() string {
	var all []string
	for _, w := range e.Waits {
		all = append(all, fmt.Sprintf("section %s, at command %s, waits for %s", w.Section, w.Command, w.For))
	}
	return "the program is stuck: " + strings.Join(all, "; ")
}

// glance is how often the watcher looks.
const glance = 2 * time.Millisecond

// watch halts a run that is stuck, or whose context is done, and returns why. It
// ends when the run has.
func (r *run) watch(ctx context.Context, finished <-chan struct{}) error {
	defer r.halt()
	ticker := time.NewTicker(glance)
	defer ticker.Stop()
	for {
		select {
		case <-finished:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-ticker.C:
			if waits := r.stuck(); waits != nil {
				return &Stuck{waits}
			}
		}
	}
}

// stuck lists what the sections wait for if none of them can go on. States only
// grow: what two looks in a row agree on was so all at once in between.
func (r *run) stuck() []Waiter {
	now := r.states()
	if !slices.Equal(now, r.states()) {
		return nil
	}
	var waits []Waiter
	for i, s := range r.sections {
		place, at := int(now[i]/stateCount), now[i]%stateCount
		if place == len(s.steps) {
			continue
		}
		if at != waiting {
			return nil
		}
		x := &s.steps[place]
		var closed []string
		for _, g := range x.gates {
			if !g.opens(now) {
				closed = append(closed, g.String())
			}
		}
		if closed == nil {
			return nil
		}
		waits = append(waits, Waiter{s.id, x.ID, x.Command, strings.Join(closed, " and ")})
	}
	return waits
}

func (r *run) states() []int64 {
	all := make([]int64, len(r.sections))
	for i, s := range r.sections {
		all[i] = s.state.Load()
	}
	return all
}

// opens says whether a gate is open, or opens without anything else to happen,
// when all sections that have not ended wait.
func (g *gate) opens(states []int64) bool {
	if g.opener == nil {
		return false
	}
	least := int64(g.opener.place)*stateCount + waiting
	if !g.early {
		least = int64(g.opener.place+1) * stateCount
	}
	return states[g.opener.section] >= least
}

func (g *gate) String() string {
	if g.opener == nil {
		return g.what + ", which nothing brings about"
	}
	return fmt.Sprintf("%s, which command %s brings about", g.what, g.opener.Command)
}
