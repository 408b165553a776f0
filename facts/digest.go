package facts

import (
	"strings"

	"plancheck/ir"
)

func (e *exporter) graphDigest(w *writer) {
	switch p := e.plan; {
	case p.Graph.Digest != "":
		w.text(p.Graph.DigestAt, p.Graph.Digest)
	case p.Assignment.GraphDigest != "":
		w.text(p.Assignment.GraphDigestAt, e.graphContent())
	}
}

func (e *exporter) graphContentDigest(w *writer) {
	p := e.plan
	if p.Assignment.GraphDigest != "" || strings.HasPrefix(p.Graph.Digest, "sha256:") {
		w.text(p.Graph.DigestAt, e.graphContent())
	}
}

func (e *exporter) assignmentGraphDigest(w *writer) {
	w.text(e.plan.Assignment.GraphDigestAt, e.plan.Assignment.GraphDigest)
}

func (e *exporter) documentSchema(w *writer) {
	if b := e.document.Body(); b != nil {
		w.text(e.start(), b.Head().Schema)
	}
}

func (e *exporter) documentName(w *writer) {
	if b := e.document.Body(); b != nil {
		w.text(e.start(), b.Head().Name)
	}
}

func (e *exporter) documentDigest(w *writer) {
	w.text(e.start(), e.document.stated())
}

func (e *exporter) documentContentDigest(w *writer) {
	if strings.HasPrefix(e.document.stated(), "sha256:") {
		w.text(e.start(), e.document.Digest())
	}
}

func (e *exporter) parentContent(w *writer) {
	if e.above != nil {
		d := e.above.document
		w.row(e.start(), e.plan.Symbols.String(d.Schema), e.plan.Symbols.String(d.Digest()))
	}
}

func (e *exporter) parentMadeFrom(w *writer) {
	if e.above == nil || e.above.document.body == nil {
		return
	}
	for _, p := range e.above.document.body.Head().Parents {
		w.row(e.start(), e.plan.Symbols.String(p.Schema), e.plan.Symbols.String(p.Digest))
	}
}

// graphContent digests the graph, once.
func (e *exporter) graphContent() string {
	if e.content == "" {
		e.content = ir.GraphDigest(e.plan)
	}
	return e.content
}

// start is the offset of the whole document.
func (e *exporter) start() uint32 { return e.document.start() }
