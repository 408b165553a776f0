package placement

import (
	"context"
	"slices"
)

// rounder is branch and bound on flows that are rounded down: amounts that
// differ by little become the same, and more cores are alike. What it proves
// holds for the flows themselves, since every placement's traffic only fell. The
// slices of a value differ by a byte, and that makes cores differ which need not.
type rounder struct {
	b *board // of the flows themselves

	board  *board // of the rounded ones
	branch *brancher
}

// newRounder returns nil when rounding makes no more cores alike.
func newRounder(w *net, b *board) *rounder {
	rounded := w.rounded()
	if rounded.classes == w.classes {
		return nil
	}
	r := &rounder{b: b, board: newBoard(rounded)}
	r.branch = newBrancher(rounded, r.board, newBounder(rounded))
	return r
}

func (r *rounder) name() string { return "rounding" }

// turn goes on branching, and takes up what the others have found before and
// what it has found after. It ends when the tree does.
func (r *rounder) turn(ctx context.Context, steps int64) (spent int64, more bool) {
	r.board.lower("given", r.b.best, r.board.w.traffic(r.b.best))
	spent, more = r.branch.turn(ctx, steps)
	r.b.lower(r.name(), r.board.best, r.b.w.traffic(r.board.best))
	r.b.raise(r.name(), r.board.bound)
	return spent, more
}

// rounded returns the net with flows rounded down: each to the least that is
// smaller by no more than a 256th.
func (w *net) rounded() *net {
	var amounts []int64
	for i, arcs := range w.arcs {
		amounts = append(amounts, w.self[i])
		for _, a := range arcs {
			amounts = append(amounts, a.out)
		}
	}
	slices.Sort(amounts)
	amounts = slices.Compact(amounts)
	to := map[int64]int64{}
	least := int64(0)
	for _, a := range amounts {
		if a-a/256 > least {
			least = a
		}
		to[a] = least
	}
	r := *w
	r.self, r.arcs = slices.Clone(w.self), slices.Clone(w.arcs)
	for i, arcs := range w.arcs {
		r.self[i] = to[w.self[i]]
		r.arcs[i] = slices.Clone(arcs)
		for x, a := range arcs {
			r.arcs[i][x].in, r.arcs[i][x].out = to[a.in], to[a.out]
		}
	}
	r.findClasses()
	return &r
}
