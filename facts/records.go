package facts

import "plancheck/ir"

func (e *exporter) transfers(w *writer) {
	for _, t := range e.plan.Transfers {
		w.row(t.At, t.ID, t.From, t.To)
	}
}

func (e *exporter) transferStages(w *writer) {
	e.stageRows(w, func(t *ir.Transfer) int64 { return t.Stage })
}

func (e *exporter) transferFromStages(w *writer) {
	e.stageRows(w, func(t *ir.Transfer) int64 { return t.FromStage })
}

func (e *exporter) transferToStages(w *writer) {
	e.stageRows(w, func(t *ir.Transfer) int64 { return t.ToStage })
}

func (e *exporter) stageRows(w *writer, stage func(*ir.Transfer) int64) {
	for i := range e.plan.Transfers {
		t := &e.plan.Transfers[i]
		if s := stage(t); s != ir.None {
			w.row(t.At, t.ID, e.num(s))
		}
	}
}

func (e *exporter) syncs(w *writer) {
	for _, s := range e.plan.Syncs {
		w.row(s.At, s.ID, s.Op)
	}
}

func (e *exporter) syncStages(w *writer) {
	for _, s := range e.plan.Syncs {
		if s.Stage != ir.None {
			w.row(s.At, s.ID, e.num(s.Stage))
		}
	}
}
