package facts

import (
	"plancheck/internal/strictjson"
	"plancheck/ir"
)

// identified returns the identity of the program, an empty one where there is
// none.
func (e *exporter) identified() *ir.Identity {
	if i := e.program().Identity; i != nil {
		return i
	}
	return &ir.Identity{}
}

// deployed returns the deployment of the program, an empty one where there is
// none.
func (e *exporter) deployed() *ir.Deployment {
	if d := e.program().Deployment; d != nil {
		return d
	}
	return &ir.Deployment{}
}

func (e *exporter) identity(w *writer) { e.stated(w, e.identified().At, e.identified().Fields()) }

func (e *exporter) identityDigests(w *writer) {
	e.statedDigests(w, e.identified().At, e.identified().Fields())
}

func (e *exporter) deployment(w *writer) { e.stated(w, e.deployed().At, e.deployed().Fields()) }

func (e *exporter) deploymentDigests(w *writer) {
	e.statedDigests(w, e.deployed().At, e.deployed().Fields())
}

// stated writes the fields that say something, of the object at an offset.
func (e *exporter) stated(w *writer, at uint32, fields []ir.Stated) {
	for _, f := range fields {
		if f.Text != "" {
			w.row(e.fieldAt(at, f), e.plan.Symbols.String(f.Field), e.plan.Symbols.String(f.Text))
		}
	}
}

func (e *exporter) statedDigests(w *writer, at uint32, fields []ir.Stated) {
	for _, f := range fields {
		if ir.IsDigest(f.Text) {
			w.row(e.fieldAt(at, f), e.plan.Symbols.String(f.Field))
		}
	}
}

// fieldAt is where a field of the object at an offset stands.
func (e *exporter) fieldAt(at uint32, f ir.Stated) uint32 {
	if e.plan.Source == nil {
		return at
	}
	return strictjson.Locate(e.plan.Source, at, f.Field)
}

func (e *exporter) deploymentFamily(w *writer) { w.text(e.deployed().At, e.deployed().Family) }

func (e *exporter) deploymentDevices(w *writer) {
	for i, id := range e.deployed().Devices {
		w.entry = int64(i)
		w.row(e.deployed().At, id)
	}
}

func (e *exporter) deploymentPlaces(w *writer) {
	for i, id := range e.deployed().Devices {
		w.entry = int64(i)
		w.row(e.deployed().At, id, e.num(int64(i)))
	}
}

func (e *exporter) deploymentLibraries(w *writer) {
	for _, l := range e.deployed().Libraries {
		w.row(l.At, e.plan.Symbols.String(l.Name), e.plan.Symbols.String(l.Version))
	}
}

func (e *exporter) librariesWork(w *writer) {
	for _, c := range e.deployed().Compatible {
		w.row(c.At, e.plan.Symbols.String(c.Library), e.plan.Symbols.String(c.Version), e.plan.Symbols.String(c.ABI))
	}
}

func (e *exporter) worldSize(w *writer) {
	if p := e.program(); p.WorldSize != 0 {
		w.row(p.WorldSizeAt, e.num(p.WorldSize))
	}
}

func (e *exporter) deviceTargets(w *writer) {
	for _, d := range e.program().Devices {
		if d.Target != ir.NoID {
			w.row(d.At, d.ID, d.Target)
		}
	}
}

func (e *exporter) implementations(w *writer) {
	for _, i := range e.program().Implementations {
		w.row(i.At, i.ID, e.plan.Symbols.String(i.Namespace), e.plan.Symbols.String(i.Name))
	}
}

// implementationTexts writes the implementations that have a text in one of
// their fields.
func (e *exporter) implementationTexts(w *writer, of func(*ir.Implementation) string) {
	for _, i := range e.program().Implementations {
		if text := of(&i); text != "" {
			w.row(i.At, i.ID, e.plan.Symbols.String(text))
		}
	}
}

func (e *exporter) implementationVersions(w *writer) {
	e.implementationTexts(w, func(i *ir.Implementation) string { return i.Version })
}

func (e *exporter) implementationABIs(w *writer) {
	e.implementationTexts(w, func(i *ir.Implementation) string { return i.ABI })
}

func (e *exporter) implementationVariants(w *writer) {
	e.implementationTexts(w, func(i *ir.Implementation) string { return i.Variant })
}
