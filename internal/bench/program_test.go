package bench

import (
	"testing"

	"plancheck/ir"
	"plancheck/rules"
)

// Programs are what they are said to be: legal, but for the races.
func TestPrograms(t *testing.T) {
	set, ds := rules.Load([]string{rules.Builtin})
	if set == nil {
		t.Fatal(ds)
	}
	const commands = 3000
	// 23 microbatches, the first and every eighth of which is copied too early in
	// each of 31 stages.
	want := map[string]int{"races": 3 * 31}
	for _, kind := range Programs() {
		p, err := Program(kind, commands)
		if err != nil {
			t.Fatal(err)
		}
		if ds := ir.Validate(p); ds != nil {
			t.Fatalf("%s: %s", kind, ds[0].Message)
		}
		if n := len(p.Program.Commands); n < commands*4/5 || n > commands*6/5 {
			t.Errorf("%s has %d commands, not about %d", kind, n, commands)
		}
		v, err := set.Judge(t.Context(), p, rules.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if len(v.Findings) != want[kind] {
			t.Errorf("%s has %d findings, not %d", kind, len(v.Findings), want[kind])
		}
		for _, f := range v.Findings {
			if f.Code != "data-race" {
				t.Errorf("%s: %s", kind, f.Message)
			}
		}
	}
	if _, err := Program("other", 10); err == nil {
		t.Error("a program of an unknown kind was made")
	}
}
