package simulate

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"plancheck/facts"
	"plancheck/internal/diag"
	"plancheck/ir"
	"plancheck/ir/levels"
	"plancheck/ir/timeline"
	"plancheck/rules"
)

// timelineRules are those of timelines.
func timelineRules(t *testing.T) *rules.Set {
	t.Helper()
	s, _ := rules.LoadFor(timeline.Schema, nil)
	if s == nil {
		t.Fatal("the rules cannot be loaded")
	}
	return s
}

// played is what happens on a chip, and the timeline of it.
func played(t *rapid.T, plan *ir.Plan, costs *Costs) (*Result, *timeline.Bundle) {
	r, err := Run(Input{Plan: plan, Durations: costs.Durations})
	if err != nil {
		t.Fatalf("%v\n%s", err, ir.Encode(plan))
	}
	b := Bundle(plan, costs, r)
	AddEvents(b, plan, r)
	return r, b
}

// judged are the findings about a timeline beside its plan.
func judged(t *rapid.T, s *rules.Set, plan *ir.Plan, b *timeline.Bundle) []diag.Diagnostic {
	v, err := s.JudgeDocument(t.Context(), facts.OfLevel(b, nil), rules.Options{Parent: facts.OfPlan(plan)})
	if err != nil {
		t.Fatal(err)
	}
	return v.Findings
}

// A plan for a chip that keeps the rules runs as it says, to the picosecond: no
// command misses its slot, and the timeline passes its rules.
func TestLegalChipsRunAsTheySay(t *testing.T) {
	plans, _ := rules.Load([]string{"builtin:concrete", "builtin:spatial"})
	if plans == nil {
		t.Fatal("the rules cannot be loaded")
	}
	s := timelineRules(t)
	seen := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		plan, want := legalChip(t)
		if plan == nil {
			seen["dead"]++
			return
		}
		if ds := ir.Validate(plan); ds != nil {
			t.Fatal(ds[0].Message)
		}
		v, err := plans.Judge(t.Context(), plan, rules.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range v.Findings {
			if strings.HasPrefix(f.Code, "slot-") || strings.HasPrefix(f.Code, "route-") || strings.HasPrefix(f.Code, "link-") {
				t.Fatalf("%s: %s\n%s", f.Code, f.Message, ir.Encode(plan))
			}
		}
		costs, err := FromPlan(plan)
		if err != nil {
			t.Fatal(err)
		}
		r, b := played(t, plan, costs)
		var got []string
		for c, x := range r.Intervals {
			got = append(got, fmt.Sprintf("%s %d-%d", plan.Text(plan.Program.Commands[c].ID), x.Start, x.End))
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Fatalf("(-want +got):\n%s\n%s", diff, ir.Encode(plan))
		}
		for _, f := range judged(t, s, plan, b) {
			t.Fatalf("%s: %s\n%s\n%s", f.Code, f.Message, ir.Encode(plan), levels.Encode(b))
		}
		seen["played"]++
		for _, step := range b.Path {
			seen[step.Edge]++
		}
	})
	if !testing.Short() {
		for _, what := range []string{"played", "slot", "dependency"} {
			if seen[what] == 0 {
				t.Errorf("%s was never seen: %v", what, seen)
			}
		}
	}
}

// A chip on which some commands take longer runs late, in the same bytes every
// time; the timeline passes its rules, which tell who missed its slot first.
func TestLateChips(t *testing.T) {
	s := timelineRules(t)
	seen := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		plan, _ := legalChip(t)
		if plan == nil {
			return
		}
		costs, err := FromPlan(plan)
		if err != nil {
			t.Fatal(err)
		}
		inTime, _ := played(t, plan, costs)
		table := &Table{Schema: TableSchema}
		for c, takes := range costs.Durations {
			if rapid.IntRange(0, 3).Draw(t, "late") == 0 && takes > 0 {
				takes += picoseconds(rapid.IntRange(1, 20).Draw(t, "by"))
			}
			table.Durations = append(table.Durations, Duration{Command: plan.Text(plan.Program.Commands[c].ID), Picoseconds: takes})
		}
		if costs, err = FromTable(plan, table); err != nil {
			t.Fatal(err)
		}
		r, b := played(t, plan, costs)
		if _, again := played(t, plan, costs); string(levels.Encode(again)) != string(levels.Encode(b)) {
			t.Fatalf("another run has other bytes:\n%s\n%s", levels.Encode(b), levels.Encode(again))
		}
		late := false
		for c, x := range inTime.Intervals {
			slotted := slices.ContainsFunc(plan.Program.Extension.Spatial.Slots, func(s ir.Slot) bool { return s.Command == plan.Program.Commands[c].ID })
			late = late || slotted && x.Start < r.Intervals[c].Start
			if slotted && r.Intervals[c].Start < x.Start {
				t.Fatalf("%s begins before its cycle", b.Intervals[c].Command)
			}
		}
		missed := false
		for _, f := range judged(t, s, plan, b) {
			if f.Code != "slot-missed" {
				t.Fatalf("%s: %s\n%s\n%s", f.Code, f.Message, ir.Encode(plan), levels.Encode(b))
			}
			missed = true
		}
		if missed != late {
			t.Fatalf("late is %v, but slots are missed: %v\n%s\n%s", late, missed, ir.Encode(plan), levels.Encode(b))
		}
		seen[fmt.Sprint("late ", late)]++
		for _, step := range b.Path {
			seen[step.Edge]++
		}
	})
	if !testing.Short() {
		for _, what := range []string{"late true", "late false", "slot", "dependency"} {
			if seen[what] == 0 {
				t.Errorf("%s was never seen: %v", what, seen)
			}
		}
	}
}

// Plans for chips that break rules are played too: their timelines pass the rules of
// timelines.
func TestIllegalChipsArePlayed(t *testing.T) {
	s := timelineRules(t)
	count := 0
	rapid.Check(t, func(t *rapid.T) {
		plan, _ := legalChip(t)
		if plan == nil {
			return
		}
		x := plan.Program.Extension.Spatial
		for i := range x.Slots {
			x.Slots[i].Cycle = max(0, x.Slots[i].Cycle+rapid.Int64Range(-3, 3).Draw(t, "cycle"))
			x.Slots[i].Slot = rapid.Int64Range(0, 1).Draw(t, "slot")
		}
		for i := range x.Routes {
			first := &x.Routes[i].Hops[0]
			first.Depart = max(0, first.Depart+rapid.Int64Range(-3, 3).Draw(t, "depart"))
		}
		n := len(plan.Program.Commands)
		table := &Table{Schema: TableSchema}
		for i := range n {
			d := Duration{Command: plan.Text(plan.Program.Commands[i].ID)}
			if !timeless(plan.Program.Commands[i].Kind) {
				d.Picoseconds = picoseconds(rapid.IntRange(0, 9).Draw(t, "takes"))
			}
			table.Durations = append(table.Durations, d)
		}
		costs, err := FromTable(plan, table)
		if err != nil {
			t.Fatal(err)
		}
		_, b := played(t, plan, costs)
		count++
		for _, f := range judged(t, s, plan, b) {
			if f.Code != "slot-missed" {
				t.Fatalf("%s: %s\n%s\n%s", f.Code, f.Message, ir.Encode(plan), levels.Encode(b))
			}
		}
	})
	if count == 0 {
		t.Error("nothing was played")
	}
}

// A timeline of a chip that is spoilt breaks its rules.
func TestSpoiltTimelinesOfChips(t *testing.T) {
	s := timelineRules(t)
	pick := func(t *rapid.T, n int) int { return rapid.IntRange(0, n-1).Draw(t, "place") }
	all := []spoiling{
		{"a payload at another time", func(t *rapid.T, b *timeline.Bundle) bool {
			if len(b.Links) == 0 {
				return false
			}
			b.Links[pick(t, len(b.Links))].Payloads[0].Start++
			return true
		}},
		{"no payload", func(t *rapid.T, b *timeline.Bundle) bool {
			if len(b.Links) == 0 {
				return false
			}
			l := &b.Links[pick(t, len(b.Links))]
			l.Payloads = l.Payloads[1:]
			return true
		}},
		{"an issue for longer", func(t *rapid.T, b *timeline.Bundle) bool {
			if len(b.Units) == 0 {
				return false
			}
			b.Units[pick(t, len(b.Units))].Issues[0].End++
			return true
		}},
		{"an issue in another slot", func(t *rapid.T, b *timeline.Bundle) bool {
			if len(b.Units) == 0 {
				return false
			}
			b.Units[pick(t, len(b.Units))].Issues[0].Slot++
			return true
		}},
		{"no unit", func(t *rapid.T, b *timeline.Bundle) bool {
			there := len(b.Units) > 0
			b.Units = nil
			return there
		}},
		{"a command before its cycle", func(t *rapid.T, b *timeline.Bundle) bool {
			for _, u := range b.Units {
				for _, issue := range u.Issues {
					x := &b.Intervals[slices.IndexFunc(b.Intervals, func(x timeline.Interval) bool { return x.Command == issue.Command })]
					if x.Start > 0 {
						x.Start, x.End = x.Start-1, x.End-1
						return true
					}
				}
			}
			return false
		}},
		{"a path that begins by nothing", func(t *rapid.T, b *timeline.Bundle) bool {
			for i := range b.Intervals {
				if b.Path[0].Edge == "slot" && b.Intervals[i].Start == 0 && b.Intervals[i].Command != b.Path[0].Command {
					b.Path[0].Edge = "start"
					return true
				}
			}
			return false
		}},
		{"a path by a link", func(t *rapid.T, b *timeline.Bundle) bool {
			there := b.Path[len(b.Path)-1].Edge != "link"
			b.Path[len(b.Path)-1].Edge = "link"
			return there
		}},
		{"more slack", func(t *rapid.T, b *timeline.Bundle) bool { b.Intervals[pick(t, len(b.Intervals))].Slack++; return true }},
	}
	count := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		plan, _ := legalChip(t)
		if plan == nil {
			return
		}
		costs, err := FromPlan(plan)
		if err != nil {
			t.Fatal(err)
		}
		_, b := played(t, plan, costs)
		b.Events = nil
		x := rapid.SampledFrom(all).Draw(t, "spoiling")
		before := levels.Encode(b)
		if !x.spoil(t, b) {
			return
		}
		count[x.name]++
		if len(judged(t, s, plan, b)) == 0 {
			t.Fatalf("%s is not found:\n%s\n%s\n%s", x.name, ir.Encode(plan), before, levels.Encode(b))
		}
	})
	if len(count) == 0 {
		t.Error("nothing was spoilt")
	}
}
