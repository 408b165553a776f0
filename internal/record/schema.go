package record

import (
	"math"
	"reflect"
	"strings"
	"unicode"

	"plancheck/internal/strictjson"
)

// Scalar is a type with a text form that says how it looks.
type Scalar interface {
	// Form returns what a value is called and a regular expression that its text
	// matches.
	Form() (noun, pattern string)
}

// Comments are those of Go struct types and of their fields, by the name of the
// type with its package and, behind a dot, of the field. Behind a dot alone is what
// is said of fields of a name that have no comment.
type Comments map[string]string

// Schema returns the JSON Schema of the documents that doc, a pointer to a
// struct, holds. Its descriptions are comments of the types and fields, and where
// there is none what a relation of the field is about.
func Schema(doc any, comments Comments) *strictjson.Schema {
	t := reflect.TypeOf(doc).Elem()
	empty := reflect.New(t).Interface()
	a := annotator{comments: comments, done: map[*strictjson.Schema]*shape{}}
	a.root = strictjson.Describe(func(r *strictjson.Reader) { Read(r, empty) })
	a.object(a.root, shapeOf(t))
	return a.root
}

// annotator says in a schema what objects and fields mean.
type annotator struct {
	root     *strictjson.Schema
	comments Comments
	done     map[*strictjson.Schema]*shape
}

func (a *annotator) object(schema *strictjson.Schema, s *shape) {
	if before := a.done[schema]; before != nil {
		if before != s { // definitions are called by their nouns
			panic("record: two kinds of objects of a document are called " + s.noun)
		}
		return
	}
	a.done[schema] = s
	schema.Description = meaning(a.comments[typeName(s.typ)], s.typ.Name())
	for _, f := range s.fields {
		p := schema.Properties.Get(f.name)
		if m := f.meaning(a.comments); m != "" {
			p.Description = m
		}
		switch {
		case f.must:
		case f.value.kind == number && f.absent >= f.min:
			p.Default = f.absent
		case f.value.kind == truth:
			p.Default = false
		}
		of, at := f.value, p
		for of.kind == list {
			of, at = of.entry, at.Items
		}
		if of.kind == object {
			a.object(a.root.Defs.Get(strings.TrimPrefix(at.Ref, strictjson.DefsPrefix)), of.shape)
		}
	}
}

// meaning returns what a field means.
func (f *field) meaning(comments Comments) string {
	if c := comments[typeName(f.owner)+"."+f.goName]; c != "" {
		return meaning(c, f.goName)
	}
	if len(f.rels) > 0 {
		return f.rels[0].doc
	}
	return meaning(comments["."+f.goName], f.goName)
}

// meaning makes a sentence of its own of a comment that says of a name what it is:
// "Repeats is how many there are." says "How many there are."
func meaning(comment, name string) string {
	rest, found := strings.CutPrefix(comment, name+" ")
	if !found {
		return comment
	}
	for _, verb := range []string{"is ", "are "} {
		rest = strings.TrimPrefix(rest, verb)
	}
	first := []rune(rest)
	first[0] = unicode.ToUpper(first[0])
	return string(first)
}

// typeName is the name of a type with its package.
func typeName(t reflect.Type) string { return t.PkgPath() + "." + t.Name() }

// describeScalar describes a value with a text form, which may be an integer too.
func describeScalar(s *strictjson.Schema, v any) {
	least, most := int64(math.MinInt64), int64(math.MaxInt64)
	s.Type = append(s.Type, "integer")
	s.Minimum, s.Maximum = &least, &most
	if f, ok := v.(Scalar); ok {
		s.Title, s.Pattern = f.Form()
	}
}
