package strictjson

import (
	"bytes"
	"encoding/json"
)

// Dialect is the version of JSON Schema that a Schema is written in.
const Dialect = "https://json-schema.org/draft/2020-12/schema"

// DefsPrefix stands before the name of a definition that a Ref refers to.
const DefsPrefix = "#/$defs/"

// Schema is a JSON Schema: the keywords that our documents need. A schema
// without any accepts everything.
type Schema struct {
	Dialect           string              `json:"$schema,omitempty"`
	Ref               string              `json:"$ref,omitempty"`
	Title             string              `json:"title,omitempty"`
	Description       string              `json:"description,omitempty"`
	Type              Types               `json:"type,omitempty"`
	Const             string              `json:"const,omitempty"`
	Enum              []string            `json:"enum,omitempty"`
	Minimum           *int64              `json:"minimum,omitempty"`
	Maximum           *int64              `json:"maximum,omitempty"`
	MinLength         int                 `json:"minLength,omitempty"`
	Pattern           string              `json:"pattern,omitempty"`
	MinItems          int                 `json:"minItems,omitempty"`
	MaxItems          int                 `json:"maxItems,omitempty"`
	Items             *Schema             `json:"items,omitempty"`
	Properties        Properties          `json:"properties,omitempty"`
	Required          []string            `json:"required,omitempty"`
	DependentRequired map[string][]string `json:"dependentRequired,omitempty"`
	// Closed objects have no other fields than Properties.
	Closed bool       `json:"-"`
	AnyOf  []*Schema  `json:"anyOf,omitempty"`
	OneOf  []*Schema  `json:"oneOf,omitempty"`
	Defs   Properties `json:"$defs,omitempty"`
	// Default is what the value is when it is absent: an int64 or a bool; nil when
	// there is no such value.
	Default any `json:"default,omitempty"`
	// Names is what a string is the id of, "a task"; no keyword says that.
	Names string `json:"-"`
}

// Types are the types that a value may have: "object", "null".
type Types []string

// MarshalJSON writes a single type as a string.
func (t Types) MarshalJSON() ([]byte, error) {
	if len(t) == 1 {
		return json.Marshal(t[0])
	}
	return json.Marshal([]string(t))
}

// Properties are named schemas in the order in which they are written.
type Properties []Property

// Property is one of Properties.
type Property struct {
	Name   string
	Schema *Schema
}

// Get returns the schema of a name, or nil.
func (ps Properties) Get(name string) *Schema {
	for _, p := range ps {
		if p.Name == name {
			return p.Schema
		}
	}
	return nil
}

// MarshalJSON writes the properties as one object.
func (ps Properties) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, p := range ps {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := json.Marshal(p.Name)
		if err != nil {
			return nil, err
		}
		value, err := marshal(p.Schema)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// MarshalJSON writes the schema's keywords.
func (s *Schema) MarshalJSON() ([]byte, error) {
	type keywords Schema // without this method
	data, err := marshal((*keywords)(s))
	if err != nil || !s.Closed {
		return data, err
	}
	data = bytes.TrimSuffix(data, []byte("}"))
	if len(data) > 1 {
		data = append(data, ',')
	}
	return append(data, `"additionalProperties":false}`...), nil
}

// marshal is json.Marshal without escapes for HTML.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// Document writes the schema as a document of its own, indented.
func (s *Schema) Document() ([]byte, error) {
	top := *s
	top.Dialect = Dialect
	data, err := marshal(&top)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, data, "", "  "); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}
