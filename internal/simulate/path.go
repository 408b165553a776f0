package simulate

import "slices"

// result gathers what has happened.
func (s *state) result() *Result {
	r := &Result{Intervals: make([]Interval, len(s.Commands)), Peaks: s.memory.peaks, Events: s.events}
	for c := range s.Commands {
		u := s.unit[c]
		r.Intervals[c] = Interval{Ready: s.ready[u], Start: s.start[u], End: s.end[u]}
		r.Makespan = max(r.Makespan, s.end[u])
	}
	slack := s.slacks(r.Makespan)
	for c := range s.Commands {
		r.Intervals[c].Slack = slack[s.unit[c]]
	}
	for _, sequence := range s.sequences {
		use := Resource{Commands: sequence}
		last := int32(-1)
		for _, c := range sequence {
			if u := s.unit[c]; u != last { // those that meet on one resource occupy it once
				use.Busy += s.end[u] - s.start[u]
				last = u
			}
		}
		r.Resources = append(r.Resources, use)
	}
	r.Carriers = s.carriers()
	r.Path = s.path(r.Makespan)
	return r
}

// path walks back from a command that ends last along what bound each.
func (s *state) path(makespan int64) []Step {
	last := int32(-1)
	for c := range s.Commands {
		if i := int32(c); s.end[s.unit[i]] == makespan && (last < 0 || s.idRank[i] < s.idRank[last]) {
			last = i
		}
	}
	var steps []Step
	for c, why := last, Start; c >= 0; {
		if len(steps) == 0 || s.completes(c, steps[len(steps)-1].Command, why) {
			c = s.decisive(c)
		}
		b := s.bound[s.unit[c]]
		steps = append(steps, Step{c, b.why})
		c, why = b.on, b.why
	}
	slices.Reverse(steps)
	return steps
}

// slacks returns how much later each unit could begin. Nothing is moved past
// another command of its resource.
func (s *state) slacks(makespan int64) []int64 {
	over := s.overs()
	latest := make([]int64, len(s.start)) // when the unit must be over
	for u := range latest {
		latest[u] = makespan
	}
	next := make([]int32, len(s.Commands)) // on the resource; -1 for none
	for c := range next {
		next[c] = -1
	}
	for _, sequence := range s.sequences {
		for i := 1; i < len(sequence); i++ {
			next[sequence[i-1]] = sequence[i]
		}
	}
	begin := func(c int32) int64 { // latest
		u := s.unit[c]
		return latest[u] - (over[u] - s.start[u])
	}
	pass := func() {
		for _, u := range slices.Backward(s.order) {
			for _, c := range s.mates(u) {
				for _, f := range s.followers.of(c) {
					latest[u] = min(latest[u], begin(f))
				}
				for _, f := range s.memory.filledBy(c) {
					latest[u] = min(latest[u], begin(f))
				}
				if f := next[c]; f >= 0 && s.unit[f] != u {
					latest[u] = min(latest[u], begin(f))
				}
			}
			if s.chip == nil {
				continue
			}
			if recv, there := s.listeners[s.units.of(u)[0]]; there {
				latest[u] = min(latest[u], begin(recv))
			}
		}
	}
	// A link may be left to a command that began before, so that what that allows is
	// not known in one pass.
	for pass(); s.narrow(latest, over); {
		pass()
	}
	for u := range latest {
		latest[u] -= over[u]
	}
	return latest
}
