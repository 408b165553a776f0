package dnn

import (
	"bufio"
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// rup checks a proof that a formula has no solution: every clause of the proof
// follows by unit propagation, from those before it, out of the assumption that
// none of its literals holds. It knows nothing of how either was made. Literals
// are as in DIMACS.
type rup struct {
	clauses [][]int
	gone    []bool
	watch   map[int][]int // literal: clauses to look at when it becomes false
	value   map[int]bool  // of literals that are settled, and of their negations
	trail   []int
	next    int              // first of trail that was not propagated
	at      map[string][]int // sorted literals: clauses
	done    bool             // the empty clause follows
}

func newRUP() *rup {
	return &rup{watch: map[int][]int{}, value: map[int]bool{}, at: map[string][]int{}}
}

func key(clause []int) string {
	sorted := slices.Clone(clause)
	slices.Sort(sorted)
	return fmt.Sprint(sorted)
}

func (r *rup) open(l int) bool  { _, known := r.value[l]; return !known }
func (r *rup) wrong(l int) bool { v, known := r.value[l]; return known && !v }
func (r *rup) right(l int) bool { return r.value[l] }

func (r *rup) set(l int) {
	r.value[l], r.value[-l] = true, false
	r.trail = append(r.trail, l)
}

// add takes a clause in. Nothing is assumed when it is called.
func (r *rup) add(clause []int) {
	i := len(r.clauses)
	c := slices.Clone(clause)
	slices.Sort(c)
	c = slices.Compact(c)
	r.clauses, r.gone = append(r.clauses, c), append(r.gone, false)
	r.at[key(c)] = append(r.at[key(c)], i)
	// What is not wrong comes first, to be watched.
	slices.SortStableFunc(c, func(a, b int) int {
		switch {
		case r.wrong(a) == r.wrong(b):
			return 0
		case r.wrong(b):
			return -1
		}
		return 1
	})
	for _, l := range c[:min(len(c), 2)] {
		r.watch[l] = append(r.watch[l], i)
	}
	switch {
	case len(c) == 0 || r.wrong(c[0]):
		r.done = true
	case len(c) == 1 || r.wrong(c[1]):
		if r.open(c[0]) {
			r.set(c[0])
		}
		if !r.propagate() {
			r.done = true
		}
	}
}

// propagate returns false at a conflict.
func (r *rup) propagate() bool {
	for ; r.next < len(r.trail); r.next++ {
		no := -r.trail[r.next]
		list := r.watch[no]
		kept := list[:0]
		for n, i := range list {
			c := r.clauses[i]
			if r.gone[i] {
				continue
			}
			if c[0] == no {
				c[0], c[1] = c[1], c[0]
			}
			if r.right(c[0]) {
				kept = append(kept, i)
				continue
			}
			moved := false
			for j := 2; j < len(c); j++ {
				if !r.wrong(c[j]) {
					c[1], c[j] = c[j], c[1]
					r.watch[c[1]] = append(r.watch[c[1]], i)
					moved = true
					break
				}
			}
			if moved {
				continue
			}
			kept = append(kept, i)
			if r.wrong(c[0]) {
				r.watch[no] = append(kept, list[n+1:]...)
				return false
			}
			r.set(c[0])
		}
		r.watch[no] = kept
	}
	return true
}

// follows says whether a clause follows by unit propagation.
func (r *rup) follows(clause []int) bool {
	if r.done {
		return true
	}
	start := len(r.trail)
	conflict := false
	for _, l := range clause {
		if r.right(l) {
			conflict = true
			break
		}
		if r.open(l) {
			r.set(-l)
		}
	}
	if !conflict {
		conflict = !r.propagate()
	}
	for _, l := range r.trail[start:] {
		delete(r.value, l)
		delete(r.value, -l)
	}
	r.trail, r.next = r.trail[:start], start
	return conflict
}

// drop forgets a clause, unless a settled literal rests on it.
func (r *rup) drop(clause []int) error {
	list := r.at[key(clause)]
	if len(list) == 0 {
		return fmt.Errorf("the proof deletes %v, which is not there", clause)
	}
	i := list[len(list)-1]
	right, open := 0, 0
	for _, l := range r.clauses[i] {
		switch {
		case r.right(l):
			right++
		case r.open(l):
			open++
		}
	}
	if right == 1 && open == 0 {
		return nil
	}
	r.at[key(clause)] = list[:len(list)-1]
	r.gone[i] = true
	return nil
}

// checkRUP reads a formula in DIMACS and a proof in DRAT's text form, and returns
// how many clauses of the proof it followed up to the empty one.
func checkRUP(formula, proof []byte) (steps int, err error) {
	r := newRUP()
	err = readClauses(formula, func(line string, clause []int) error {
		r.add(clause)
		return nil
	})
	if err != nil {
		return 0, err
	}
	err = readClauses(proof, func(line string, clause []int) error {
		if strings.HasPrefix(line, "d") {
			return r.drop(clause)
		}
		if !r.follows(clause) {
			return fmt.Errorf("clause %d of the proof, %v, does not follow", steps, clause)
		}
		steps++
		r.add(clause)
		return nil
	})
	if err == nil && !r.done {
		err = fmt.Errorf("the proof ends without a contradiction")
	}
	return steps, err
}

func readClauses(text []byte, each func(line string, clause []int) error) error {
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<26)
	for lines.Scan() {
		line := lines.Text()
		if line == "" || line[0] == 'c' || line[0] == 'p' {
			continue
		}
		fields := strings.Fields(strings.TrimPrefix(line, "d "))
		clause := make([]int, 0, len(fields))
		for i, f := range fields {
			l, err := strconv.Atoi(f)
			if err != nil || (l == 0) != (i == len(fields)-1) {
				return fmt.Errorf("line %q: %v", line, err)
			}
			if l != 0 {
				clause = append(clause, l)
			}
		}
		if err := each(line, clause); err != nil {
			return err
		}
	}
	return lines.Err()
}

// TestTheCheckerChecks: a right proof passes, and a wrong one does not.
func TestTheCheckerChecks(t *testing.T) {
	formula := "p cnf 3 6\n1 2 0\n1 -2 0\n-1 3 0\n-1 -3 2 0\n-1 -2 -3 0\n2 3 -1 0\n"
	for _, c := range []struct {
		name, formula, proof, want string
	}{
		{"a proof", formula, "1 0\n0\n", ""},
		{"with a deletion", formula, "1 0\nd 1 2 0\n0\n", ""},
		{"a clause that does not follow", "p cnf 2 1\n1 2 0\n", "1 0\n", "clause 0"},
		{"no contradiction", "p cnf 2 2\n1 2 0\n1 -2 0\n", "1 0\n", "without a contradiction"},
		{"the empty clause from nothing", "p cnf 2 1\n1 2 0\n", "0\n", "clause 0"},
		{"an unknown deletion", formula, "d 1 2 3 0\n", "not there"},
		{"what it rests on is deleted", "p cnf 3 4\n1 2 0\n1 -2 0\n-1 3 2 0\n-1 -3 2 0\n", "d 1 2 0\n1 0\n", "clause 0"},
	} {
		_, err := checkRUP([]byte(c.formula), []byte(c.proof))
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}
