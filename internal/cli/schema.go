package cli

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"plancheck/internal/record"
	"plancheck/internal/report"
	"plancheck/internal/simulate"
	"plancheck/internal/strictjson"
	"plancheck/internal/tensor"
	"plancheck/internal/triage"
	"plancheck/ir"
	"plancheck/ir/evidence"
	"plancheck/ir/levels"
	"plancheck/ir/machine"
	"plancheck/ir/model"
	"plancheck/ir/observation"
	"plancheck/ir/portable"
	"plancheck/ir/task"
	"plancheck/ir/timeline"
)

// document is a kind of document that plancheck reads or writes.
type document struct {
	kind   string
	name   string // of its schema, as it stands in documents; "" when they have none
	schema func() *strictjson.Schema
}

func documents() []document {
	of := func(kind, schema string) document {
		l, _ := levels.Of(schema)
		return document{kind, schema, l.JSONSchema}
	}
	return []document{
		{"plan", ir.PlanSchema, ir.Schema},
		{"logical-schedule", ir.LogicalScheduleSchema, ir.LogicalScheduleJSONSchema},
		of("model", model.Schema),
		of("tasks", task.Schema),
		of("portable", portable.Schema),
		of("target", evidence.TargetSchema),
		of("deployment", evidence.DeploymentSchema),
		of("evidence", evidence.EvidenceSchema),
		{"policy", "", func() *strictjson.Schema { return record.Schema(&evidence.Policy{}, levels.Comments()) }},
		of("binding", evidence.BindingSchema),
		of("machine", machine.Schema),
		{"durations", simulate.TableSchema, simulate.TableJSONSchema},
		of("timeline", timeline.Schema),
		of("observations", observation.Schema),
		{"tensors", tensor.Schema, tensor.JSONSchema},
		{"report", report.JSONSchema, report.Schema},
		{"exploration", report.ExplorationSchema, report.ExplorationJSONSchema},
		{"baseline", triage.BaselineSchema, triage.BaselineJSONSchema},
		{"suppressions", triage.SuppressionsSchema, triage.SuppressionsJSONSchema},
	}
}

func documentKinds() []string {
	var kinds []string
	for _, d := range documents() {
		kinds = append(kinds, d.kind)
	}
	return kinds
}

func schemaVerb() verb {
	return verb{
		name:  "schema",
		usage: "KIND",
		short: "print the JSON Schema of a kind of document",
		long: `Prints the JSON Schema (2020-12) of a kind of document, for editors and
programs. The kinds are:

` + wrapped(strings.Join(documentKinds(), ", ")+".", "    ", 80) + `

A schema accepts all that plancheck accepts, and refuses what has another shape,
another type or a number out of range. That ids are unique, that references lead
somewhere and that lists are equally long it cannot say; plancheck does.`,
		exits:    "0  done\n2  no such kind, or bad usage",
		args:     func() values { return values{words: documentKinds()} },
		examples: []string{"plancheck schema plan -o plan.schema.json"},
		prepare: func(fs *pflag.FlagSet) runner {
			path := addFileFlag(fs)
			return func(_ context.Context, env Env, args []string) (int, error) {
				if len(args) != 1 {
					return 0, fmt.Errorf("schema: name one kind of document: %s", strings.Join(documentKinds(), ", "))
				}
				data, err := SchemaOf(args[0])
				if err != nil {
					return 0, fmt.Errorf("schema: %w", err)
				}
				return exitOK, writeBytes(env, *path, data)
			}
		},
	}
}

// Schemas returns the JSON Schemas of all kinds of documents, by kind.
func Schemas() (map[string][]byte, error) {
	all := map[string][]byte{}
	for _, d := range documents() {
		data, err := SchemaOf(d.kind)
		if err != nil {
			return nil, err
		}
		all[d.kind] = data
	}
	return all, nil
}

// SchemaTree is the JSON Schema of a kind of documents.
type SchemaTree struct {
	Kind string
	Name string // plancheck.model/1; "" for documents that do not name it
	*strictjson.Schema
}

// SchemaTrees returns the JSON Schemas of all kinds of documents, in the order in
// which they are told of.
func SchemaTrees() []SchemaTree {
	var all []SchemaTree
	for _, d := range documents() {
		all = append(all, SchemaTree{d.kind, d.name, d.schema()})
	}
	return all
}

// SchemaOf returns the JSON Schema of a kind of document.
func SchemaOf(kind string) ([]byte, error) {
	for _, d := range documents() {
		if d.kind == kind {
			s := d.schema()
			if d.name != "" {
				s.Title = d.name
			}
			data, err := s.Document()
			if err != nil {
				return nil, fmt.Errorf("the schema of %s: %w", kind, err)
			}
			return data, nil
		}
	}
	return nil, fmt.Errorf("no kind of document %q; there are %s%s",
		kind, strings.Join(documentKinds(), ", "), didYouMean(kind, documentKinds()))
}
