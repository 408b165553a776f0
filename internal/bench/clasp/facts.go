package clasp

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"slices"

	"plancheck/internal/search/partition"
)

// ErrFacts is returned, wrapped, for a problem that cannot be written as facts.
var ErrFacts = errors.New("no facts for this partition problem")

// most is what all work and carry costs, times the stages, may add up to:
// numbers of gringo and clasp have 32 bits, also sums over stages in which what
// loads may exceed the base by is rounded up to the next power of two.
const most = 1 << 29

// Facts writes the problem as facts of partition.lp. The problem must be
// well-formed, as Problem.Loads has it, with one core a stage. Edges that are
// there more than once are written once.
func Facts(w io.Writer, p *partition.Problem) error {
	if p.Cores != nil {
		return fmt.Errorf("stages own several cores: %w", ErrFacts)
	}
	values := values(p)
	ceiling := uint64(0)
	for _, cost := range slices.Concat(p.Work, values) {
		ceiling += uint64(cost)
		if ceiling*uint64(p.Stages) >= most {
			return fmt.Errorf("work and carry costs, times the stages, reach %d: %w", most, ErrFacts)
		}
	}
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "stages(%d).\n", p.Stages)
	if p.NonEmpty {
		fmt.Fprintln(b, "nonempty.")
	}
	base := Base(p)
	fmt.Fprintf(b, "base(%d).\n", base)
	// One bit at least, so that there always is something to minimize.
	for i := range max(1, bits.Len64(ceiling-uint64(base))) {
		fmt.Fprintf(b, "bit(%d).\n", i)
	}
	for o, work := range p.Work {
		d := domain(p, o)
		fmt.Fprintf(b, "op(%d,%d,%d,%d).\n", o, work, d.Lo, d.Hi)
	}
	for x, cost := range values {
		if cost > 0 {
			fmt.Fprintf(b, "value(%d,%d,%d).\n", x, producer(p, x), cost)
		}
	}
	for _, e := range distinct(p.Edges) {
		fmt.Fprintf(b, "edge(%d,%d).\n", e.From, e.To)
		x := e.From
		if e.Value > 0 {
			x = len(p.Work) + e.Value - 1
		}
		switch {
		case !e.Far:
			fmt.Fprintf(b, "near(%d,%d).\n", e.From, e.To)
		case values[x] > 0:
			fmt.Fprintf(b, "reader(%d,%d).\n", x, e.To)
		}
	}
	return b.Flush()
}

// Base is a load that some stage has in every assignment: the work of the
// largest op, or all work shared out evenly.
func Base(p *partition.Problem) int64 {
	total, largest := int64(0), int64(0)
	for o, w := range p.Work {
		if domain(p, o).Lo != partition.Outside {
			total += w
			largest = max(largest, w)
		}
	}
	k := int64(p.Stages)
	return max(largest, (total+k-1)/k)
}

// values returns what it costs to carry each value: the first ones of all ops,
// then Problem.Values.
func values(p *partition.Problem) []int64 {
	costs := make([]int64, len(p.Work), len(p.Work)+len(p.Values))
	copy(costs, p.Carry)
	for _, v := range p.Values {
		costs = append(costs, v.Carry)
	}
	return costs
}

// producer returns the op of a value, numbered as in values.
func producer(p *partition.Problem, x int) int {
	if x < len(p.Work) {
		return x
	}
	return p.Values[x-len(p.Work)].Op
}

func domain(p *partition.Problem, o int) partition.Range {
	if p.Domain == nil {
		return partition.Range{Lo: 0, Hi: p.Stages - 1}
	}
	return p.Domain[o]
}

// distinct sorts edges and leaves out repetitions.
func distinct(edges []partition.Edge) []partition.Edge {
	far := func(e partition.Edge) int {
		if e.Far {
			return 1
		}
		return 0
	}
	edges = slices.SortedFunc(slices.Values(edges), func(a, b partition.Edge) int {
		return cmp.Or(cmp.Compare(a.From, b.From), cmp.Compare(a.To, b.To), cmp.Compare(far(a), far(b)),
			cmp.Compare(a.Value, b.Value))
	})
	return slices.Compact(edges)
}
