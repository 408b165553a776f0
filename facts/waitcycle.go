package facts

import "slices"

// waitSearch looks for a smallest cycle of commands that wait for each other.
//
// It goes through three states of a command: that it completes, that it begins,
// and that all before it on its queue complete. A command that completes needs to
// begin, and each of its mates to begin; one that begins needs what it waits for
// to complete, and all before it on its queue. Only from one command to another
// is a step: however far ahead on a queue a command is that does not complete,
// those behind it wait for it.
type waitSearch struct {
	waits *waits
	stuck []bool
	seen  []int32 // by state: the round in which it was reached
	from  []int32 // the state that it was reached from
	round int32
	steps int // that may still be taken
}

const (
	completes = iota
	begins
	ahead // all before it on its queue complete
	states
)

// waitStep says that a command waits for another one.
type waitStep struct {
	command, on int32
	why         why
}

// smallestWait returns a smallest cycle, beginning at its first command in the
// document. It is nil where all commands have ranks.
func (s *waits) smallestWait(ranks []int64) []waitStep {
	stuck := s.stuck(ranks)
	search := &waitSearch{
		waits: s, stuck: stuck, steps: cycleSteps,
		seen: make([]int32, states*len(stuck)), from: make([]int32, states*len(stuck)),
	}
	var best []waitStep
	for i, is := range stuck {
		if !is || search.steps <= 0 && best != nil {
			continue
		}
		if c := search.through(int32(i), len(best)); c != nil {
			best = c
		}
	}
	// A search begins with a command that completes. A cycle through one that only
	// begins, because what meets it waits, is found from another of its commands.
	first := 0
	for i, step := range best {
		if step.command < best[first].command {
			first = i
		}
	}
	return slices.Concat(best[first:], best[:first])
}

// stuck marks the commands without a rank that others without a rank wait for,
// again and again: those that cycles can go through.
func (s *waits) stuck(ranks []int64) []bool {
	n := len(ranks)
	stuck := make([]bool, n)
	waited := make([]int32, n) // by how many stuck commands
	each := func(i int32, visit func(on int32)) {
		for _, w := range s.of(i) {
			visit(w.on)
		}
		if s.before[i] >= 0 {
			visit(s.before[i])
		}
		for _, m := range s.mates(i) {
			if m != i {
				visit(m)
			}
		}
	}
	for i := range int32(n) {
		if stuck[i] = ranks[i] == unranked; stuck[i] {
			each(i, func(on int32) { waited[on]++ })
		}
	}
	var idle []int32
	for i := range int32(n) {
		if stuck[i] && waited[i] == 0 {
			idle = append(idle, i)
		}
	}
	for len(idle) > 0 {
		i := idle[len(idle)-1]
		idle = idle[:len(idle)-1]
		stuck[i] = false
		each(i, func(on int32) {
			if waited[on]--; waited[on] == 0 && stuck[on] {
				idle = append(idle, on)
			}
		})
	}
	return stuck
}

// through returns a smallest cycle through a command, if it is shorter than the
// given length (0 for any).
func (s *waitSearch) through(start int32, shorter int) []waitStep {
	s.round++
	level := []int32{states*start + completes}
	s.seen[level[0]] = s.round
	for depth := 0; len(level) > 0 && (shorter == 0 || depth+1 < shorter); depth++ {
		var next []int32
		for k := 0; k < len(level); k++ {
			at := level[k]
			found := s.needs(at, func(to int32, step bool) bool {
				if s.steps--; step && to == states*start+completes {
					return true
				}
				if s.seen[to] == s.round {
					return false
				}
				s.seen[to], s.from[to] = s.round, at
				if step {
					next = append(next, to)
				} else {
					level = append(level, to)
				}
				return false
			})
			if found {
				return s.cycle(at, start)
			}
			if s.steps <= 0 && shorter > 0 {
				return nil
			}
		}
		level = next
	}
	return nil
}

// needs goes through the states that a state needs, and says whether one of them
// is a step to another command, until visit says that it is the last.
func (s *waitSearch) needs(at int32, visit func(to int32, step bool) bool) bool {
	i, w := at/states, s.waits
	need := func(on, state int32, step bool) bool { return s.stuck[on] && visit(states*on+state, step) }
	before := w.before[i]
	switch at % states {
	case completes:
		if need(i, begins, false) {
			return true
		}
		for _, m := range w.mates(i) {
			if m != i && need(m, begins, true) {
				return true
			}
		}
	case begins:
		for _, on := range w.of(i) {
			if need(on.on, completes, true) {
				return true
			}
		}
		return need(i, ahead, false)
	case ahead:
		if before >= 0 {
			return need(before, completes, true) || need(before, ahead, false)
		}
	}
	return false
}

// cycle reads the way back from the last state to the start.
func (s *waitSearch) cycle(last, start int32) []waitStep {
	var steps []waitStep
	to := states*start + completes
	for at := last; ; at = s.from[to] {
		begun := at
		for begun%states == ahead {
			begun = s.from[begun]
		}
		i := begun / states // the command that takes the step
		steps = append(steps, waitStep{i, to / states, s.why(i, at, to/states)})
		if to = begun; to%states == begins && s.from[to]/states == i {
			to = s.from[to]
		}
		if to == states*start+completes {
			slices.Reverse(steps)
			return steps
		}
	}
}

// why returns the reason for which a command waits for another one, given the
// state that needed it.
func (s *waitSearch) why(i, at, on int32) why {
	switch at % states {
	case completes:
		return meeting
	case ahead:
		return queued
	}
	for _, w := range s.waits.of(i) {
		if w.on == on {
			return w.why
		}
	}
	return queued // never: the state was reached by one of these
}

func (e *exporter) waitCycle(w *writer) {
	if e.waitSteps == nil {
		ranks, _ := e.commandOrder()
		e.waitSteps = append([]waitStep{}, e.waits().smallestWait(ranks)...)
	}
	commands := e.program().Commands
	for n, step := range e.waitSteps {
		c := &commands[step.command]
		w.row(c.At, e.num(int64(n)), c.ID, commands[step.on].ID, e.plan.Symbols.String(reasons[step.why]))
	}
}
