package strictjson

import (
	"math"
	"strings"
)

// Describe returns the schema of the documents that a decoder reads, by
// running the decoder. The Reader that it gets has no document: each method
// notes what it was asked for instead, each object has each of its fields once
// and each list has one entry. So a table of fields and its schema cannot
// differ. What a decoder checks by itself it adds with Described.
//
// All methods of a Reader that describes return zero values, and it is Stopped.
func Describe(read func(*Reader)) *Schema {
	root := &Schema{}
	d := &describer{root: root, next: root}
	read(&Reader{stopped: true, describe: d})
	return root
}

// Described returns the schema of the value that was read last, for the
// decoder to add to it, and nil when a document is read.
func (r *Reader) Described() *Schema {
	if r.describe == nil {
		return nil
	}
	return r.describe.last
}

// describer builds a schema while a decoder asks.
type describer struct {
	root *Schema
	next *Schema // of the value that is read next
	last *Schema // of the value that was read last
	null bool    // the value that is read next may be null
	open []container
}

// container is an object or a list that is being described.
type container struct {
	schema *Schema
	fields *Fields // nil for a list
	member int     // of the object or list, from 0; -1 before the first
}

// begin returns the schema of the value that is read now.
func (d *describer) begin() *Schema {
	s := d.next
	if s == nil { // a second look at a value
		s = &Schema{}
	}
	d.next, d.last = nil, s
	return s
}

// value describes a value that is neither an object nor a list.
func (d *describer) value(kind, want string) *Schema {
	s := d.begin()
	d.typed(s, kind, want)
	return s
}

func (d *describer) typed(s *Schema, kind, want string) {
	s.Type = Types{kind}
	if want != "a string" && want != "a list" { // as the type says
		s.Description = want
	}
	if d.null {
		s.Type = append(s.Type, "null")
		d.null = false
	}
}

func (d *describer) integer(min int64) {
	most := int64(math.MaxInt64)
	s := d.value("integer", "")
	s.Minimum, s.Maximum = &min, &most
}

func (d *describer) float(min float64) {
	s := d.value("number", "")
	if min == math.Trunc(min) && math.Abs(min) < 1<<53 {
		least := int64(min)
		s.Minimum = &least
	}
}

// object describes the next value as an object. Objects within others are
// definitions, each described once.
func (d *describer) object(r *Reader, f *Fields) Object {
	s := d.begin()
	if s != d.root {
		name := definitionName(f.noun)
		ref := s
		if d.null {
			ref = &Schema{}
			s.AnyOf = []*Schema{ref, {Type: Types{"null"}}}
			d.null = false
		}
		ref.Ref = DefsPrefix + name
		if d.root.Defs.Get(name) != nil {
			return Object{}
		}
		s = &Schema{}
		d.root.Defs = append(d.root.Defs, Property{name, s})
	}
	s.Title, s.Type, s.Closed = f.noun, Types{"object"}, !f.open
	for i, name := range f.names {
		if f.required>>i&1 != 0 {
			s.Required = append(s.Required, name)
		}
	}
	if f.annotate != nil {
		f.annotate(s)
	}
	d.open = append(d.open, container{s, f, -1})
	return Object{r: r, f: f}
}

// definitionName is the noun of an object without its article, as one word:
// "residency-entry".
func definitionName(noun string) string {
	words := strings.Fields(noun)
	if len(words) > 1 && (words[0] == "a" || words[0] == "an") {
		words = words[1:]
	}
	return strings.Join(words, "-")
}

func (d *describer) list(r *Reader, want string) List {
	s := d.begin()
	d.typed(s, "array", want)
	d.open = append(d.open, container{s, nil, -1})
	return List{r}
}

// more steps to the next member of the innermost container.
func (d *describer) more() bool {
	c := &d.open[len(d.open)-1]
	c.member++
	switch {
	case c.fields == nil && c.member == 0:
		d.next = &Schema{}
		c.schema.Items = d.next
		return true
	case c.fields != nil && c.member < len(c.fields.names):
		d.next = &Schema{}
		c.schema.Properties = append(c.schema.Properties, Property{c.fields.names[c.member], d.next})
		return true
	}
	d.last = c.schema
	d.open = d.open[:len(d.open)-1]
	return false
}

// field is the current member of the innermost object.
func (d *describer) field() int { return d.open[len(d.open)-1].member }
