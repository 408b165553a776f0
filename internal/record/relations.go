package record

import (
	"encoding"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
)

// Relation is one that a field of a document fills, as its tag rel says:
//
//	rel:"task_input(Task, Index#, Value)"
//
// A column is, by its name: what an object around the field has as its key (the
// tag key of its noun), the field of this name in the object, and else the
// field's value itself; Self is the key of the innermost object that has one.
// With # behind its name it counts the entries of the
// field's list, or of the innermost list around it, from 0. A list fills a row
// for each entry; a field that is absent or false none.
type Relation struct {
	Name    string
	Columns []Column
	Doc     string
	Says    string
	// Section is the pointer of the field of the document in which its rows are.
	Section string
	// Field is the field that a row is read from; "" for the object itself. With
	// Entries a row is an entry of the list in that field.
	Field   string
	Entries bool
}

// Column is a column of a relation.
type Column struct {
	Name   string
	Number bool // of integers, not of texts
}

// relation is a Relation as a tag has it.
type relation struct {
	name, doc, says string
	columns         []string
	counts          []bool
}

var relationTag = regexp.MustCompile(`^([a-z_]+)\(([^()]+)\)$`)

func parseRelation(tag, doc, says string) *relation {
	m := relationTag.FindStringSubmatch(tag)
	if m == nil {
		panic("record: bad relation " + tag)
	}
	r := &relation{name: m[1], doc: doc, says: says}
	for _, c := range strings.Split(m[2], ",") {
		name, counts := strings.CutSuffix(strings.TrimSpace(c), "#")
		r.columns = append(r.columns, name)
		r.counts = append(r.counts, counts)
	}
	return r
}

const self = "Self"

// Place is where a row comes from: a field of the object at an offset, and the
// entry of its list, or -1.
type Place struct {
	Object uint32
	Field  string
	Entry  int
}

// Row takes a row of a relation: for each column a string or an int64.
type Row func(relation string, at Place, values []any)

// Rows tells all rows of all relations of a document, given as a pointer to its
// struct.
func Rows(doc any, row Row) {
	v := reflect.ValueOf(doc).Elem()
	e := &exporter{row: row}
	e.object(v, shapeOf(v.Type()), 0)
}

type exporter struct {
	row  Row
	keys []key
}

// key is the id of an object around.
type key struct{ column, id string }

func (e *exporter) object(v reflect.Value, s *shape, at uint32) {
	if s.at != nil {
		at = uint32(v.FieldByIndex(s.at).Uint())
	}
	if s.key != "" && s.id != nil {
		e.keys = append(e.keys, key{s.key, v.FieldByIndex(s.id).String()})
		defer func() { e.keys = e.keys[:len(e.keys)-1] }()
	}
	for i := range s.fields {
		f := &s.fields[i]
		x := v.FieldByIndex(f.index)
		if !f.there(x, true) || f.value.kind == truth && !x.Bool() {
			continue
		}
		if f.pointer {
			x = x.Elem()
		}
		if f.value.kind != list {
			e.entry(x, f, f.value, Place{at, f.name, -1})
			continue
		}
		for k := range x.Len() {
			e.entry(x.Index(k), f, f.value.entry, Place{at, f.name, k})
		}
	}
}

// entry tells of a field's value, or of an entry of its list.
func (e *exporter) entry(v reflect.Value, f *field, of *value, at Place) {
	index := int64(max(at.Entry, 0))
	if of.kind == object && of.shape.at != nil {
		at = Place{uint32(v.FieldByIndex(of.shape.at).Uint()), "", -1}
	}
	for _, rel := range f.rels {
		values := make([]any, len(rel.columns))
		for i, c := range rel.columns {
			if values[i] = index; !rel.counts[i] {
				values[i] = e.column(v, of, c)
			}
		}
		e.row(rel.name, at, values)
	}
	if of.kind == object {
		e.object(v, of.shape, at.Object)
	}
}

// column returns the value of a column for a value of a document.
func (e *exporter) column(v reflect.Value, of *value, name string) any {
	for _, k := range slices.Backward(e.keys) {
		if k.column == name || name == self {
			return k.id
		}
	}
	if of.kind == object {
		if of.shape.key == name {
			return v.FieldByIndex(of.shape.id).String()
		}
		f, _ := of.typ.FieldByName(name)
		v = v.FieldByIndex(f.Index)
	}
	switch v.Kind() {
	case reflect.Int64:
		return v.Int()
	case reflect.String:
		return v.String()
	}
	b, err := v.Interface().(encoding.TextMarshaler).MarshalText()
	if err != nil {
		panic("record: a value of a document has no text form: " + err.Error())
	}
	return string(b)
}

// Relations lists the relations of the documents that doc, a pointer to a struct,
// holds, in the order of its fields.
func Relations(doc any) []Relation {
	var all []Relation
	describe(shapeOf(reflect.TypeOf(doc).Elem()), "", nil, &all)
	return all
}

func describe(s *shape, section string, keys []string, all *[]Relation) {
	if s.key != "" {
		keys = append(keys[:len(keys):len(keys)], s.key)
	}
	for _, f := range s.fields {
		of := f.value
		if of.kind == list {
			of = of.entry
		}
		section := section
		if section == "" {
			section = "/" + f.name
		}
		for _, rel := range f.rels {
			r := Relation{Name: rel.name, Doc: rel.doc, Says: rel.says, Section: section, Field: f.name, Entries: f.value.kind == list}
			if of.kind == object && of.shape.at != nil {
				r.Field, r.Entries = "", false
			}
			for i, c := range rel.columns {
				r.Columns = append(r.Columns, Column{c, rel.counts[i] || numeric(of, keys, c)})
			}
			*all = append(*all, r)
		}
		if of.kind == object {
			describe(of.shape, section, keys, all)
		}
	}
}

// numeric says whether a column that counts nothing is of integers. A column that
// is nothing is a mistake of ours.
func numeric(of *value, keys []string, name string) bool {
	if slices.Contains(keys, name) || name == self && len(keys) > 0 {
		return false
	}
	if of.kind == object {
		if of.shape.key == name {
			return false
		}
		f, found := of.typ.FieldByName(name)
		if !found {
			panic(fmt.Sprintf("record: %s has no field %s", of.typ, name))
		}
		of = valueOf(f.Type)
	}
	switch of.kind {
	case number:
		return true
	case text, scalar, truth:
		return false
	}
	panic(fmt.Sprintf("record: the column %s is neither a text nor a number", name))
}
