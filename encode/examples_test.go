package encode_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/encode"
	"plancheck/internal/example"
	"plancheck/ir"
)

// Plans of real networks: complete ones decide a legal schedule that costs what
// the rules derive, and those with holes have no reason to be hopeless.
func TestExamples(t *testing.T) {
	set := builtin(t)
	for _, name := range example.Names() {
		p, err := example.Build(name, example.Complete)
		if err != nil {
			t.Fatal(err)
		}
		m, ds := encode.New(p, encode.Options{ForwardCycles: ir.None})
		if len(ds)+len(m.Hopeless) > 0 {
			t.Fatalf("%s: %v %v", name, placed(ds), placed(m.Hopeless))
		}
		got, err := m.Problem.Cost(pinned(t, m.Problem))
		if diff := cmp.Diff(derived(t, set, p, had(p)), got); diff != "" || err != nil {
			t.Errorf("%s: costs (-rules +schedule): %v\n%s", name, err, diff)
		}

		if p, err = example.Build(name, example.Holes); err != nil {
			t.Fatal(err)
		}
		m, ds = encode.New(p, encode.Options{Forward: true, ForwardCycles: 100})
		if len(ds)+len(m.Hopeless) > 0 {
			t.Fatalf("%s with holes: %v %v", name, placed(ds), placed(m.Hopeless))
		}
		if err := m.Problem.Check(); err != nil {
			t.Errorf("%s with holes: %v", name, err)
		}
	}
}
