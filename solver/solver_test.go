package solver

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// formula is a random question in plain form, for brute force.
type formula struct {
	vars    int
	clauses [][]Lit
	groups  []Group // of each clause, 0 to 3
	assumed []Lit
}

func randomFormula(r *rand.Rand) formula {
	f := formula{vars: 1 + r.IntN(7)}
	lit := func() Lit {
		l := Lit(1 + r.IntN(f.vars))
		if r.IntN(2) == 0 {
			return -l
		}
		return l
	}
	for range r.IntN(5 * f.vars) {
		var clause []Lit
		for range 1 + r.IntN(3) {
			clause = append(clause, lit())
		}
		if r.IntN(60) == 0 {
			clause = nil
		}
		f.clauses = append(f.clauses, clause)
		f.groups = append(f.groups, Group(r.IntN(4)))
	}
	for range r.IntN(3) {
		f.assumed = append(f.assumed, lit())
	}
	return f
}

// satisfiable tries every assignment.
func (f formula) satisfiable(groups []Group, assumed []Lit) bool {
	in := map[Group]bool{Always: true}
	for _, g := range groups {
		in[g] = true
	}
	for bits := range 1 << f.vars {
		values := make([]bool, f.vars)
		for v := range values {
			values[v] = bits>>v&1 == 1
		}
		if f.holds(Model{values}, in, assumed) {
			return true
		}
	}
	return false
}

func (f formula) holds(m Model, in map[Group]bool, assumed []Lit) bool {
	for _, l := range assumed {
		if !m.True(l) {
			return false
		}
	}
clauses:
	for i, clause := range f.clauses {
		if !in[f.groups[i]] {
			continue
		}
		for _, l := range clause {
			if m.True(l) {
				continue clauses
			}
		}
		return false
	}
	return true
}

// load puts f into a solver. Its variables come first, so literals agree.
func (f formula) load(t *testing.T, s *Solver, from, to int) {
	t.Helper()
	for i := from; i < to; i++ {
		if err := s.Add(f.groups[i], f.clauses[i]...); err != nil {
			t.Fatal(err)
		}
	}
}

func newSolver(f formula) *Solver {
	s := New()
	s.Vars(f.vars)
	for g := range 3 {
		s.Group(fmt.Sprint("g", g+1))
	}
	return s
}

func TestSolveAgainstBruteForce(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	counts := map[Status]int{}
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		f := randomFormula(r)
		s := newSolver(f)
		half := len(f.clauses) / 2
		// The second half comes after a first solve; each question is put
		// twice, with and without a context that can end.
		for part, end := range []int{half, len(f.clauses)} {
			f.load(t, s, part*half, end)
			now := formula{f.vars, f.clauses[:end], f.groups[:end], f.assumed}
			var groups []Group
			for g := range 3 {
				if r.IntN(2) == 0 {
					groups = append(groups, Group(g+1))
				}
			}
			for _, c := range []context.Context{ctx, context.Background()} {
				answer, err := s.Solve(c, groups, f.assumed...)
				if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				want := Unsat
				if now.satisfiable(groups, f.assumed) {
					want = Sat
				}
				if answer.Status != want {
					t.Fatalf("seed %d: %v, brute force says %v: %+v", seed, answer.Status, want, now)
				}
				counts[want]++
				if want == Unsat && now.satisfiable(answer.Groups, answer.Assumptions) {
					t.Fatalf("seed %d: blamed %v and %v, which can hold together", seed, answer.Groups, answer.Assumptions)
				}
			}
		}
	}
	if counts[Sat] < 1000 || counts[Unsat] < 1000 {
		t.Errorf("the sample is lopsided: %v", counts)
	}
}

func TestCoresAreConflictsAndMinimal(t *testing.T) {
	sizes := map[int]int{}
	for seed := range uint64(2000) {
		f := randomFormula(rand.New(rand.NewPCG(seed, 2)))
		s := newSolver(f)
		f.load(t, s, 0, len(f.clauses))
		all := []Group{3, 1, 2}
		status, core, err := s.Core(t.Context(), all, f.assumed...)
		if err != nil {
			t.Fatal(err)
		}
		if (status == Sat) != f.satisfiable(all, f.assumed) {
			t.Fatalf("seed %d: %v", seed, status)
		}
		if status == Sat {
			continue
		}
		if !core.Minimal {
			t.Fatalf("seed %d: not minimal without a budget", seed)
		}
		if f.satisfiable(core.Groups, core.Assumptions) {
			t.Fatalf("seed %d: core %+v can hold", seed, core)
		}
		for i := range core.Groups {
			rest := append(append([]Group{}, core.Groups[:i]...), core.Groups[i+1:]...)
			if !f.satisfiable(rest, core.Assumptions) {
				t.Fatalf("seed %d: core %+v does not need group %d", seed, core, core.Groups[i])
			}
		}
		for i := range core.Assumptions {
			rest := append(append([]Lit{}, core.Assumptions[:i]...), core.Assumptions[i+1:]...)
			if !f.satisfiable(core.Groups, rest) {
				t.Fatalf("seed %d: core %+v does not need %d", seed, core, core.Assumptions[i])
			}
		}
		sizes[len(core.Groups)+len(core.Assumptions)]++
	}
	if sizes[2] < 50 || sizes[3] < 20 {
		t.Errorf("too few cores with several members: %v", sizes)
	}
}

func TestUnknownVariablesAndGroupsAreErrors(t *testing.T) {
	s := New()
	x := s.Var("x")
	for _, l := range []Lit{0, 2, -2, 1 << 30} {
		if err := s.Add(Always, x, l); !errors.Is(err, ErrUnknownVar) {
			t.Errorf("Add(%d): %v", l, err)
		}
		if _, err := s.Solve(t.Context(), nil, l); !errors.Is(err, ErrUnknownVar) {
			t.Errorf("Solve(%d): %v", l, err)
		}
		if err := s.WriteDIMACS(&strings.Builder{}, nil, l); !errors.Is(err, ErrUnknownVar) {
			t.Errorf("WriteDIMACS(%d): %v", l, err)
		}
	}
	for _, g := range []Group{-1, 1} {
		if err := s.Add(g, x); !errors.Is(err, ErrUnknownGroup) {
			t.Errorf("Add to group %d: %v", g, err)
		}
		if _, err := s.Solve(t.Context(), []Group{g}); !errors.Is(err, ErrUnknownGroup) {
			t.Errorf("Solve with group %d: %v", g, err)
		}
		if err := s.WriteDIMACS(&strings.Builder{}, []Group{g}); !errors.Is(err, ErrUnknownGroup) {
			t.Errorf("WriteDIMACS with group %d: %v", g, err)
		}
		if got := s.Selector(g); got != 0 {
			t.Errorf("Selector(%d) = %d", g, got)
		}
	}
	if s.NumClauses() != 0 {
		t.Errorf("a refused clause was kept")
	}
	answer, err := s.Solve(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	y := s.Var("y") // made after the model
	if answer.Model.True(y) || answer.Model.True(y.Not()) || answer.Model.True(0) {
		t.Error("a model knows a variable that did not exist")
	}
}

// TestCoreOfALongPath: a conflict that is a path through most of many groups
// needs all of the path and nothing else, in bearable time.
func TestCoreOfALongPath(t *testing.T) {
	s := New()
	const n = 1000
	first := s.Vars(n)
	var groups, path []Group
	for i := range n - 1 {
		g := s.Group(fmt.Sprint("step ", i))
		groups = append(groups, g)
		path = append(path, g)
		if err := s.Add(g, (first + Lit(i)).Not(), first+Lit(i+1)); err != nil {
			t.Fatal(err)
		}
		aside := s.Group(fmt.Sprint("aside ", i))
		groups = append(groups, aside)
		if err := s.Add(aside, first+Lit(i), first+Lit(i+1)); err != nil {
			t.Fatal(err)
		}
	}
	status, core, err := s.Core(t.Context(), groups, first, (first + n - 1).Not())
	if err != nil || status != Unsat {
		t.Fatal(status, err)
	}
	want := Core{Groups: path, Assumptions: []Lit{first, (first + n - 1).Not()}, Minimal: true}
	if diff := cmp.Diff(want, core); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// pigeons puts n+1 pigeons into n holes; gini never ends on ten.
func pigeons(t *testing.T, n int) *Solver {
	t.Helper()
	s := New()
	first := s.Vars((n + 1) * n)
	in := func(p, h int) Lit { return first + Lit(p*n+h) }
	for p := range n + 1 {
		var somewhere []Lit
		for h := range n {
			somewhere = append(somewhere, in(p, h))
			for q := range p {
				if err := s.Add(Always, in(p, h).Not(), in(q, h).Not()); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := s.Add(Always, somewhere...); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

func TestBudgets(t *testing.T) {
	s := pigeons(t, 11)
	for _, budget := range []time.Duration{0, 30 * time.Millisecond} {
		ctx, cancel := context.WithTimeout(t.Context(), budget)
		started := time.Now()
		answer, err := s.Solve(ctx, nil)
		if err != nil || answer.Status != Unknown {
			t.Errorf("budget %v: %v, %v", budget, answer.Status, err)
		}
		if took := time.Since(started); took > budget+time.Minute {
			t.Errorf("budget %v: took %v", budget, took)
		}
		cancel()
	}
	// A call that was stopped leaves nothing behind: three pigeons are easily
	// seen not to fit into one hole.
	if err := s.Add(Always, 1); err != nil {
		t.Fatal(err)
	}
	answer, err := s.Solve(t.Context(), nil, Lit(12))
	if err != nil || answer.Status != Unsat {
		t.Errorf("after a stopped call: %v, %v", answer.Status, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
	defer cancel()
	status, _, err := pigeons(t, 11).Core(ctx, nil)
	if err != nil || status != Unknown {
		t.Errorf("core out of budget: %v, %v", status, err)
	}
}

func TestReplayAnswersAlike(t *testing.T) {
	for seed := range uint64(300) {
		f := randomFormula(rand.New(rand.NewPCG(seed, 3)))
		s := newSolver(f)
		f.load(t, s, 0, len(f.clauses))
		r := s.Replay()
		groups := []Group{1, 3}
		a, errA := s.Solve(t.Context(), groups, f.assumed...)
		b, errB := r.Solve(t.Context(), groups, f.assumed...)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		if diff := cmp.Diff(a, b, cmp.AllowUnexported(Model{})); diff != "" {
			t.Fatalf("seed %d: -first +replay\n%s", seed, diff)
		}
	}
}

func TestWriteDIMACS(t *testing.T) {
	s := New()
	x, y := s.Var("x"), s.Var("")
	g := s.Group("g")
	for _, clause := range [][]Lit{{x, y, x}, {x, x.Not()}, {}} {
		if err := s.Add(g, clause...); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Add(Always, y.Not(), x); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := s.WriteDIMACS(&b, []Group{Always, g}, y); err != nil {
		t.Fatal(err)
	}
	want := `c var 1 x
c var 3 group g
p cnf 3 5
1 2 -3 0
-3 0
1 -2 0
3 0
2 0
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Error(diff)
	}
	if got := []string{s.Name(g), s.Name(Always), s.Name(7), Sat.String(), Unsat.String(), Unknown.String()}; !cmp.Equal(got, []string{"g", "", "", "sat", "unsat", "unknown"}) {
		t.Errorf("names: %q", got)
	}
}
