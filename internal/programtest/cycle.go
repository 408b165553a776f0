package programtest

import (
	"fmt"
	"slices"
	"strings"
)

// manner is what kind of steps a walk along waits has taken.
type manner struct {
	tokens  int  // steps by a token, counted up to 2
	through bool // by a channel or a meeting
	beyond  bool // by anything but a dependency
	last    bool // the last one by a meeting, behind which comes no other
}

func (m manner) with(why reason) manner {
	m.last = why == byMeeting
	m.beyond = m.beyond || why != byDependency
	m.through = m.through || why == byMessage || why == bySpace || why == byMeeting
	if why == byToken {
		m.tokens = min(m.tokens+1, 2)
	}
	return m
}

// code is that of the finding about a cycle of these steps.
func (m manner) code(length int) string {
	switch {
	case !m.beyond && length == 1:
		return "dag-self-dependency"
	case !m.beyond:
		return "dag-cycle"
	case m.tokens == 1 && !m.through:
		return "token-wait-before-signal"
	}
	return "schedule-deadlock"
}

// deadlock tells how commands wait for each other: by the smallest cycle. Where
// several are as small and differ in code, the code of the fault is all of them.
func (o *Order) deadlock() Fault {
	steps := o.steps()
	least, on, codes := 0, []int{}, []string{}
	for start := range steps {
		length, found := o.round(steps, start)
		switch {
		case length == 0 || least > 0 && length > least:
			continue
		case length < least || least == 0:
			least, on, codes = length, nil, nil
		}
		on = append(on, start)
		codes = append(codes, found...)
	}
	slices.Sort(codes)
	f := Fault{Code: strings.Join(slices.Compact(codes), "|")}
	switch f.Code {
	case "schedule-deadlock":
		f.Places = []string{commandAt(on[0])}
	case "token-wait-before-signal":
		for _, i := range on {
			c := &o.Program.Commands[i]
			for k, t := range c.Waits {
				if slices.ContainsFunc(on, func(s int) bool { return slices.Contains(o.Program.Commands[s].Signals, t) }) {
					f.Places = append(f.Places, fmt.Sprintf("%s/waits/%d", commandAt(i), k))
				}
			}
		}
	default:
		for k, a := range o.Program.Commands[on[0]].After {
			if slices.Contains(on, o.index[a]) {
				f.Places = append(f.Places, fmt.Sprintf("%s/after/%d", commandAt(on[0]), k))
			}
		}
	}
	return f
}

// steps are all the commands that each command waits for: on its queue not only
// the one before it.
func (o *Order) steps() [][]wait {
	steps := make([][]wait, len(o.waits))
	for i, ws := range o.waits {
		for _, w := range ws {
			steps[i] = append(steps[i], w)
			if w.why == byQueue {
				for _, earlier := range steps[w.on] {
					if earlier.why == byQueue {
						steps[i] = append(steps[i], earlier)
					}
				}
			}
		}
	}
	for i, e := range o.event {
		for _, m := range o.mates[e] {
			if m != i {
				steps[i] = append(steps[i], wait{m, byMeeting})
			}
		}
	}
	return steps
}

// round returns the length of a smallest cycle through a command, 0 where there is
// none, and the codes of the cycles of this length.
func (o *Order) round(steps [][]wait, start int) (length int, codes []string) {
	type state struct {
		at    int
		how   manner
		first bool // the first step was by a meeting
	}
	level := []state{{at: start}}
	seen := map[state]bool{}
	for length = 1; len(level) > 0; length++ {
		var next []state
		for _, s := range level {
			for _, w := range steps[s.at] {
				if w.why == byMeeting && (s.how.last || w.on == start && s.first) {
					continue
				}
				t := state{w.on, s.how.with(w.why), s.first || length == 1 && w.why == byMeeting}
				if w.on == start {
					codes = append(codes, t.how.code(length))
				} else if !seen[t] {
					seen[t] = true
					next = append(next, t)
				}
			}
		}
		if codes != nil {
			return length, codes
		}
		level = next
	}
	return 0, nil
}
