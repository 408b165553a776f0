package derive

import (
	"sync"

	"plancheck/internal/diag"
	"plancheck/ir"
	"plancheck/ir/levels"
	"plancheck/rules"
)

// loaded are the built-in rules of a level.
type loaded struct {
	set   *rules.Set
	diags []diag.Diagnostic
}

// builtIn loads the rules of each level once, when they are first asked: a
// derivation judges many documents.
var builtIn = sync.OnceValue(func() map[string]func() loaded {
	all := map[string]func() loaded{}
	add := func(schema string) {
		all[schema] = sync.OnceValue(func() loaded {
			set, diags := rules.LoadFor(schema, nil)
			return loaded{set, diags}
		})
	}
	add(ir.PlanSchema)
	for _, l := range levels.All() {
		add(l.Schema)
	}
	return all
})

// rulesOf returns the built-in rules for documents of a schema.
func rulesOf(schema string) (*rules.Set, []diag.Diagnostic) {
	load, known := builtIn()[schema]
	if !known {
		return rules.LoadFor(schema, nil)
	}
	l := load()
	return l.set, l.diags
}
