// Package strictjsontest helps tests hold decoders and their JSON Schemas
// together: it compiles schemas with a validator that is not ours, and changes
// documents at random.
package strictjsontest

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"plancheck/internal/strictjson"
)

// Named is a schema under a name.
func Named(name string, s *strictjson.Schema) strictjson.Property {
	return strictjson.Property{Name: name, Schema: s}
}

// Compile compiles a schema, which also checks it against that of JSON Schema.
func Compile(t rapid.TB, s *strictjson.Schema) *jsonschema.Schema {
	t.Helper()
	text, err := s.Document()
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource("schema.json", document); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// Mutate changes one value of a document, made of maps, slices, strings,
// json.Number, bool and nil: it goes to another type or range, or an object
// or a list gains or loses something. The document itself may be changed.
func Mutate(t *rapid.T, document any) any {
	if rapid.IntRange(0, 3).Draw(t, "here") > 0 {
		switch v := document.(type) {
		case map[string]any:
			if len(v) > 0 {
				key := rapid.SampledFrom(slices.Sorted(maps.Keys(v))).Draw(t, "field")
				v[key] = Mutate(t, v[key])
				return v
			}
		case []any:
			if len(v) > 0 {
				i := rapid.IntRange(0, len(v)-1).Draw(t, "entry")
				v[i] = Mutate(t, v[i])
				return v
			}
		}
	}
	switch v := document.(type) {
	case map[string]any:
		keys := slices.Sorted(maps.Keys(v))
		switch rapid.IntRange(0, 2).Draw(t, "change of an object") {
		case 0:
			v["zz"] = json.Number("1")
			return v
		case 1:
			if len(keys) > 0 {
				delete(v, rapid.SampledFrom(keys).Draw(t, "field that goes"))
				return v
			}
		}
	case []any:
		switch rapid.IntRange(0, 2).Draw(t, "change of a list") {
		case 0:
			return append(v, rapid.SampledFrom(values()).Draw(t, "new entry"))
		case 1:
			if len(v) > 0 {
				return v[:len(v)-1]
			}
		}
	}
	return rapid.SampledFrom(values()).Draw(t, "new value")
}

// values are of every type, and integers at the ends of the ranges.
func values() []any {
	return []any{
		nil, true, "", "x", []any{}, []any{"x"}, []any{json.Number("0")}, map[string]any{},
		json.Number("-1"), json.Number("0"), json.Number("1"), json.Number("2"), json.Number("1.5"),
		json.Number("9223372036854775807"), json.Number("9223372036854775808"), json.Number("-9223372036854775809"),
	}
}
