package schedule

import (
	"cmp"
	"slices"
)

// sumConflict finds ops that are in a few stages because of what they read and
// who reads them, and whose weights are more than the cores of these stages hold
// at most. Such a conflict is out of reach of clauses when there are many ops.
// It is made small as far as counting goes; that is no proof that it is minimal.
func sumConflict(p *Problem, asked []Constraint) ([]Constraint, *Excess) {
	core, x := newSummer(p, asked).find()
	// Each round is a walk over the whole problem.
	const most = 100_000_000
	if x == nil || len(core)*(len(p.Ops)+len(p.Reads)) > most {
		return core, x
	}
	for i := 0; i < len(core); {
		less, y := newSummer(p, slices.Delete(slices.Clone(core), i, i+1)).find()
		if y == nil {
			i++
			continue
		}
		core, x, i = less, y, 0
	}
	return core, x
}

// summer adds up the weights of ops that must be in a window of stages.
type summer struct {
	p         *Problem
	on        map[Constraint]bool
	rooms     *rooms
	early     *bounds // the last stage that each op may have
	late      *bounds // the first one
	low, high []int   // of each stage and, last, the end: where its cores begin
	given     []Constraint
}

func newSummer(p *Problem, asked []Constraint) *summer {
	s := &summer{p: p, on: make(map[Constraint]bool, len(asked)), rooms: newRooms(p, newClasses(p))}
	for _, c := range asked {
		s.on[c] = true
		if c.Kind == RangeGiven {
			s.given = append(s.given, c)
		}
	}
	s.rooms.ask(asked)
	return s
}

// find returns a conflict and its sum, nil where there is none.
func (s *summer) find() ([]Constraint, *Excess) {
	p := s.p
	if !s.rooms.any() || !s.ranges() {
		return nil, nil
	}
	s.early, s.late = newBounds(s, true), newBounds(s, false)
	last := make([][]int, p.Stages) // ops by the last stage that they may have
	for o := range p.Ops {
		if len(p.Ops[o].Weights) > 0 && s.late.stage[o] <= s.early.stage[o] {
			last[s.early.stage[o]] = append(last[s.early.stage[o]], o)
		}
	}
	for first := range p.Stages {
		sum := newBytes(p)
		var ops []int
		for t := first; t < p.Stages; t++ {
			for _, o := range last[t] {
				if s.late.stage[o] >= first {
					sum.add(o)
					ops = append(ops, o)
				}
			}
			begin, end := s.low[first], s.high[t+1]
			if room, _ := s.rooms.room(begin, end); sum.sum > room {
				few, total := p.tooMany(ops, room)
				x := &Excess{Ops: few, First: first, Last: t, Cores: end - begin, Bytes: total, Room: room}
				return s.reasons(x, begin, end), x
			}
		}
	}
	return nil, nil
}

// ranges finds where the cores of stages can begin; false if nowhere.
func (s *summer) ranges() bool {
	k, c := s.p.Stages, s.p.Cores
	s.low, s.high = make([]int, k+1), make([]int, k+1)
	for t := range k + 1 {
		s.low[t], s.high[t] = t, c-k+t
	}
	s.high[0], s.low[k] = 0, c
	for _, g := range s.given {
		if first := s.p.Ranges[g.Of].First; first != Free {
			s.low[g.Of], s.high[g.Of] = max(s.low[g.Of], first), min(s.high[g.Of], first)
		}
	}
	count := func(t int) (least, most int) {
		if r := s.p.Ranges[t]; r.Count != Free && s.on[Constraint{Kind: RangeGiven, Of: t}] {
			return r.Count, r.Count
		}
		return 1, c
	}
	for t := range k {
		least, most := count(t)
		s.low[t+1], s.high[t+1] = max(s.low[t+1], s.low[t]+least), min(s.high[t+1], s.high[t]+most)
	}
	for t := k - 1; t >= 0; t-- {
		least, most := count(t)
		s.high[t], s.low[t] = min(s.high[t], s.high[t+1]-least), max(s.low[t], s.low[t+1]-most)
	}
	for t := range k + 1 {
		if s.low[t] > s.high[t] {
			return false
		}
	}
	return true
}

// reasons are the constraints behind a sum, in the order of all, but the ranges of
// other stages first: a sum is told by its own.
func (s *summer) reasons(x *Excess, begin, end int) []Constraint {
	in := map[Constraint]bool{}
	for _, o := range x.Ops {
		if x.Last < s.p.Stages-1 {
			s.early.explain(o, in)
		}
		if x.First > 0 {
			s.late.explain(o, in)
		}
	}
	for _, c := range append(s.rooms.reasons(begin, end), s.given...) {
		in[c] = true
	}
	list := []Constraint{}
	for _, c := range s.p.constraints() {
		if in[c] {
			list = append(list, c)
		}
	}
	own := func(c Constraint) int {
		if c.Kind == RangeGiven && (c.Of < x.First || c.Of > x.Last) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(list, func(a, b Constraint) int { return cmp.Compare(own(a), own(b)) })
	return list
}

// bounds are the last stages that ops may have, or the first ones, each by a
// constraint and what it makes of the bound of another op.
type bounds struct {
	stage  []int
	by     []Constraint
	before []int // Free where the constraint is enough
}

// newBounds goes from pinned ops and inputs over reads, the tightest bounds first.
func newBounds(s *summer, early bool) *bounds {
	p := s.p
	b := &bounds{stage: make([]int, len(p.Ops)), by: make([]Constraint, len(p.Ops)), before: make([]int, len(p.Ops))}
	w := newPathWalk(p)
	// A bound is as tight as its distance from the first stage, or the last.
	queue := make([][]int, p.Stages)
	tight := make([]int, len(p.Ops))
	reach := func(o, distance, before int, by Constraint) {
		if s.on[by] && distance < tight[o] {
			tight[o], b.by[o], b.before[o] = distance, by, before
			queue[distance] = append(queue[distance], o)
		}
	}
	for o := range p.Ops {
		tight[o] = p.Stages - 1
	}
	for o := range p.Ops {
		distance := p.Ops[o].Hi
		if !early {
			distance = p.Stages - 1 - p.Ops[o].Lo
		}
		reach(o, distance, Free, Constraint{Kind: StagePinned, Of: o})
	}
	for i, r := range p.Reads {
		if v := &p.Values[r.Value]; early && v.From == Outside && v.Forward == 0 {
			reach(r.To, 0, Free, Constraint{Kind: Reading, Of: i})
		}
	}
	for distance := range queue {
		for at := 0; at < len(queue[distance]); at++ {
			o := queue[distance][at]
			if tight[o] < distance {
				continue
			}
			b.spread(p, w, o, early, func(to, by, further int) {
				reach(to, distance+further, o, Constraint{Kind: Reading, Of: by})
			})
		}
	}
	for o := range b.stage {
		b.stage[o] = tight[o]
		if !early {
			b.stage[o] = p.Stages - 1 - tight[o]
		}
	}
	return b
}

// spread calls reach for each op that a bound of o bounds, by a read: as tightly,
// or a stage further.
func (b *bounds) spread(p *Problem, w *pathWalk, o int, early bool, reach func(to, by, further int)) {
	as, further := w.reads[o], w.readBy[o]
	if !early {
		as, further = further, as
	}
	other := func(i int) int {
		if r := p.Reads[i]; r.To != o {
			return r.To
		}
		return p.Values[p.Reads[i].Value].From
	}
	for _, i := range as {
		if to := other(i); to != Outside {
			reach(to, i, 0)
		}
	}
	for _, i := range further {
		if to := other(i); to != Outside && p.Values[p.Reads[i].Value].Forward == 0 {
			reach(to, i, 1)
		}
	}
}

// explain adds the constraints behind the bound of an op.
func (b *bounds) explain(o int, in map[Constraint]bool) {
	for o != Free && b.by[o] != (Constraint{}) {
		in[b.by[o]] = true
		o = b.before[o]
	}
}

// bySpan orders reads of a conflict: those over which most other ops lie first,
// since these are what one might give up.
func bySpan(p *Problem, core []Constraint, reads []int) {
	at := make([]int, len(p.Ops))
	for i, o := range p.Order() {
		at[o] = i
	}
	span := func(i int) int {
		r := p.Reads[core[i].Of]
		from := p.Values[r.Value].From
		if from == Outside {
			return len(p.Ops) // uses of inputs before all
		}
		return at[r.To] - at[from]
	}
	slices.SortStableFunc(reads, func(a, b int) int { return cmp.Compare(span(b), span(a)) })
}
