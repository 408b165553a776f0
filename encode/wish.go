package encode

import (
	"fmt"

	"plancheck/internal/diag"
	"plancheck/internal/search/schedule"
	"plancheck/ir"
)

// Repairer makes a plan legal that breaks rules, and keeps what it can.
type Repairer struct {
	*Model
	// Wish is what the plan decides, of which as much as possible is kept.
	Wish schedule.Wish
	// Reread is how many reads come from forwards now that the graph had.
	Reread int

	given    *ir.Plan      // as it was
	loose    changes       // what is changed whatever is decided
	index    map[ir.ID]int // of each op of the plan
	entries  [][]int       // of each op, its instances
	seats    [][]int       // of each instance, the share in each place; gone where there is none
	homeless [][]int       // of each op, the shares that no instance has
}

// gone stands for a lane of an instance that has no share left to mean.
const gone = -1

// NewRepairer puts a plan into numbers in which nothing is decided but how many
// stages and cores there are, and into how many parts lanes are split. All else
// that the plan decides is a wish. Of the options Free does not count, and Stages
// says how many stages there are to be at least; 0 is as many as are listed.
//
// With reread, ops that read a value from too far behind read it from a forward
// that carries it already, where there is one; Reread says how many do. Values of
// which nothing tells the work of a forward are not carried.
//
// Diagnostics say what no other decision can put right.
func NewRepairer(p *ir.Plan, o Options, reread bool) (*Repairer, []diag.Diagnostic) {
	r := &Repairer{given: p}
	loose := loosen(p, o.Stages, &r.loose)
	if reread {
		r.Reread = reconnect(loose, &r.loose)
	}
	o.Unpriced = true
	o.Stages, o.Cores, o.Free = 0, 0, Free{Stage: true, Core: true, Placement: true}
	m, refused := New(loose, o)
	for m != nil && m.Hopeless != nil && m.Finer() {
		o.MoreParts++
		m, refused = New(loose, o)
	}
	if m == nil {
		return nil, refused
	}
	if m.Hopeless != nil {
		return nil, m.Hopeless
	}
	r.Model = m
	r.seat()
	r.wish()
	return r, nil
}

// MoreParts is into how many parts more than the fewest lanes are split.
func (r *Repairer) MoreParts() int { return r.options.MoreParts }

// Certain is how many changes, or more, are made whatever is decided.
func (r *Repairer) Certain() int {
	n := 0
	for i := range r.loose.list {
		if r.loose.list[i].Counts() {
			n++
		}
	}
	return n
}

// seat finds out which share of its op each place in an instance means: the one
// that it names, or, where that does not exist or is named before, the first that
// no other instance names.
func (r *Repairer) seat() {
	p := r.plan
	r.index = r.opIndex()
	r.entries, r.homeless = make([][]int, len(p.Graph.Ops)), make([][]int, len(p.Graph.Ops))
	r.seats = make([][]int, len(p.Assignment.Instances))
	for i := range p.Assignment.Instances {
		op := r.index[p.Assignment.Instances[i].Op]
		r.entries[op] = append(r.entries[op], i)
	}
	for op := range p.Graph.Ops {
		r.seatOp(op)
	}
}

func (m *Model) opIndex() map[ir.ID]int {
	index := map[ir.ID]int{}
	for i := range m.plan.Graph.Ops {
		index[m.plan.Graph.Ops[i].ID] = i
	}
	return index
}

// lanesOf are the lanes that an instance names, in the order of its cores.
func (r *Repairer) lanesOf(in *ir.Instance, op int) []int64 {
	if in.Lanes != nil {
		return in.Lanes
	}
	n := len(in.Cores)
	if in.Cores == nil {
		n = r.Problem.Ops[op].Lanes
	}
	lanes := make([]int64, n)
	for i := range lanes {
		lanes[i] = int64(i)
	}
	return lanes
}

func (r *Repairer) seatOp(op int) {
	o := &r.Problem.Ops[op]
	taken := make([]bool, o.Shares())
	fits := func(share int) bool { return !taken[share] }
	for _, e := range r.entries[op] { // those that name a share
		in := &r.plan.Assignment.Instances[e]
		r.seats[e] = []int{}
		part, known := r.part(op, in)
		for _, lane := range r.lanesOf(in, op) {
			share := gone
			if known && lane < int64(o.Lanes) {
				if at := int(lane)*o.Parts + part; fits(at) {
					share, taken[at] = at, true
				}
			}
			r.seats[e] = append(r.seats[e], share)
		}
	}
	for _, e := range r.entries[op] { // and the others
		in := &r.plan.Assignment.Instances[e]
		part, known := r.part(op, in)
		if !known {
			part = firstPart(o, taken)
		}
		for i, share := range r.seats[e] {
			for lane := 0; share == gone && lane < o.Lanes; lane++ {
				if at := lane*o.Parts + part; fits(at) {
					share, taken[at] = at, true
				}
			}
			r.seats[e][i] = share
		}
	}
	for share, is := range taken {
		if !is {
			r.homeless[op] = append(r.homeless[op], share)
		}
	}
}

// part is the part that an instance is of, and whether it names one that exists.
func (r *Repairer) part(op int, in *ir.Instance) (int, bool) {
	switch o := &r.Problem.Ops[op]; {
	case !r.split[op]:
		return 0, in.Part == ir.None
	case in.Part == ir.None || in.Part >= int64(o.Parts):
		return 0, false
	}
	return int(in.Part), true
}

// firstPart is the first part of which some lane is not taken.
func firstPart(o *schedule.Op, taken []bool) int {
	for part := range o.Parts {
		for lane := range o.Lanes {
			if !taken[lane*o.Parts+part] {
				return part
			}
		}
	}
	return 0
}

// wish reads what the plan decides.
func (r *Repairer) wish() {
	p, a := r.plan, &r.plan.Assignment
	w := &r.Wish
	for op := range p.Graph.Ops {
		w.Stage = append(w.Stage, r.wishedStage(op))
		var cores []int
		for _, e := range r.entries[op] {
			in := &a.Instances[e]
			for i, share := range r.seats[e] {
				if share == gone || in.Cores == nil || in.Cores[i] == ir.None {
					continue
				}
				if cores == nil {
					cores = make([]int, r.Problem.Ops[op].Shares())
					for j := range cores {
						cores[j] = schedule.Free
					}
				}
				cores[share] = clip(in.Cores[i])
			}
		}
		w.Core = append(w.Core, cores)
	}
	w.Ranges = make([]schedule.Range, r.Problem.Stages)
	for i := range p.Stages {
		s := &p.Stages[i]
		w.Ranges[s.Index] = schedule.Range{First: clip(s.First), Count: clip(s.Count)}
	}
	if a.Placement == nil || p.Target == nil {
		return
	}
	at := map[int64]int{}
	for i := range p.Target.Cores {
		at[p.Target.Cores[i].ID] = i
	}
	for core := range r.Problem.Cores {
		place := schedule.Free
		if core < len(a.Placement) && a.Placement[core] != ir.None {
			place = len(p.Target.Cores) // one that does not exist
			if i, known := at[a.Placement[core]]; known {
				place = i
			}
		}
		w.Place = append(w.Place, place)
	}
}

// clip makes a number of a plan small enough; what is larger exists nowhere.
func clip(n int64) int { return int(min(n, schedule.MostCores+1)) }

// wishedStage is the stage that most shares of an op are put in, the first of
// those.
func (r *Repairer) wishedStage(op int) int {
	count, best := map[int64]int{}, int64(ir.None)
	for _, e := range r.entries[op] {
		in := &r.plan.Assignment.Instances[e]
		if in.Stage == ir.None {
			continue
		}
		count[in.Stage] += len(r.seats[e])
	}
	for _, e := range r.entries[op] {
		if s := r.plan.Assignment.Instances[e].Stage; s != ir.None && (best == ir.None || count[s] > count[best]) {
			best = s
		}
	}
	return clip(best)
}

// share names a lane, or a part of one.
func (r *Repairer) share(op, share int) string {
	o := &r.Problem.Ops[op]
	name := fmt.Sprintf("op %s, lane %d", r.plan.Symbols.Show(r.plan.Graph.Ops[op].ID), share/o.Parts)
	if r.split[op] {
		name += fmt.Sprintf(", part %d", share%o.Parts)
	}
	return name
}
