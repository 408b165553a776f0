package facts

import (
	"fmt"
	"slices"

	"plancheck/internal/symbol"
	"plancheck/ir"
)

// lanes returns how many lanes an instance entry lists.
func (e *exporter) lanes(in *ir.Instance) int64 {
	switch {
	case in.Lanes != nil:
		return int64(len(in.Lanes))
	case in.Cores != nil:
		return int64(len(in.Cores))
	}
	if i, ok := e.op(in.Op); ok {
		return e.plan.Graph.Ops[i].Lanes
	}
	return 0
}

// lanesFit asks whether all listed lanes may be looked at one by one. It comes
// before anything that does so.
func (e *exporter) lanesFit(w *writer) bool {
	n := int64(0)
	for i := 0; i < len(e.plan.Assignment.Instances) && !e.lanesCounted; i++ {
		in := &e.plan.Assignment.Instances[i]
		lanes := e.lanes(in)
		if lanes > e.limit-n {
			w.tooMany(in.At, e.allLanes(in))
			return false
		}
		n += lanes
	}
	e.lanesCounted = true
	return true
}

func (e *exporter) allLanes(in *ir.Instance) func() string {
	return func() string {
		return fmt.Sprintf("the instance of op %s stands for all its %d lanes", e.plan.Symbols.Format(in.Op), e.lanes(in))
	}
}

func laneOf(in *ir.Instance, i int64) int64 {
	if in.Lanes != nil {
		return in.Lanes[i]
	}
	return i
}

func coreOf(in *ir.Instance, i int64) int64 {
	if in.Cores != nil {
		return in.Cores[i]
	}
	return ir.None
}

// decided says whether every listed lane has its stage and its core.
func (e *exporter) decided() bool {
	if e.holes == unknown {
		e.holes = none
		for i := range e.plan.Assignment.Instances {
			in := &e.plan.Assignment.Instances[i]
			if in.Stage == ir.None || in.Cores == nil || slices.Contains(in.Cores, ir.None) {
				e.holes = present
				break
			}
		}
	}
	return e.holes == none
}

// instanceRows writes a row for each listed lane that pick chooses, which
// takes the entry and the core of the lane.
func (e *exporter) instanceRows(w *writer, pick func(in *ir.Instance, core int64) bool, row func(in *ir.Instance, lane, core int64) bool) {
	if !e.lanesFit(w) {
		return
	}
	if w.places == nil && e.findRepeats().none {
		// Parts of a lane are rows of their own only where the part is a column.
		w.distinct = w.hasColumn("Part") || !e.findRepeats().parts
	}
	if e.decided() && w.copyLike() {
		return
	}
	instances := e.plan.Assignment.Instances
	n := int64(0)
	for i := range instances {
		in := &instances[i]
		lanes := e.lanes(in)
		if !w.expand(n, lanes, in.At, e.allLanes(in)) {
			return
		}
		if in.Cores == nil {
			if pick(in, ir.None) {
				n += lanes
			}
			continue
		}
		for _, core := range in.Cores {
			if pick(in, core) {
				n++
			}
		}
	}
	w.grow(int(n))
	if n == 0 {
		return
	}
	for i := range instances {
		in := &instances[i]
		for l := range e.lanes(in) {
			w.entry = l
			if core := coreOf(in, l); pick(in, core) && !row(in, laneOf(in, l), core) {
				return
			}
		}
	}
}

func complete(in *ir.Instance, core int64) bool  { return in.Stage != ir.None && core != ir.None }
func hasStage(in *ir.Instance, _ int64) bool     { return in.Stage != ir.None }
func hasCore(_ *ir.Instance, core int64) bool    { return core != ir.None }
func stageOnly(in *ir.Instance, core int64) bool { return in.Stage != ir.None && core == ir.None }
func coreOnly(in *ir.Instance, core int64) bool  { return in.Stage == ir.None && core != ir.None }
func open(in *ir.Instance, core int64) bool      { return in.Stage == ir.None && core == ir.None }
func listed(*ir.Instance, int64) bool            { return true }

// part narrows a choice of lanes to entries that name a part.
func part(pick func(*ir.Instance, int64) bool) func(*ir.Instance, int64) bool {
	return func(in *ir.Instance, core int64) bool { return in.Part != ir.None && pick(in, core) }
}

func (e *exporter) instances(w *writer) {
	e.instanceRows(w, complete, func(in *ir.Instance, lane, core int64) bool {
		return w.row(in.At, in.Op, e.num(lane), e.num(in.Stage), e.num(core))
	})
}

func (e *exporter) instanceStages(w *writer) {
	e.instanceRows(w, hasStage, func(in *ir.Instance, lane, _ int64) bool {
		return w.row(in.At, in.Op, e.num(lane), e.num(in.Stage))
	})
}

func (e *exporter) instanceCores(w *writer) {
	e.instanceRows(w, hasCore, func(in *ir.Instance, lane, core int64) bool {
		return w.row(in.At, in.Op, e.num(lane), e.num(core))
	})
}

func (e *exporter) instancesListed(w *writer) {
	e.instanceRows(w, listed, func(in *ir.Instance, lane, _ int64) bool {
		return w.row(in.At, in.Op, e.num(lane))
	})
}

func (e *exporter) instancesStageOnly(w *writer) {
	if e.decided() {
		return
	}
	e.instanceRows(w, stageOnly, func(in *ir.Instance, lane, _ int64) bool {
		return w.row(in.At, in.Op, e.num(lane), e.num(in.Stage))
	})
}

func (e *exporter) instancesCoreOnly(w *writer) {
	if e.decided() {
		return
	}
	e.instanceRows(w, coreOnly, func(in *ir.Instance, lane, core int64) bool {
		return w.row(in.At, in.Op, e.num(lane), e.num(core))
	})
}

func (e *exporter) instancesOpen(w *writer) {
	if e.decided() {
		return
	}
	e.instanceRows(w, open, func(in *ir.Instance, lane, _ int64) bool {
		return w.row(in.At, in.Op, e.num(lane))
	})
}

func (e *exporter) parts(w *writer) {
	e.instanceRows(w, part(complete), func(in *ir.Instance, lane, core int64) bool {
		return w.row(in.At, in.Op, e.num(lane), e.num(in.Part), e.num(in.Stage), e.num(core))
	})
}

func (e *exporter) partStages(w *writer) {
	e.instanceRows(w, part(hasStage), func(in *ir.Instance, lane, _ int64) bool {
		return w.row(in.At, in.Op, e.num(lane), e.num(in.Part), e.num(in.Stage))
	})
}

func (e *exporter) partCores(w *writer) {
	e.instanceRows(w, part(hasCore), func(in *ir.Instance, lane, core int64) bool {
		return w.row(in.At, in.Op, e.num(lane), e.num(in.Part), e.num(core))
	})
}

func (e *exporter) partsListed(w *writer) {
	e.instanceRows(w, part(listed), func(in *ir.Instance, lane, _ int64) bool {
		return w.row(in.At, in.Op, e.num(lane), e.num(in.Part))
	})
}

func (e *exporter) wholeLanesListed(w *writer) {
	if len(e.plan.Assignment.Splits) == 0 {
		return
	}
	split := map[ir.ID]bool{}
	for _, s := range e.plan.Assignment.Splits {
		split[s.Op] = true
	}
	whole := func(in *ir.Instance, _ int64) bool { return in.Part == ir.None && split[in.Op] }
	e.instanceRows(w, whole, func(in *ir.Instance, lane, _ int64) bool {
		return w.row(in.At, in.Op, e.num(lane))
	})
}

func (e *exporter) instancesRepeated(w *writer) {
	if !e.lanesFit(w) {
		return
	}
	for _, r := range e.findRepeats().rows {
		w.entry = r.entry
		w.row(r.at, r.op, e.num(r.lane))
	}
}

func (e *exporter) splits(w *writer) {
	for _, s := range e.plan.Assignment.Splits {
		w.row(s.At, s.Op, e.num(s.Parts))
	}
}

func (e *exporter) splitParts(w *writer) {
	for _, s := range e.plan.Assignment.Splits {
		if !w.expand(0, s.Parts, s.At, func() string {
			return fmt.Sprintf("op %s is split into %d parts", e.plan.Symbols.Format(s.Op), s.Parts)
		}) {
			return
		}
		for part := range s.Parts {
			w.row(s.At, s.Op, e.num(part))
		}
	}
}

// residentRows calls row for each lane and core of the entries that name a part,
// or of those that name none. Part 0 of 1 is no part but the whole.
func (e *exporter) residentRows(w *writer, parts bool, row func(r *ir.Resident, lane, core symbol.Value)) {
	for i := range e.plan.Assignment.Residency {
		r := &e.plan.Assignment.Residency[i]
		if whole := r.Part == ir.None || r.Part == 0 && r.Parts == 1; whole == parts {
			continue
		}
		for l, core := range r.Cores {
			lane := int64(l)
			if r.Lanes != nil {
				lane = r.Lanes[l]
			}
			w.entry = int64(l)
			row(r, e.num(lane), e.num(core))
		}
	}
}

func (e *exporter) residentsListed(w *writer) {
	e.residentRows(w, false, func(r *ir.Resident, lane, core symbol.Value) {
		w.row(r.At, r.Weight, lane, core)
	})
}

func (e *exporter) residentPartsListed(w *writer) {
	e.residentRows(w, true, func(r *ir.Resident, lane, core symbol.Value) {
		w.row(r.At, r.Weight, lane, e.num(r.Part), e.num(r.Parts), core)
	})
}

func (e *exporter) replicas(w *writer) {
	for _, r := range e.plan.Assignment.Replicas {
		w.row(r.At, r.Op, e.num(r.Index), e.num(r.First), e.num(r.Count))
	}
}

func (e *exporter) placements(w *writer) {
	e.placementRows(func(at uint32, logical int, physical int64) {
		if physical != ir.None {
			w.row(at, e.num(int64(logical)), e.num(physical))
		}
	})
}

func (e *exporter) placementsOpen(w *writer) {
	e.placementRows(func(at uint32, logical int, physical int64) {
		if physical == ir.None {
			w.row(at, e.num(int64(logical)))
		}
	})
}

func (e *exporter) placementRows(row func(at uint32, logical int, physical int64)) {
	a := &e.plan.Assignment
	for logical, physical := range a.Placement {
		at := a.PlacementAt
		if logical < len(a.PlacementsAt) {
			at = a.PlacementsAt[logical]
		}
		row(at, logical, physical)
	}
}

func (e *exporter) placementCount(w *writer) {
	if a := &e.plan.Assignment; a.Placement != nil {
		w.count(a.PlacementAt, int64(len(a.Placement)))
	}
}
