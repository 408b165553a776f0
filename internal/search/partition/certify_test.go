package partition

import (
	"bufio"
	"bytes"
	"fmt"
	"strings"
	"testing"

	"plancheck/solver"
)

// readDIMACS loads a formula into a fresh solver.
func readDIMACS(t *testing.T, text []byte) *solver.Solver {
	t.Helper()
	s := solver.New()
	for lines := bufio.NewScanner(bytes.NewReader(text)); lines.Scan(); {
		line := lines.Text()
		if strings.HasPrefix(line, "c") {
			continue
		}
		var vars, clauses int
		if n, _ := fmt.Sscanf(line, "p cnf %d %d", &vars, &clauses); n == 2 {
			for range vars {
				s.Var("")
			}
			continue
		}
		var clause []solver.Lit
		for _, f := range strings.Fields(line) {
			var l solver.Lit
			fmt.Sscan(f, &l)
			if l != 0 {
				clause = append(clause, l)
			}
		}
		if err := s.Add(solver.Always, clause...); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// TestCertificates: below the least value there is a certificate whose covers
// add up and whose formula alone is unsatisfiable; at the least value there is
// an assignment, and no formula from true covers is unsatisfiable.
func TestCertificates(t *testing.T) {
	t.Run("one core each", func(t *testing.T) {
		certified, covers, _ := certificates(t, many(t, 3000), randomProblem)
		if certified < int(many(t, 300)) || covers < int(many(t, 1000)) {
			t.Errorf("the sample is thin: %d certificates, %d covers", certified, covers)
		}
	})
	t.Run("several cores", func(t *testing.T) {
		certified, covers, memory := certificates(t, many(t, 5000), func(seed uint64) *Problem {
			p := randomCores(seed)
			if p.Cores != nil {
				p.Cores.Least = 0
			}
			return p
		})
		if certified < int(many(t, 1500)) || covers < int(many(t, 10000)) || memory < int(many(t, 1000)) {
			t.Errorf("the sample is thin: %d certificates, %d covers, %d of memory", certified, covers, memory)
		}
	})
}

func certificates(t *testing.T, seeds uint64, problem func(seed uint64) *Problem) (certified, covers, memory int) {
	for seed := range seeds {
		p := problem(seed)
		want, ok := leastValue(p)
		if !ok || want == 0 {
			continue
		}
		c, better, err := Certify(t.Context(), p, want-1)
		if err != nil || c == nil || better != nil {
			t.Fatalf("seed %d: no certificate below %d: %v %v\n%+v %+v", seed, want, better, err, p, p.Cores)
		}
		if err := c.Check(p); err != nil {
			t.Fatalf("seed %d: %v\n%+v\n%+v %+v", seed, err, c, p, p.Cores)
		}
		var b bytes.Buffer
		if err := c.WriteDIMACS(&b, p); err != nil {
			t.Fatal(err)
		}
		answer, err := readDIMACS(t, b.Bytes()).Solve(t.Context(), nil)
		if err != nil || answer.Status != solver.Unsat {
			t.Fatalf("seed %d: the formula below %d is %v, %v\n%s", seed, want, answer.Status, err, b.String())
		}
		certified++
		covers += len(c.Covers)
		for _, k := range c.Covers {
			if k.Memory {
				memory++
			}
		}

		c, better, err = Certify(t.Context(), p, want)
		if err != nil || c != nil {
			t.Fatalf("seed %d: certificate %+v, %v at the value of an assignment", seed, c, err)
		}
		if value, err := p.Value(better); err != nil || value != want {
			t.Fatalf("seed %d: value %d, %v, want %d", seed, value, err, want)
		}
	}
	t.Log(certified, covers, memory)
	return certified, covers, memory
}

func TestFalseCoversAreFound(t *testing.T) {
	p := &Problem{Stages: 3, Work: []int64{4, 5, 6, 7}, Carry: []int64{3, 0, 0, 0},
		Edges: []Edge{{0, 1, false, 0}, {1, 2, false, 0}, {0, 2, true, 0}}}
	good := Cover{First: 1, Last: 1, From: []int{1}, To: []int{2}, Ops: []int{1, 2}, Sum: 11, Cores: 2}
	check := func(change func(k *Cover)) error {
		k := good
		change(&k)
		return (&Certificate{Limit: 10, Covers: []Cover{k}}).Check(p)
	}
	if err := check(func(*Cover) {}); err != nil {
		t.Fatal(err)
	}
	carried := func(k *Cover) {
		*k = Cover{First: 1, Last: 1, From: []int{1}, To: []int{1}, Before: []int{0}, After: []int{2}, Ops: []int{1}, Carried: []int{0}, Sum: 8, Cores: 2}
	}
	if err := check(func(k *Cover) { carried(k) }); err == nil || !strings.Contains(err.Error(), "sum 8") {
		t.Errorf("8 is not above 10, yet: %v", err)
	}
	for name, change := range map[string]func(k *Cover){
		"a wrong sum":              func(k *Cover) { k.Sum = 12 },
		"an op that is not behind": func(k *Cover) { k.Ops = []int{0, 1, 2}; k.Sum = 15 },
		"an op on no path":         func(k *Cover) { k.Ops = []int{1, 2, 3}; k.Sum = 18 },
		"an op counted twice":      func(k *Cover) { k.Ops = []int{1, 1, 2}; k.Sum = 16 },
		"an unknown op":            func(k *Cover) { k.Ops = []int{1, 2, 9} },
		"stages that are not":      func(k *Cover) { k.Last = 3 },
		"too wide a window":        func(k *Cover) { k.First = 0; k.Ops = []int{0, 1, 2}; k.Sum = 15; k.Cores = 3 },
		"a value not carried":      func(k *Cover) { carried(k); k.Carried = []int{1} },
		"carrying over a window":   func(k *Cover) { carried(k); k.First = 0 },
	} {
		if err := check(change); err == nil {
			t.Errorf("%s passes", name)
		}
	}
}
