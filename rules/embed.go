package rules

import (
	"embed"
	"slices"
	"strings"

	"plancheck/ir"
	"plancheck/ir/levels"
)

// Embedded holds the built-in rule files and, under testdata, a plan that
// breaks each of their invariants and the same plan mended; and, for rules that
// compare a plan with its parent, that parent.
//
//go:embed *.dl testdata/pipeline/*.json testdata/concrete/*.json testdata/deployment/*.json testdata/queue/*.json testdata/spatial/*.json testdata/stages/*.json testdata/transition/*.json testdata/document/*.json testdata/machine/*.json testdata/model/*.json testdata/task/*.json testdata/portable/*.json testdata/timeline/*.json testdata/evidence/*.json testdata/binding/*.json testdata/observation/*.json testdata/provenance/*.json testdata/concrete_from_portable/*.json testdata/concrete_from_binding/*.json testdata/concrete_from_target/*.json testdata/spatial_from_portable/*.json
var Embedded embed.FS

// Names lists the built-in rule files, sorted: binding, concrete, evidence and so
// on. On the command line they are builtin:objective and so on.
func Names() []string {
	entries, err := Embedded.ReadDir(".")
	if err != nil {
		return nil // never: the directory is part of the program
	}
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".dl"); ok {
			names = append(names, name)
		}
	}
	return names
}

// Standard lists the built-in rule files that builtin stands for when plans are
// judged.
func Standard() []string { return standard(ir.PlanSchema) }

// standard lists the built-in rule files that builtin stands for when documents
// of a schema are judged: those that need no parent.
func standard(schema string) []string {
	if l, ok := levels.Of(schema); ok {
		return l.Rules
	}
	return []string{"concrete", "concrete_from_binding", "concrete_from_portable", "concrete_from_target", "deployment", "objective", "pipeline", "provenance", "queue", "spatial", "spatial_from_portable", "stages"}
}

// isStandard says whether builtin stands for a built-in rule file, for some
// documents.
func isStandard(name string) bool {
	schemas := []string{ir.PlanSchema}
	for _, l := range levels.All() {
		schemas = append(schemas, l.Schema)
	}
	return slices.ContainsFunc(schemas, func(schema string) bool { return slices.Contains(standard(schema), name) })
}

// Everything is the arguments by which Load loads all built-in rule files.
func Everything() []string {
	all := []string{Builtin}
	for _, name := range Names() {
		if !slices.Contains(standard(ir.PlanSchema), name) {
			all = append(all, Builtin+":"+name)
		}
	}
	return all
}

// Example is a plan that breaks a built-in invariant, and the same plan mended.
type Example struct {
	Bad, Good []byte
	Parent    []byte // with which both are compared; nil for most
}

// Examples returns the example of a built-in invariant; empty where there is
// none.
func Examples(relation string) Example {
	read := func(end string) []byte {
		for _, folder := range []string{"pipeline", "concrete", "deployment", "queue", "spatial", "stages", "transition", "document", "machine", "model", "task", "portable", "timeline", "evidence", "binding", "observation", "provenance", "concrete_from_portable", "concrete_from_binding", "concrete_from_target", "spatial_from_portable"} {
			if data, err := Embedded.ReadFile("testdata/" + folder + "/" + relation + end); err == nil {
				return data
			}
		}
		return nil
	}
	return Example{Bad: read(".bad.json"), Good: read(".good.json"), Parent: read(".parent.json")}
}
