package programtest

import (
	"slices"
	"testing"

	"plancheck/ir"
)

// Trying all orders of a generated program shows nothing wrong with it.
func TestPlayLegal(t *testing.T) {
	for seed := range seeds(60, 1500) {
		p := Generate(seed, Small)
		pl := Play(p.Program)
		if races, overlaps := pl.Races(p.Program), pl.Overlaps(p.Program); pl.Stuck || races != nil || overlaps != nil {
			t.Fatalf("seed %d: stuck %v, races %v, overlaps %v\n%s", seed, pl.Stuck, races, overlaps, ir.Encode(p))
		}
	}
}

// Two commands may run at once exactly if closure does not order them, and are
// seen to; also where what orders commands was taken out.
func TestPlayAgreesWithAnalyse(t *testing.T) {
	for seed := range seeds(60, 1500) {
		p := Generate(seed, Small)
		for i := range p.Program.Commands {
			c := &p.Program.Commands[i]
			if i%3 == int(seed%3) {
				c.After, c.Waits = nil, nil
			}
		}
		o, pl := Analyse(p.Program), Play(p.Program)
		if pl.Stuck {
			t.Fatalf("seed %d is stuck\n%s", seed, ir.Encode(p))
		}
		for i := range p.Program.Commands {
			for j := range i {
				a, b := p.Program.Commands[i].ID, p.Program.Commands[j].ID
				if apart := o.apart(i, j); apart != pl.Together[Pair(a, b)] {
					t.Fatalf("seed %d: %s and %s may run at once: %v\n%s", seed, p.Text(a), p.Text(b), apart, ir.Encode(p))
				}
			}
		}
		if overlaps, want := pl.Overlaps(p.Program), countFaults(o, "buffer-overlap"); len(overlaps) != want {
			t.Fatalf("seed %d: %d overlaps, want %d\n%s", seed, len(overlaps), want, ir.Encode(p))
		}
	}
}

func countFaults(o *Order, code string) int {
	return len(slices.DeleteFunc(o.Faults(), func(f Fault) bool { return f.Code != code }))
}
