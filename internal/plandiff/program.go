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

// programTables makes tables of the programs of two plans: one for each list that
// one of them has, with the fields as the document names them. They are
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

// program is a program as its document says it: entities by the list that they
// are in. The name of one in the target extension is its path.
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
		out.read(name, section)
	}
	out.order()
	return out
}

// read enters a section: a list of entities, or an object of such sections. What
// is neither is an entity of its own.
func (p program) read(name string, section any) {
	switch x := section.(type) {
	case map[string]any:
		for key, part := range x {
			p.read(name+" "+key, part)
		}
	case []any:
		for i, e := range x {
			entity, ok := e.(map[string]any)
			if !ok {
				entity = map[string]any{"": e}
			}
			if entity["id"] == nil {
				entity["id"] = nameless(entity, i)
			}
			p[name] = append(p[name], entity)
		}
	default:
		p[name] = []map[string]any{{"id": name, "": x}}
	}
}

// nameless names an entity without an id by what it is about, or by its place.
func nameless(entity map[string]any, i int) any {
	for _, key := range [...]string{"command", "queue"} {
		if entity[key] != nil {
			return entity[key]
		}
	}
	return fmt.Sprint("entry ", i)
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
			values = append(values, field{key, plain(key, e[key])})
		}
		t.add(fmt.Sprint(e["id"]), values...)
	}
	return *t
}

// singular names what a list lists: memory region.
func singular(list string) string {
	return strings.ReplaceAll(strings.TrimSuffix(list, "s"), "_", " ")
}

// sets are the fields whose lists have no order.
var sets = [...]string{"after", "reads", "writes", "waits", "signals", "queues"}

// plain turns the value of a field into one that a Change may have.
func plain(key string, v any) any {
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
		if names, ok := texts(x); ok && slices.Contains(sets[:], key) {
			return sorted(names)
		} else if ok {
			return names
		}
	}
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v) // never: it was read from JSON
	}
	return string(text)
}

// texts are the elements of a list that are all strings.
func texts(list []any) ([]string, bool) {
	var all []string
	for _, e := range list {
		s, ok := e.(string)
		if !ok {
			return nil, false
		}
		all = append(all, s)
	}
	return all, true
}
