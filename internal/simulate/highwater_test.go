package simulate

import (
	"testing"

	"pgregory.net/rapid"

	"plancheck/facts"
	"plancheck/rules"
)

// Where no command that uses buffers writes one in place or takes no time, a high
// water is right to the byte or is found.
func TestHighWatersAreExact(t *testing.T) {
	s := timelineRules(t)
	exact := 0
	rapid.Check(t, func(t *rapid.T) {
		in := randomInput(t, false)
		b := bundle(t, in)
		if b == nil {
			return
		}
		for i := range in.Plan.Program.Commands {
			c := &in.Plan.Program.Commands[i]
			uses := len(c.Reads)+len(c.Writes) > 0
			for j := range in.Plan.Program.Buffers {
				uses = uses || in.Plan.Program.Buffers[j].FreedBy == c.ID
			}
			if x := b.Intervals[i]; len(c.InPlace) > 0 || uses && x.Start == x.End {
				return
			}
		}
		exact++
		peak := &b.Peaks[rapid.IntRange(0, len(b.Peaks)-1).Draw(t, "region")]
		for _, by := range []int64{1, -1} {
			if peak.Bytes += by; peak.Bytes < 0 {
				continue
			}
			v, err := s.JudgeDocument(t.Context(), facts.OfLevel(b, nil), rules.Options{Parent: facts.OfPlan(in.Plan)})
			if err != nil {
				t.Fatal(err)
			}
			if len(v.Findings) != 1 {
				t.Fatalf("%d bytes of %s instead of %d: %v", peak.Bytes, peak.Region, peak.Bytes-by, v.Findings)
			}
			peak.Bytes -= by
		}
	})
	if exact < 5 {
		t.Errorf("only %d timelines have exact high waters", exact)
	}
}
