package rules

import (
	"embed"
	"slices"
	"strings"

	"plancheck/ir"
	"plancheck/ir/levels"
)

// Embedded holds the built-in rule files and, in the folders of testdata, a
// document that breaks each of their invariants and the same one mended; and, for
// rules that compare documents with a parent, that parent.
//
//go:embed *.dl testdata/*/*.json
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

// Example is a document that breaks a built-in invariant, and the same one mended.
type Example struct {
	Bad, Good []byte
	Parent    []byte // with which both are compared; nil where they are not
}

// Examples returns the example of a built-in invariant; empty where there is
// none.
func Examples(relation string) Example {
	folders, err := Embedded.ReadDir("testdata")
	if err != nil {
		return Example{} // never: the folder is part of the program
	}
	read := func(end string) []byte {
		for _, folder := range folders {
			if data, err := Embedded.ReadFile("testdata/" + folder.Name() + "/" + relation + end); err == nil {
				return data
			}
		}
		return nil
	}
	return Example{Bad: read(".bad.json"), Good: read(".good.json"), Parent: read(".parent.json")}
}
