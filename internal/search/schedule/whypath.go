package schedule

import "slices"

// pathConflict finds a conflict between two ops whose stages are pinned, or of
// which one reads what comes from outside, along the fewest reads: from an op
// that is not before some stage, over readers, which are not earlier, and over
// ops whose values are read, which are at most one stage earlier, to an op that
// has to be earlier. It is nil when there is none.
//
// No smaller conflict exists, so it is minimal: all reads and pins of stages
// alone conflict only along such paths, because a stage rises only by a pin.
func pathConflict(p *Problem) []Constraint {
	w := newPathWalk(p)
	for o := range p.Ops {
		if p.Ops[o].Lo > 0 {
			w.reach(visit{op: o, stage: p.Ops[o].Lo, before: Free, by: Constraint{Kind: StagePinned, Of: o}})
		}
	}
	for at := 0; at < len(w.visits); at++ {
		v := w.visits[at]
		if end, found := w.end(v); found {
			return w.back(at, end)
		}
		w.step(at, v)
	}
	return nil
}

// pathWalk is a search in breadth.
type pathWalk struct {
	p      *Problem
	reads  [][]int // of each op, the reads by it
	readBy [][]int // and the reads of its values
	stage  []int   // the last stage that each op was shown not to be before
	visits []visit
}

// visit: an op is not before a stage, by a constraint and an earlier visit.
type visit struct {
	op, stage int
	before    int
	by        Constraint
}

func newPathWalk(p *Problem) *pathWalk {
	w := &pathWalk{p: p, reads: make([][]int, len(p.Ops)), readBy: make([][]int, len(p.Ops)), stage: make([]int, len(p.Ops))}
	for i, r := range p.Reads {
		w.reads[r.To] = append(w.reads[r.To], i)
		if from := p.Values[r.Value].From; from != Outside {
			w.readBy[from] = append(w.readBy[from], i)
		}
	}
	return w
}

func (w *pathWalk) reach(v visit) {
	if v.stage > w.stage[v.op] {
		w.stage[v.op] = v.stage
		w.visits = append(w.visits, v)
	}
}

func (w *pathWalk) step(at int, v visit) {
	for _, i := range w.readBy[v.op] {
		w.reach(visit{op: w.p.Reads[i].To, stage: v.stage, before: at, by: Constraint{Kind: Reading, Of: i}})
	}
	for _, i := range w.reads[v.op] {
		if value := &w.p.Values[w.p.Reads[i].Value]; value.From != Outside && value.Forward == 0 {
			w.reach(visit{op: value.From, stage: v.stage - 1, before: at, by: Constraint{Kind: Reading, Of: i}})
		}
	}
}

// end is the constraint that an op of a visit is earlier, if there is one.
func (w *pathWalk) end(v visit) (Constraint, bool) {
	if v.stage > w.p.Ops[v.op].Hi {
		return Constraint{Kind: StagePinned, Of: v.op}, true
	}
	for _, i := range w.reads[v.op] {
		if value := &w.p.Values[w.p.Reads[i].Value]; value.From == Outside && value.Forward == 0 {
			return Constraint{Kind: Reading, Of: i}, true
		}
	}
	return Constraint{}, false
}

// back is the way to a visit, and its end.
func (w *pathWalk) back(at int, end Constraint) []Constraint {
	core := []Constraint{end}
	for ; at != Free; at = w.visits[at].before {
		core = append(core, w.visits[at].by)
	}
	slices.Reverse(core)
	return core
}
