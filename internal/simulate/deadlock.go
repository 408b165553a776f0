package simulate

import "slices"

// reasons say edges in sentences.
var reasons = [...]string{
	Dependency: "depends on", Queue: "is behind", Token: "waits for a token of", Message: "waits for the message of",
	Space: "waits for a place from", Buffer: "reads what is written by",
}

// together is what a command does that waits with another one.
const together = "completes only together with"

// deadlock walks from the first command that is left along what each waits for
// until one comes again, or waits for what never comes.
func (s *state) deadlock() *Deadlock {
	waits := make([][]edge, len(s.Commands)) // those that are not satisfied
	for _, w := range s.waits {
		if !s.done[s.unit[w.on]] {
			waits[w.command] = append(waits[w.command], w)
		}
	}
	c := int32(0)
	for s.done[s.unit[c]] {
		c++
	}
	type step struct {
		command, to int32
		why         string
	}
	var steps []step
	at := map[int32]int{} // the step that a command takes
	for {
		if first, again := at[c]; again {
			steps = steps[first:]
			break
		}
		at[c] = len(steps)
		to, why := s.stuckOn(c, waits)
		if to == c && why == together {
			for _, mate := range s.mates(s.unit[c]) {
				if _, reason := s.stuckOn(mate, waits); reason != together {
					to, why = mate, together
					break
				}
			}
		}
		steps = append(steps, step{c, to, why})
		if to < 0 {
			break
		}
		c = to
	}
	first := 0
	for i, x := range steps {
		if x.command < steps[first].command {
			first = i
		}
	}
	d := &Deadlock{Left: s.left, First: steps[first].command}
	for u := range s.begun {
		d.Begun = d.Begun || s.begun[u] && !s.done[u]
	}
	if steps[len(steps)-1].to >= 0 { // a cycle
		steps = append(slices.Clone(steps[first:]), steps[:first]...)
	}
	for _, x := range steps {
		stuck := Stuck{Command: s.name(x.command), Why: x.why}
		if x.to >= 0 {
			stuck.For = s.name(x.to)
		}
		d.Steps = append(d.Steps, stuck)
	}
	return d
}

// stuckOn returns what a command waits for that has not come: another command,
// itself where only those keep it that it completes with, or -1.
func (s *state) stuckOn(c int32, waits [][]edge) (on int32, why string) {
	if never := s.never[c]; never != "" {
		return -1, never
	}
	if len(waits[c]) > 0 {
		return waits[c][0].on, reasons[waits[c][0].why]
	}
	for _, id := range s.Commands[c].Reads {
		b := s.buffers[id]
		if s.memory.valid[b] {
			continue
		}
		for i := range s.Commands {
			if slices.Contains(s.Commands[i].Writes, id) && !s.done[s.unit[i]] {
				return int32(i), reasons[Buffer]
			}
		}
		return -1, "reads buffer " + s.text(id) + ", which nothing writes"
	}
	return c, together
}
