package schedule

import "slices"

// rotation goes from one assignment that keeps all of a conflict's constraints
// but one to others, by moving an op that this one is about: where again exactly
// one is broken, that one is needed too, and nobody has to search for it.
type rotation struct {
	p      *Problem
	core   []Constraint
	about  [][]int // of each op, the constraints about it, by index
	filled int     // the index of Filled, or -1
	stage  []int   // of each op
	count  []int   // of each stage, the ops that fill it
}

// newRotation returns nil for a conflict that is about more than stages.
func newRotation(p *Problem, core []Constraint, stage []int) *rotation {
	r := &rotation{p: p, core: core, about: make([][]int, len(p.Ops)), filled: -1, stage: slices.Clone(stage), count: make([]int, p.Stages)}
	for i, c := range core {
		switch c.Kind {
		case Reading:
			from, to := p.Values[p.Reads[c.Of].Value].From, p.Reads[c.Of].To
			r.about[to] = append(r.about[to], i)
			if from != Outside {
				r.about[from] = append(r.about[from], i)
			}
		case StagePinned:
			r.about[c.Of] = append(r.about[c.Of], i)
		case Filled:
			r.filled = i
		default:
			return nil
		}
	}
	for o, s := range stage {
		r.fill(o, s, 1)
	}
	return r
}

func (r *rotation) fill(o, stage, by int) {
	if !r.p.Ops[o].Carries {
		r.count[stage] += by
	}
}

// run marks what is needed, beginning with a broken constraint, which is marked.
func (r *rotation) run(broken int, needed []bool) {
	for {
		next, moved := Free, false
		for _, move := range r.moves(broken) {
			if next = r.move(move[0], move[1]); next != Free && !needed[next] {
				moved = true
				break
			}
			r.put(move[0], move[2])
		}
		if !moved {
			return
		}
		needed[next] = true
		broken = next
	}
}

// moves are what keeps a broken constraint: an op, its new stage and its old one.
func (r *rotation) moves(broken int) [][3]int {
	var list [][3]int
	add := func(o, stage int) {
		if stage >= 0 && stage < r.p.Stages && stage != r.stage[o] {
			list = append(list, [3]int{o, stage, r.stage[o]})
		}
	}
	switch c := r.core[broken]; c.Kind {
	case StagePinned:
		add(c.Of, r.p.Ops[c.Of].Lo)
		add(c.Of, r.p.Ops[c.Of].Hi)
	case Reading:
		read := r.p.Reads[c.Of]
		from := r.p.Values[read.Value].From
		if from == Outside {
			add(read.To, 0)
			break
		}
		a, b := r.stage[from], r.stage[read.To]
		add(read.To, a)
		add(read.To, a+1)
		add(from, b)
		add(from, b-1)
	}
	return list
}

func (r *rotation) put(o, stage int) {
	r.fill(o, r.stage[o], -1)
	r.stage[o] = stage
	r.fill(o, stage, 1)
}

// move moves an op and returns the only constraint that is broken then; Free for
// none or several.
func (r *rotation) move(o, stage int) int {
	r.put(o, stage)
	only := Free
	for _, i := range r.about[o] {
		if r.keeps(i) {
			continue
		}
		if only != Free {
			return Free
		}
		only = i
	}
	if r.filled >= 0 && !r.keeps(r.filled) {
		if only != Free {
			return Free
		}
		only = r.filled
	}
	return only
}

// keeps says whether the stages keep a constraint.
func (r *rotation) keeps(i int) bool {
	switch c := r.core[i]; c.Kind {
	case Reading:
		read := r.p.Reads[c.Of]
		v := &r.p.Values[read.Value]
		at := Outside
		if v.From != Outside {
			at = r.stage[v.From]
		}
		return r.stage[read.To] >= at && (v.Forward > 0 || r.stage[read.To] <= at+1)
	case StagePinned:
		return r.p.Ops[c.Of].Lo <= r.stage[c.Of] && r.stage[c.Of] <= r.p.Ops[c.Of].Hi
	default:
		return !slices.Contains(r.count, 0)
	}
}
