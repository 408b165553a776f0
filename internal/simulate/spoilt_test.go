package simulate

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"plancheck/ir/levels"
	"plancheck/ir/timeline"
)

// spoiling is a way to make a timeline wrong; it says whether it could.
type spoiling struct {
	name  string
	spoil func(t *rapid.T, b *timeline.Bundle) bool
}

func spoilings() []spoiling {
	interval := func(t *rapid.T, b *timeline.Bundle) *timeline.Interval {
		return &b.Intervals[rapid.IntRange(0, len(b.Intervals)-1).Draw(t, "interval")]
	}
	return []spoiling{
		{"another plan", func(t *rapid.T, b *timeline.Bundle) bool { b.Parents[0].Digest = "sha256:0"; return true }},
		{"other evidence", func(t *rapid.T, b *timeline.Bundle) bool { b.Evidence = "sha256:0"; return true }},
		{"another makespan", func(t *rapid.T, b *timeline.Bundle) bool { b.Makespan++; return true }},
		{"a command that takes longer", func(t *rapid.T, b *timeline.Bundle) bool {
			x := interval(t, b)
			x.End += 100 // longer than what it may meet takes
			return true
		}},
		{"a command that starts early", func(t *rapid.T, b *timeline.Bundle) bool {
			// Only those of the critical path behind the first are known to wait.
			if len(b.Path) < 2 {
				return false
			}
			step := b.Path[rapid.IntRange(1, len(b.Path)-1).Draw(t, "step")]
			x := &b.Intervals[slices.IndexFunc(b.Intervals, func(x timeline.Interval) bool { return x.Command == step.Command })]
			if x.Start == 0 {
				return false
			}
			x.Start, x.End = x.Start-1, x.End-1
			return true
		}},
		{"no interval", func(t *rapid.T, b *timeline.Bundle) bool {
			x := *interval(t, b)
			b.Intervals = slices.DeleteFunc(b.Intervals, func(y timeline.Interval) bool { return y.Command == x.Command })
			for i := range b.Resources {
				b.Resources[i].Commands = slices.DeleteFunc(b.Resources[i].Commands, func(c string) bool { return c == x.Command })
			}
			return true
		}},
		{"a command of nobody", func(t *rapid.T, b *timeline.Bundle) bool {
			b.Intervals = append(b.Intervals, timeline.Interval{Command: "nobody"})
			return true
		}},
		{"no cost", func(t *rapid.T, b *timeline.Bundle) bool {
			x := interval(t, b)
			there := x.Cost != "" && x.End > x.Start
			x.Cost = ""
			return there
		}},
		{"more slack", func(t *rapid.T, b *timeline.Bundle) bool { interval(t, b).Slack++; return true }},
		{"a busy resource", func(t *rapid.T, b *timeline.Bundle) bool { b.Resources[0].Busy++; return true }},
		{"no turn", func(t *rapid.T, b *timeline.Bundle) bool {
			for i := range b.Resources {
				if all := b.Resources[i].Commands; len(all) > 0 {
					b.Resources[i].Commands = all[:len(all)-1]
					return true
				}
			}
			return false
		}},
		{"a shorter critical path", func(t *rapid.T, b *timeline.Bundle) bool {
			if b.Makespan == 0 {
				return false
			}
			b.Path = b.Path[:0]
			return true
		}},
		{"a critical path by another edge", func(t *rapid.T, b *timeline.Bundle) bool {
			s := &b.Path[rapid.IntRange(0, len(b.Path)-1).Draw(t, "step")]
			s.Edge = map[bool]string{true: "start", false: "queue"}[s.Edge != "start"]
			return true
		}},
		{"too much memory", func(t *rapid.T, b *timeline.Bundle) bool { b.Peaks[0].Bytes = 101; return true }},
		{"no memory", func(t *rapid.T, b *timeline.Bundle) bool { b.Peaks = nil; return true }},
		{"an event at another time", func(t *rapid.T, b *timeline.Bundle) bool {
			e := &b.Events[rapid.IntRange(0, len(b.Events)-1).Draw(t, "event")]
			e.Time += 1000
			return true
		}},
	}
}

// A timeline of a program without races that is spoilt breaks its rules.
func TestSpoiltTimelinesBreakTheirRules(t *testing.T) {
	s := timelineRules(t)
	all, spoilt := spoilings(), 0
	rapid.Check(t, func(t *rapid.T) {
		in := randomInput(t, false)
		b := bundle(t, in)
		if b == nil || len(b.Intervals) == 0 {
			return
		}
		x := rapid.SampledFrom(all).Draw(t, "spoiling")
		before := levels.Encode(b)
		if !x.spoil(t, b) {
			return
		}
		spoilt++
		if len(judged(t, s, in.Plan, b)) == 0 {
			t.Fatalf("%s is not found:\n%s\n%s", x.name, before, levels.Encode(b))
		}
	})
	if spoilt == 0 {
		t.Error("nothing was spoilt")
	}
}
