package facts

import (
	"fmt"

	"plancheck/ir"
)

// target returns the cores of the target; none where there is no target.
func (e *exporter) targetCores() []ir.Core {
	if e.plan.Target == nil {
		return nil
	}
	return e.plan.Target.Cores
}

func (e *exporter) cores(w *writer) {
	cores := e.targetCores()
	w.grow(len(cores))
	for i := range cores {
		w.row(cores[i].At, e.num(cores[i].ID))
	}
}

func (e *exporter) coreCapacities(w *writer) {
	for _, c := range e.targetCores() {
		if c.Capacity != ir.None {
			w.row(c.At, e.num(c.ID), e.num(c.Capacity))
		}
	}
}

func (e *exporter) coreKinds(w *writer) {
	for _, c := range e.targetCores() {
		if c.Kind != "" {
			w.row(c.At, e.num(c.ID), e.plan.Symbols.String(c.Kind))
		}
	}
}

func (e *exporter) corePositions(w *writer) {
	for _, c := range e.targetCores() {
		if c.Row != ir.None {
			w.row(c.At, e.num(c.ID), e.num(c.Row), e.num(c.Col))
		}
	}
}

func (e *exporter) mesh(w *writer) {
	if t := e.plan.Target; t != nil && t.Mesh != nil {
		w.row(t.MeshAt, e.num(t.Mesh[0]), e.num(t.Mesh[1]))
	}
}

func (e *exporter) coreDistances(w *writer) {
	t := e.plan.Target
	if t == nil || t.Distances == nil {
		return
	}
	w.grow(len(t.Cores) * len(t.Cores))
	for i, from := range t.Cores {
		for j, to := range t.Cores {
			w.row(t.At, e.num(from.ID), e.num(to.ID), e.num(t.Distances[i][j]))
		}
	}
}

func (e *exporter) coreCount(w *writer) {
	if t := e.plan.Target; t != nil {
		w.count(t.CoreCountAt, t.CoreCount)
	}
}

func (e *exporter) bytesPerCycle(w *writer) {
	if t := e.plan.Target; t != nil {
		w.count(t.BytesPerCycleAt, t.BytesPerCycle)
	}
}

func (e *exporter) logicalCores(w *writer) {
	n, at, _ := e.logical()
	if !w.expand(0, n, at, func() string { return fmt.Sprintf("there are %d logical cores", n) }) {
		return
	}
	for core := range n {
		w.row(at, e.num(core))
	}
}

func (e *exporter) logicalCoreCount(w *writer) {
	if n, at, known := e.logical(); known {
		w.row(at, e.num(n))
	}
}

func (e *exporter) stages(w *writer) {
	w.grow(len(e.plan.Stages))
	for i := range e.plan.Stages {
		w.row(e.plan.Stages[i].At, e.num(e.plan.Stages[i].Index))
	}
}

func (e *exporter) stageRanges(w *writer) {
	for _, s := range e.plan.Stages {
		if s.First != ir.None {
			w.row(s.At, e.num(s.Index), e.num(s.First), e.num(s.Count))
		}
	}
}
