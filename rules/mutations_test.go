package rules

import (
	"math/rand/v2"
	"slices"
	"testing"

	"plancheck/internal/programtest"
	"plancheck/ir"
)

// often is how many times a test looks, in a short run and in a long one.
func often(short, long int) int {
	if testing.Short() {
		return short
	}
	return long
}

// Nothing is found in legal programs.
func TestGeneratedProgramsAreClean(t *testing.T) {
	s := builtin(t)
	for seed := range uint64(often(30, 300)) {
		for _, size := range []programtest.Size{programtest.Small, programtest.Medium} {
			p := programtest.Generate(seed, size)
			v, err := s.Judge(t.Context(), p, Options{})
			if err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
			if v.Findings != nil {
				t.Fatalf("seed %d: %v\n%s", seed, tell(v.Findings), ir.Encode(p))
			}
		}
	}
}

// withoutMutation are codes of programs that no mutation has.
var withoutMutation = map[string]bool{
	"certificate-wrong": true, // of the exporter: commandcertificate_test.go

	// Of what generated programs do not have: no commands, models and targets that
	// they come from, target extensions, declared dependencies, great size.
	"concrete-empty": true, "rank-unknown": true,
	"target-extension-wrong-family": true, "queue-order-violates-dependency": true, "communicator-order-diverges": true,
	"cross-queue-unsynchronized": true, "token-not-dependency": true,
	"order-not-searched": true,
}

// There is a mutation for each code.
func TestMutationsHaveAllCodes(t *testing.T) {
	has := map[string]bool{}
	names := map[string]bool{}
	for _, m := range programtest.Mutations() {
		has[m.Code] = true
		if names[m.Name] {
			t.Errorf("two mutations are %q", m.Name)
		}
		names[m.Name] = true
	}
	if len(names) < 30 {
		t.Errorf("%d kinds of mutation are too few", len(names))
	}
	s, _ := Load([]string{Builtin + ":concrete"})
	for _, inv := range s.Invariants() {
		if has[inv.Code] == withoutMutation[inv.Code] {
			t.Errorf("%s: has a mutation: %v", inv.Code, has[inv.Code])
		}
	}
}

// What a mutation makes wrong is found by its code at its place, and nothing else
// is. A small program, as far as the mutation lets it run, is judged as trying all
// orders does.
func TestMutationsAreFound(t *testing.T) {
	s := builtin(t)
	for _, m := range programtest.Mutations() {
		t.Run(m.Name, func(t *testing.T) {
			n := mutated(&m, programtest.Small, often(1, 8), func(seed uint64, x *programtest.Mutated) {
				check(t, s, seed, x)
				agree(t, seed, x)
			})
			n += mutated(&m, programtest.Medium, often(2, 12), func(seed uint64, x *programtest.Mutated) { check(t, s, seed, x) })
			if n == 0 {
				t.Error("no program has a place for it")
			}
		})
	}
}

// mutated applies a mutation to programs, so many times at most, and returns how
// many.
func mutated(m *programtest.Mutation, size programtest.Size, most int, visit func(uint64, *programtest.Mutated)) (n int) {
	for seed := range uint64(1000) {
		x, ok := m.Apply(programtest.Generate(seed, size), rand.New(rand.NewPCG(seed, 1)))
		if !ok {
			continue
		}
		visit(seed, x)
		if n++; n == most {
			break
		}
	}
	return n
}

func check(t *testing.T, s *Set, seed uint64, x *programtest.Mutated) {
	t.Helper()
	v, err := s.Judge(t.Context(), x.Plan, Options{})
	if err != nil {
		t.Fatalf("seed %d: %v\n%s", seed, err, ir.Encode(x.Plan))
	}
	right := len(v.Findings) > 0
	found := map[string]bool{}
	for _, f := range v.Findings {
		right = right && f.Code == x.Want.Code && slices.Contains(x.Want.Places, f.Pos.Pointer)
		found[f.Pos.Pointer] = true
	}
	for _, place := range x.Want.Places {
		right = right && (found[place] || !x.Want.Every)
	}
	if !right {
		t.Errorf("seed %d: want %+v, found %v\n%s", seed, x.Want, tell(v.Findings), ir.Encode(x.Plan))
	}
}

// stops are codes of programs in which some command waits for itself, and
// mayStop of those in which one may wait for what never comes.
var (
	stops   = []string{"schedule-deadlock", "token-wait-before-signal", "dag-cycle", "dag-self-dependency"}
	mayStop = []string{"p2p-unmatched", "token-never-signaled", "collective-rank-missing", "collective-participants-mismatch",
		"barrier-participants-mismatch", "rank-unplaced"}
	// cannotRun are of programs that do not say what their commands do, or in which
	// order.
	cannotRun = []string{"command-incomplete", "channel-order-open", "token-order-open", "device-duplicate-rank"}
)

// agree holds what is found in a small program, which check has seen to, against
// what happens in all orders in which it can run.
func agree(t *testing.T, seed uint64, x *programtest.Mutated) {
	t.Helper()
	code := x.Want.Code
	if slices.Contains(cannotRun, code) {
		return
	}
	pl := programtest.Play(x.Program)
	if pl.Stuck != slices.Contains(stops, code) && !slices.Contains(mayStop, code) {
		t.Errorf("seed %d: %s, but stuck is %v\n%s", seed, code, pl.Stuck, ir.Encode(x.Plan))
	}
	if pl.Stuck {
		return // what is behind has not been seen
	}
	if races := pl.Races(x.Program); (races != nil) != (code == "data-race") {
		t.Errorf("seed %d: %s, but there are %d races\n%s", seed, code, len(races), ir.Encode(x.Plan))
	}
	if code == "buffer-out-of-bounds" {
		return // where there are no bytes to share
	}
	if overlaps := pl.Overlaps(x.Program); (overlaps != nil) != (code == "buffer-overlap") {
		t.Errorf("seed %d: %s, but %d pairs of buffers live on the same bytes\n%s", seed, code, len(overlaps), ir.Encode(x.Plan))
	}
}
