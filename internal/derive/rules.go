package derive

import (
	"fmt"
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
func rulesOf(schema string) (*rules.Set, error) {
	load, known := builtIn()[schema]
	if !known {
		return nil, fmt.Errorf("there are no rules for documents of schema %s", schema)
	}
	l := load()
	if l.set == nil {
		return nil, fmt.Errorf("the built-in rules of %s cannot be loaded: %s", schema, told(l.diags))
	}
	return l.set, nil
}
