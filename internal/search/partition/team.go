package partition

// team is the parts of a search: those that call the SAT solver, which may
// take any time for a step, and the rest. The halves run side by side.
type team struct {
	sat, rest []part
}

func newTeam(w *net, b *board, seed uint64) team {
	t := team{rest: []part{newAnnealer(w, b, seed), newBrancher(w, b)}}
	if w.anc != nil && (!w.cores.alike || w.cores.room != nil) {
		t.rest = append(t.rest, newIdeals(w, b))
	}
	if w.anc != nil && (w.cores.fixed || int64(w.k)*w.cores.total <= mostSizingVar) {
		t.sat = []part{newProber(w, b, false)}
	}
	return t
}

// all lists the parts in the order in which they take turns.
func (t team) all() []part { return append(append([]part(nil), t.rest...), t.sat...) }
