package derive

import (
	"fmt"
	"sync"

	"plancheck/rules"
)

// rulesOf are the built-in rules for documents of a schema, loaded once in a
// process.
func rulesOf(schema string) (*rules.Set, error) {
	loaded.Lock()
	defer loaded.Unlock()
	if set := loaded.sets[schema]; set != nil {
		return set, nil
	}
	set, diags := rules.LoadFor(schema, nil)
	if set == nil {
		return nil, fmt.Errorf("the built-in rules of %s cannot be loaded: %s", schema, told(diags))
	}
	loaded.sets[schema] = set
	return set, nil
}

var loaded = struct {
	sync.Mutex
	sets map[string]*rules.Set
}{sets: map[string]*rules.Set{}}
