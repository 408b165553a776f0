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

func (e *exporter) documentDigest(w *writer) {
	w.text(e.start(), e.plan.Digest)
}

func (e *exporter) documentContentDigest(w *writer) {
	if strings.HasPrefix(e.plan.Digest, "sha256:") {
		w.text(e.start(), ir.PlanDigest(e.plan))
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
func (e *exporter) start() uint32 {
	if e.plan.Source == nil {
		return 0
	}
	return uint32(e.plan.Source.Start)
}
