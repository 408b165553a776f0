package facts

import "plancheck/ir"

// repeats says which lanes, or parts of lanes, the plan lists more than once.
type repeats struct {
	rows  []repeat // in document order; each lane once
	none  bool     // nothing is listed twice
	parts bool     // some entry names a part
}

type repeat struct {
	at    uint32 // of the instance that repeats the lane
	entry int64  // position of the lane in it
	op    ir.ID
	lane  int64
}

// findRepeats needs memory only for ops whose lanes are not listed in
// ascending order: of those it remembers what it has seen.
func (e *exporter) findRepeats() *repeats {
	if e.repeats != nil {
		return e.repeats
	}
	r := &repeats{}
	suspects := e.outOfOrder(r)
	type key struct {
		op         ir.ID
		lane, part int64
	}
	seen := map[key]bool{}
	told := map[key]bool{}
	instances := e.plan.Assignment.Instances
	for i := range instances {
		in := &instances[i]
		if !suspects[in.Op] {
			continue
		}
		for l := range e.lanes(in) {
			k := key{in.Op, laneOf(in, l), in.Part}
			lane := key{in.Op, k.lane, ir.None}
			if seen[k] && !told[lane] {
				told[lane] = true
				r.rows = append(r.rows, repeat{in.At, l, in.Op, k.lane})
			}
			seen[k] = true
		}
	}
	r.none = len(r.rows) == 0
	e.repeats = r
	return r
}

// outOfOrder returns the ops that may have a repeat: those whose entries are
// not in ascending order of part and lane.
func (e *exporter) outOfOrder(r *repeats) map[ir.ID]bool {
	type last struct{ part, lane int64 }
	suspects := map[ir.ID]bool{}
	ends := make([]last, len(e.plan.Graph.Ops))
	for i := range ends {
		ends[i] = last{ir.None, -1}
	}
	instances := e.plan.Assignment.Instances
	for i := range instances {
		in := &instances[i]
		r.parts = r.parts || in.Part != ir.None
		op, ok := e.op(in.Op)
		n := e.lanes(in)
		if !ok || n == 0 {
			continue
		}
		end := &ends[op]
		ascending := in.Part > end.part || in.Part == end.part && laneOf(in, 0) > end.lane
		for l := int64(1); l < n && in.Lanes != nil; l++ {
			ascending = ascending && in.Lanes[l] > in.Lanes[l-1]
		}
		if !ascending {
			suspects[in.Op] = true
		}
		*end = last{in.Part, laneOf(in, n-1)}
	}
	return suspects
}
