package example

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/diag"
	"plancheck/ir"
	"plancheck/rules"
)

// judged writes a plan down, reads it again and returns the codes of all
// findings, warnings too, in the order of the document.
func judged(t *testing.T, p *ir.Plan, o rules.Options) []string {
	t.Helper()
	set, ds := rules.Load([]string{"builtin"})
	if len(ds) > 0 {
		t.Fatal(ds)
	}
	read, ds := ir.DecodePlan(diag.NewSource("plan.json", ir.Encode(p)))
	if read == nil {
		t.Fatal(ds)
	}
	v, err := set.Judge(context.Background(), read, o)
	if err != nil {
		t.Fatal(err)
	}
	var codes []string
	for _, f := range v.Findings {
		codes = append(codes, f.Code)
	}
	return codes
}

func count(codes []string) map[string]int {
	n := map[string]int{}
	for _, c := range codes {
		n[c]++
	}
	return n
}

func TestCompletePlansAreLegal(t *testing.T) {
	for _, name := range Names() {
		p, err := Build(name, Complete)
		if err != nil {
			t.Fatal(err)
		}
		if codes := judged(t, p, rules.Options{}); len(codes) > 0 {
			t.Errorf("%s: %v", name, codes)
		}
	}
}

// What holes leave open is all that is wrong with them.
func TestHolesAreOnlyHoles(t *testing.T) {
	for _, name := range Names() {
		p, err := Build(name, Holes)
		if err != nil {
			t.Fatal(err)
		}
		if codes := judged(t, p, rules.Options{Partial: true}); len(codes) > 0 {
			t.Errorf("%s: %v", name, codes)
		}
		// An op that has neither stage nor core, or no core; a stage without a
		// range; the placement.
		want := map[string]int{
			"instance-without-core-or-stage": len(p.Graph.Ops),
			"stage-without-cores":            len(p.Stages),
			"placement-not-permutation":      1,
		}
		if d := cmp.Diff(want, count(judged(t, p, rules.Options{}))); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

func TestFaultyPlansHaveTheirFaults(t *testing.T) {
	for _, name := range Names() {
		faults, err := Faults(name)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]int{}
		for _, f := range faults {
			want[f.Code]++
		}
		if len(want) != 5 {
			t.Errorf("%s has %d kinds of faults, want 5: %v", name, len(want), faults)
		}
		p, err := Build(name, Faulty)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, count(judged(t, p, rules.Options{}))); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// The plan's interval, as the rules derive it, is that of its packing.
func TestIntervals(t *testing.T) {
	set, ds := rules.Load([]string{"builtin"})
	if len(ds) > 0 {
		t.Fatal(ds)
	}
	type costs struct{ Interval, Forwards int64 }
	got := map[string]costs{}
	for _, m := range models() {
		p, err := m.complete()
		if err != nil {
			t.Fatal(err)
		}
		derived, err := set.Costs(context.Background(), p, rules.Options{}.Limits)
		if err != nil {
			t.Fatal(err)
		}
		byName := map[string]int64{}
		for _, c := range derived {
			if !c.Known {
				t.Errorf("%s: %s is not known", m.name, c.Name)
			}
			byName[c.Name] = c.Value
		}
		got[m.name] = costs{byName["interval"], byName["forwards"]}
	}
	want := map[string]costs{
		"resnet50":  {360_640, 0},
		"bert-base": {669_700, 4},
		"gpt2":      {6_654_720, 0},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}
