package plandiff

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"plancheck/ir"
)

// programTables makes tables of the programs of two plans: one for each section
// that one of them has, with the fields as the document names them. They are
// made of the documents' text, so that no field that a program may have is
// forgotten here.
func programTables(before, after *ir.Plan) (was, is []table) {
	b, a := programOf(before), programOf(after)
	names := slices.Concat(slices.Collect(maps.Keys(b)), slices.Collect(maps.Keys(a)))
	slices.SortFunc(names, func(x, y string) int {
		return cmp.Or(cmp.Compare(place(x), place(y)), cmp.Compare(x, y))
	})
	for _, name := range slices.Compact(names) {
		keys := map[string]bool{}
		for _, e := range slices.Concat(b[name], a[name]) {
			for key := range e {
				keys[key] = true
			}
		}
		delete(keys, "id")
		fields := slices.Sorted(maps.Keys(keys))
		was = append(was, b.table(name, fields))
		is = append(is, a.table(name, fields))
	}
	return was, is
}

// program is a program as its document says it: entities by their sections.
type program map[string][]map[string]any

// sections are the lists that programs have, in their order.
var sections = [...]string{"devices", "queues", "memory_regions", "buffers", "tokens", "channels", "groups", "barriers", "commands"}

// place is where a section stands among those of programs; others stand behind.
func place(section string) int {
	if i := slices.Index(sections[:], section); i >= 0 {
		return i
	}
	return len(sections)
}

// programOf reads the program of a plan from its text.
func programOf(p *ir.Plan) program {
	out := program{}
	if p.Program == nil {
		return out
	}
	text := ir.Encode(&ir.Plan{Symbols: p.Symbols, Program: p.Program})
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var doc struct {
		Program map[string]any `json:"program"`
	}
	if d.Decode(&doc) != nil { // never: it is JSON. If it is not, it is compared as it is
		doc.Program = map[string]any{"program": string(text)}
	}
	for name, section := range doc.Program {
		out[name] = entities(name, section)
	}
	out.order()
	return out
}

// entities are the entities of a section: those of a list that have ids, or the
// section itself.
func entities(name string, section any) []map[string]any {
	list, ok := section.([]any)
	var all []map[string]any
	for _, e := range list {
		if entity, _ := e.(map[string]any); entity["id"] != nil {
			all = append(all, entity)
		}
	}
	if ok && len(all) == len(list) {
		return all
	}
	return []map[string]any{{"id": name, "": section}}
}

// order says of each command behind which one it is on its queue, if that has an
// order: a command that moves changes little else.
func (p program) order() {
	unordered := map[any]bool{}
	for _, q := range p["queues"] {
		unordered[q["id"]] = q["ordered"] == false
	}
	last := map[any]any{}
	for _, c := range p["commands"] {
		if q := c["queue"]; q != nil && !unordered[q] {
			if before := last[q]; before != nil {
				c["behind"] = before
			}
			last[q] = c["id"]
		}
	}
}

// table makes a table of a list.
func (p program) table(name string, fields []string) table {
	t := newTable(singular(name))
	for _, e := range p[name] {
		var values []field
		for _, key := range fields {
			values = append(values, field{key, plain(e[key])})
		}
		t.add(fmt.Sprint(e["id"]), values...)
	}
	return *t
}

// singular names what a list lists: memory region.
func singular(list string) string {
	return strings.ReplaceAll(strings.TrimSuffix(list, "s"), "_", " ")
}

// plain turns a value of a document into one that a Change may have. The order
// of a list of names says nothing.
func plain(v any) any {
	switch x := v.(type) {
	case nil, bool, string:
		return x
	case json.Number:
		if n, err := x.Int64(); err == nil {
			return n
		}
	case []any:
		if len(x) == 0 {
			return nil // says as much as none
		}
		var names []string
		for _, e := range x {
			if s, ok := e.(string); ok {
				names = append(names, s)
			}
		}
		if len(names) == len(x) {
			return sorted(names)
		}
	}
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v) // never: it was read from JSON
	}
	return string(text)
}
