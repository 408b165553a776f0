package report

import (
	"reflect"
	"strings"

	"plancheck/internal/diag"
	"plancheck/internal/strictjson"
)

// Schema describes the json reports of this version. Objects are made from the
// types that writeJSON writes; what it writes piece by piece is described here.
func Schema() *strictjson.Schema {
	b := &schemaBuilder{}
	findings := func() *strictjson.Schema { return listOf(b.of(reflect.TypeFor[jsonFinding]())) }
	document := object("a document",
		field("name", text()), field("judged", boolean()), field("input_errors", findings()),
		field("counts?", b.of(reflect.TypeFor[jsonCounts]())), field("unread_sections?", listOf(text())),
		field("costs?", listOf(b.of(reflect.TypeFor[jsonCost]()))),
		field("findings?", findings()), field("known?", findings()), field("suppressed?", findings()))
	judged := []string{"counts", "unread_sections", "findings"}
	document.DependentRequired = map[string][]string{"counts": judged, "findings": judged, "known": judged, "suppressed": judged}
	name := text()
	name.Const = JSONSchema
	code := &strictjson.Schema{Type: strictjson.Types{"integer"}, Minimum: ptr(0), Maximum: ptr(2)}
	root := object("a report",
		field("schema", name), field("tool", b.of(reflect.TypeFor[jsonTool]())), field("exit_code", code), field("partial", boolean()), field("parent?", text()),
		field("rule_files", listOf(b.of(reflect.TypeFor[jsonRuleFile]()))), field("rule_files_left_out", listOf(text())),
		field("rule_diagnostics", findings()),
		field("documents", listOf(&strictjson.Schema{Ref: "#/$defs/document"})),
		field("skipped?", listOf(b.of(reflect.TypeFor[jsonSkipped]()))),
		field("baseline?", b.of(reflect.TypeFor[jsonBaseline]())))
	root.Defs = append(strictjson.Properties{{Name: "document", Schema: document}}, b.defs...)
	b.refine()
	return root
}

// refine adds what the types of Go do not say.
func (b *schemaBuilder) refine() {
	severity := b.defs.Get("finding").Properties.Get("severity")
	for s := diag.Note; s <= diag.Error; s++ {
		severity.Enum = append(severity.Enum, s.String())
	}
	kind := b.defs.Get("proof").Properties.Get("kind")
	for k := diag.Fact; k <= diag.LeftOut; k++ {
		kind.Enum = append(kind.Enum, k.String())
	}
	for _, name := range []string{"line", "column"} {
		b.defs.Get("position").Properties.Get(name).Minimum = ptr(1)
	}
	for _, p := range b.defs.Get("counts").Properties {
		p.Schema.Minimum = ptr(0)
	}
}

// schemaBuilder makes schemas of types, each struct once, as a definition.
type schemaBuilder struct{ defs strictjson.Properties }

// of describes the values of a type as encoding/json writes them.
func (b *schemaBuilder) of(t reflect.Type) *strictjson.Schema {
	switch t.Kind() {
	case reflect.String:
		return text()
	case reflect.Bool:
		return boolean()
	case reflect.Int, reflect.Int64:
		return &strictjson.Schema{Type: strictjson.Types{"integer"}}
	case reflect.Slice:
		return listOf(b.of(t.Elem()))
	case reflect.Pointer:
		return b.of(t.Elem())
	case reflect.Interface:
		return b.value()
	}
	name := strings.ToLower(strings.TrimPrefix(t.Name(), "json"))
	ref := &strictjson.Schema{Ref: "#/$defs/" + name}
	if b.defs.Get(name) != nil {
		return ref
	}
	def := object(name)
	b.defs = append(b.defs, strictjson.Property{Name: name, Schema: def}) // before its fields, which may hold it
	for i := range t.NumField() {
		f := t.Field(i)
		key, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		s := b.of(f.Type)
		switch {
		case options == "omitempty":
			key += "?"
		case f.Type.Kind() == reflect.Pointer && s.Ref == "":
			s.Type = append(s.Type, "null")
		}
		add(def, field(key, s))
	}
	return ref
}

// value describes what valueOf makes of a constant, and null for an open
// argument.
func (b *schemaBuilder) value() *strictjson.Schema {
	ref := &strictjson.Schema{Ref: "#/$defs/value"}
	if b.defs.Get("value") == nil {
		b.defs = append(b.defs, strictjson.Property{Name: "value", Schema: &strictjson.Schema{
			Title: "a constant of the rule language, or null for one that is open",
			AnyOf: []*strictjson.Schema{
				{Type: strictjson.Types{"integer", "string", "null"}},
				listOf(ref),
				object("a name", field("name", text())),
				object("a string that is not UTF-8", field("bytes", text())),
			}}})
	}
	return ref
}

// field is a field of an object; a name that ends in ? may be absent.
func field(name string, s *strictjson.Schema) strictjson.Property {
	return strictjson.Property{Name: name, Schema: s}
}

func object(title string, fields ...strictjson.Property) *strictjson.Schema {
	s := &strictjson.Schema{Title: title, Type: strictjson.Types{"object"}, Closed: true}
	for _, f := range fields {
		add(s, f)
	}
	return s
}

func add(object *strictjson.Schema, f strictjson.Property) {
	name, maybe := strings.CutSuffix(f.Name, "?")
	if !maybe {
		object.Required = append(object.Required, name)
	}
	object.Properties = append(object.Properties, strictjson.Property{Name: name, Schema: f.Schema})
}

func text() *strictjson.Schema { return &strictjson.Schema{Type: strictjson.Types{"string"}} }

func boolean() *strictjson.Schema { return &strictjson.Schema{Type: strictjson.Types{"boolean"}} }

func listOf(items *strictjson.Schema) *strictjson.Schema {
	return &strictjson.Schema{Type: strictjson.Types{"array"}, Items: items}
}

func ptr(n int64) *int64 { return &n }
