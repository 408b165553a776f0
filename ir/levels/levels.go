// Package levels is the table of the levels whose documents are described by
// their Go types: all but ConcretePlanIR, which has a codec of its own in ir.
package levels

import (
	"fmt"
	"slices"
	"strings"

	"plancheck/internal/diag"
	"plancheck/internal/record"
	"plancheck/internal/strictjson"
	"plancheck/ir"
	"plancheck/ir/evidence"
	"plancheck/ir/level"
	"plancheck/ir/machine"
	"plancheck/ir/model"
	"plancheck/ir/observation"
	"plancheck/ir/portable"
	"plancheck/ir/task"
	"plancheck/ir/timeline"
)

// Level is one kind of document.
type Level struct {
	Schema string   // plancheck.model/1
	Name   string   // ModelIR
	Rules  []string // the built-in rule files that judge it
	New    func() level.Body
}

// All lists the levels from the model down.
func All() []Level {
	return []Level{
		{model.Schema, "ModelIR", []string{"digest", "document", "model"}, func() level.Body { return &model.Model{} }},
		{task.Schema, "DistributedTaskIR", []string{"digest", "document", "task", "task_from_model", "task_work"}, func() level.Body { return &task.Distributed{} }},
		{portable.Schema, "PortablePlanIR", []string{"digest", "document", "portable", "portable_from_task"}, func() level.Body { return &portable.Plan{} }},
		{machine.Schema, "MachineIR", []string{"digest", "document", "machine", "machine_from_plan", "machine_from_portable", "machine_from_task"}, func() level.Body { return &machine.Program{} }},
		{timeline.Schema, "TimelineBundle", []string{"digest", "timeline", "timeline_from_binding", "timeline_from_evidence", "timeline_memory", "timeline_spatial"}, func() level.Body { return &timeline.Bundle{} }},
		{evidence.TargetSchema, "TargetProfile", []string{"digest", "evidence"}, func() level.Body { return &evidence.Target{} }},
		{evidence.DeploymentSchema, "DeploymentProfile", []string{"digest", "evidence"}, func() level.Body { return &evidence.Deployment{} }},
		{evidence.EvidenceSchema, "Evidence", []string{"digest", "evidence"}, func() level.Body { return &evidence.Evidence{} }},
		{evidence.BindingSchema, "Binding", []string{"binding", "digest"}, func() level.Body { return &evidence.Binding{} }},
		{observation.Schema, "ObservationSet", []string{"digest", "observation"}, func() level.Body { return &observation.Set{} }},
	}
}

// Of returns the level of a schema.
func Of(schema string) (Level, bool) {
	all := All()
	i := slices.IndexFunc(all, func(l Level) bool { return l.Schema == schema })
	if i < 0 {
		return Level{}, false
	}
	return all[i], true
}

// Declared returns the level that a document says it is of, by its field schema.
func Declared(src *diag.Source) (Level, bool) { return Of(ir.DeclaredSchema(src)) }

// Decode reads a document of a level strictly. It returns either the document or
// every error of it, sorted, each with its place.
func (l Level) Decode(src *diag.Source) (level.Body, []diag.Diagnostic) {
	body := l.New()
	r := strictjson.NewReader(src)
	at := r.Offset()
	record.Read(r, body)
	r.End()
	if got := body.Head().Schema; !r.Failed() && got != l.Schema {
		code, stem := "schema-name-mismatch", strings.TrimRight(l.Schema, "0123456789")
		if strings.HasPrefix(got, stem) {
			code = "schema-version-mismatch"
		}
		r.Report(strictjson.Locate(src, at, "schema"), code, fmt.Sprintf("the schema is %s, and must be %s", strictjson.Quote(got), strictjson.Quote(l.Schema)), "")
	}
	if r.Failed() {
		return nil, r.Diagnostics()
	}
	return body, nil
}

// Encode writes a document in the readable style.
func Encode(b level.Body) []byte { return record.Encode(b) }

// Parent names a document as a parent.
func Parent(b level.Body) level.Parent {
	return level.Parent{Schema: b.Head().Schema, Digest: Digest(b)}
}

// Digest returns the content digest of a document: that of record.Digest without
// its name and the digest that it states of itself.
func Digest(b level.Body) string {
	return record.Digest(b.Head().Schema, b, "digest", "name")
}
