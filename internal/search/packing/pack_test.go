package packing

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"plancheck/solver"
)

// rounds is how many random problems a test looks at.
func rounds(short, long int) int {
	if testing.Short() {
		return short
	}
	return long
}

// Pack and Fit find what a look at all packings finds.
func TestAgainstBruteForce(t *testing.T) {
	ctx := context.Background()
	r := rand.New(rand.NewPCG(1, 2))
	var infeasible, optimal int
	for round := range rounds(500, 4000) {
		p := randomShape(r).random(r)
		want, ok := bruteForce(p)
		got, err := Pack(ctx, p, Options{Seed: uint64(round)})
		if err != nil {
			t.Fatalf("round %d: %v\n%+v", round, err, p)
		}
		wantStatus := Optimal
		if !ok {
			wantStatus = Infeasible
			infeasible++
		} else {
			optimal++
		}
		if got.Status != wantStatus || ok && (got.Value != want || got.Bound != want) {
			t.Fatalf("round %d: %v with value %d and bound %d by %s, want %v with %d\n%+v",
				round, got.Status, got.Value, got.Bound, got.BoundBy, wantStatus, want, p)
		}
		limits := []int64{-1}
		if ok {
			limits = append(limits, want)
			if want > 0 {
				limits = append(limits, want-1)
			}
		}
		for _, limit := range limits {
			holdFit(t, p, limit, ok && (limit < 0 || limit >= want))
		}
	}
	if least := rounds(500, 4000) / 10; infeasible < least || optimal < least {
		t.Errorf("%d problems with and %d without a packing, want at least %d of each", optimal, infeasible, least)
	}
}

// So do the parts that can prove it, each alone.
func TestEachProofAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for round := range rounds(200, 1500) {
		p := randomShape(r).random(r)
		want, ok := bruteForce(p)
		w, err := compile(p)
		if err != nil {
			t.Fatal(err)
		}
		for name, alone := range map[string]func(*board) part{
			"brancher": func(b *board) part { return newBrancher(w, b) },
			"prober":   func(b *board) part { return newProber(b) },
		} {
			b := newBoard(w, Options{})
			takeTurns(context.Background(), b, []part{alone(b)}, 0)
			got, err := b.result(0)
			if err != nil {
				t.Fatalf("round %d: %s: %v\n%+v", round, name, err, p)
			}
			if ok && (got.Status != Optimal || got.Value != want) || !ok && got.Status != Infeasible {
				t.Fatalf("round %d: %s: %v with value %d, want %d, %v\n%+v", round, name, got.Status, got.Value, want, ok, p)
			}
		}
	}
}

// holdFit holds the answers of Fit and of the formula alone against what is known;
// conflicts against a look at all packings of their items.
func holdFit(t *testing.T, p *Problem, limit int64, want bool) {
	t.Helper()
	ctx := context.Background()
	most := limit
	if limit < 0 {
		most = noLimit
	}
	w, err := compile(p)
	if err != nil {
		t.Fatal(err)
	}
	f, err := encode(w, most)
	if err != nil {
		t.Fatal(err)
	}
	for _, ask := range []func() (solver.Status, []int, []int, error){
		func() (solver.Status, []int, []int, error) { return Fit(ctx, p, limit) },
		func() (solver.Status, []int, []int, error) { return f.solve(ctx, f.groups) },
	} {
		status, cores, conflict, err := ask()
		if err != nil {
			t.Fatalf("fit: %v\n%+v", err, p)
		}
		if want {
			value, err := p.Value(cores)
			if status != solver.Sat || err != nil || value > most {
				t.Fatalf("fit in %d: %v with %v of value %d, %v\n%+v", limit, status, cores, value, err, p)
			}
			continue
		}
		if status != solver.Unsat {
			t.Fatalf("fit in %d: %v\n%+v", limit, status, p)
		}
		q := *p
		q.Items = nil
		for _, i := range conflict {
			q.Items = append(q.Items, p.Items[i])
		}
		value, fits := bruteForce(&q)
		if len(conflict) == 0 || fits && value <= most {
			t.Fatalf("fit in %d: items %v can be packed\n%+v", limit, conflict, p)
		}
	}
}

// The formula holds for a given packing exactly if it is legal and within the
// limit.
func TestFormulaAgreesWithValue(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var within, beyond, illegal int
	for round := range rounds(300, 3000) {
		sh := randomShape(r)
		sh.pins = false
		sh.items += 4
		p := sh.random(r)
		cores := make([]int, len(p.Items))
		for i := range cores {
			cores[i] = r.IntN(len(p.Cores))
			p.Items[i].Pin = cores[i]
		}
		limit := r.Int64N(4*sh.cycles + 1)
		value, err := p.Value(cores)
		want := solver.Sat
		switch {
		case err != nil:
			illegal++
			want = solver.Unsat
		case value > limit:
			beyond++
			want = solver.Unsat
		default:
			within++
		}
		w, err := compile(p)
		if err != nil {
			t.Fatal(err)
		}
		f, err := encode(w, limit)
		if err != nil {
			t.Fatal(err)
		}
		status, got, _, err := f.solve(context.Background(), f.groups)
		if status != want || err != nil || want == solver.Sat && !slices.Equal(got, cores) {
			t.Fatalf("round %d: %v with %v, %v, want %v with %v of value %d, limit %d\n%+v", round, status, got, err, want, cores, value, limit, p)
		}
	}
	if least := rounds(300, 3000) / 20; within < least || beyond < least || illegal < least {
		t.Errorf("%d within the limit, %d beyond it and %d illegal, want at least %d of each", within, beyond, illegal, least)
	}
}

// A search starts from what it is given, stops at its target, and tells of every
// change for the better.
func TestOptions(t *testing.T) {
	ctx := context.Background()
	p := shape{items: 40, cores: 4, units: 30, kinds: 1, cycles: 1000, bytes: 100, room: 1.5}.random(rand.New(rand.NewPCG(9, 9)))
	best, err := Pack(ctx, p, Options{Steps: 200_000})
	if err != nil || best.Cores == nil {
		t.Fatalf("%v, %v", best.Status, err)
	}
	given, err := Pack(ctx, p, Options{First: best.Cores, Target: best.Value})
	if err != nil || given.Value != best.Value || given.FoundBy != "given" || given.Steps != 0 {
		t.Errorf("from the best: %d by %s in %d steps, %v", given.Value, given.FoundBy, given.Steps, err)
	}
	bound, value, calls := int64(-1), int64(-1), 0
	early, err := Pack(ctx, p, Options{Target: best.Value + 100, OnChange: func(b, v int64) {
		if b < bound || value >= 0 && (v < 0 || v > value) || b == bound && v == value {
			t.Errorf("bound %d and value %d after %d and %d", b, v, bound, value)
		}
		bound, value = b, v
		calls++
	}})
	if err != nil || early.Value > best.Value+100 || early.Value != value || early.Bound != bound || calls == 0 {
		t.Errorf("%d with bound %d, told %d and %d in %d calls, %v", early.Value, early.Bound, value, bound, calls, err)
	}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if r, err := Pack(ended, p, Options{}); err != nil || r.Status == Infeasible || r.Steps != 0 {
		t.Errorf("without time: %v after %d steps, %v", r.Status, r.Steps, err)
	}
	wrong := slices.Clone(best.Cores)
	wrong[0] = 4
	if _, err := Pack(ctx, p, Options{First: wrong}); !errors.Is(err, ErrPacking) {
		t.Errorf("from an illegal packing: %v", err)
	}
}

// Ill-formed problems are errors, of Pack, Fit and Value alike.
func TestIllFormed(t *testing.T) {
	one := []Core{{Unlimited, 0}}
	for name, p := range map[string]*Problem{
		"no cores":          {},
		"negative capacity": {Cores: []Core{{-2, 0}}},
		"negative kind":     {Cores: []Core{{0, -1}}},
		"negative size":     {Cores: one, Sizes: []int64{-1}},
		"pin beyond":        {Cores: one, Items: []Item{{Cycles: []int64{1}, Pin: 1}}},
		"no cycles":         {Cores: one, Items: []Item{{Pin: Free}}},
		"negative cycles":   {Cores: one, Items: []Item{{Cycles: []int64{-1}, Pin: Free}}},
		"kinds":             {Cores: []Core{{0, 2}}, Items: []Item{{Cycles: []int64{1, 1}, Pin: Free}}},
		"cycles overflow":   {Cores: one, Items: []Item{{Cycles: []int64{1 << 60}, Pin: Free}, {Cycles: []int64{1 << 62}, Pin: Free}}},
		"unit beyond":       {Cores: one, Items: []Item{{Cycles: []int64{1}, Pin: Free, Slices: []Slice{{0, 0, 1}}}}},
		"part beyond":       {Cores: one, Sizes: []int64{1}, Items: []Item{{Cycles: []int64{1}, Pin: Free, Slices: []Slice{{0, 2, 2}}}}},
		"no parts":          {Cores: one, Sizes: []int64{1}, Items: []Item{{Cycles: []int64{1}, Pin: Free, Slices: []Slice{{0, 0, 0}}}}},
		"bytes overflow":    {Cores: one, Sizes: []int64{1 << 61}, Items: []Item{{Cycles: []int64{1}, Pin: Free, Slices: []Slice{{0, 0, 1}}}}},
	} {
		_, err1 := Pack(context.Background(), p, Options{})
		_, _, _, err2 := Fit(context.Background(), p, -1)
		_, err3 := p.Value(nil)
		for _, err := range []error{err1, err2, err3} {
			if !errors.Is(err, ErrProblem) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// What a search of few steps claims is true, and is the same every time.
func TestFewSteps(t *testing.T) {
	ctx := context.Background()
	r := rand.New(rand.NewPCG(3, 4))
	unknown := 0
	for round := range rounds(100, 600) {
		sh := randomShape(r)
		sh.items, sh.units, sh.cores = 10+r.IntN(30), 10+r.IntN(20), 2+r.IntN(8)
		p := sh.random(r)
		for _, steps := range []int64{1, 100, 10_000} {
			o := Options{Seed: uint64(round), Steps: steps}
			one, err := Pack(ctx, p, o)
			if err != nil {
				t.Fatalf("round %d: %v\n%+v", round, err, p)
			}
			two, err := Pack(ctx, p, o)
			if diff := cmp.Diff(one, two); diff != "" || err != nil {
				t.Fatalf("round %d: a second search differs (-one +two):\n%s%v", round, diff, err)
			}
			if one.Status == Unknown {
				unknown++
			}
		}
	}
	t.Logf("%d unknown", unknown)
}

// The state of a search agrees with the definition after any moves.
func TestStateAgreesWithLoads(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	legal := 0
	for round := range rounds(300, 3000) {
		sh := randomShape(r)
		sh.room, sh.pins, sh.uneven = 3, false, false
		sh.items++
		p := sh.random(r)
		w, err := compile(p)
		if err != nil {
			t.Fatal(err)
		}
		s := newState(w)
		for range 50 {
			i, k := r.IntN(w.n), r.IntN(w.m)
			if s.core[i] != Free {
				s.remove(i)
			}
			grown := s.needs(i, k)
			before := s.bytes[k]
			s.add(i, k)
			if s.bytes[k] != before+grown {
				t.Fatalf("round %d: core %d grew by %d, not %d", round, k, s.bytes[k]-before, grown)
			}
			if slices.Contains(s.core, Free) {
				continue
			}
			cycles, bytes, err := p.Loads(s.core)
			if err != nil {
				if errors.Is(err, ErrPacking) && s.over() > 0 {
					continue
				}
				t.Fatalf("round %d: %v\n%+v", round, err, p)
			}
			legal++
			if diff := cmp.Diff([][]int64{cycles, bytes}, [][]int64{s.load, s.bytes}); diff != "" || s.over() > 0 {
				t.Fatalf("round %d: loads and bytes (-want +got):\n%s", round, diff)
			}
		}
	}
	if legal < 1000 {
		t.Errorf("only %d legal packings", legal)
	}
}

// Many equal items are no work.
func TestManyEqualItems(t *testing.T) {
	p := &Problem{Cores: make([]Core, 64), Items: make([]Item, 200_000)}
	for k := range p.Cores {
		p.Cores[k].Capacity = Unlimited
	}
	for i := range p.Items {
		p.Items[i] = Item{Cycles: []int64{1}, Pin: Free}
	}
	started := time.Now()
	got, err := Pack(context.Background(), p, Options{})
	if err != nil || got.Status != Optimal || got.Value != 3125 {
		t.Fatalf("%v with value %d, %v", got.Status, got.Value, err)
	}
	if took := time.Since(started); took > time.Minute {
		t.Errorf("took %v", took)
	}
}
