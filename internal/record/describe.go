package record

import (
	"encoding"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"plancheck/internal/strictjson"
)

// kind is how a value is written.
type kind uint8

const (
	text   kind = iota // a string
	number             // an int64
	truth              // a bool
	scalar             // a type with a text form, written as a string
	object
	list
)

// value describes values of one Go type, as a field or an entry has them.
type value struct {
	kind  kind
	typ   reflect.Type
	shape *shape // of an object
	entry *value // of a list
}

// shape describes a struct.
type shape struct {
	typ    reflect.Type
	noun   string
	key    string // the column that its id is in; "" when it has none
	at     []int  // the field At; nil when there is none
	id     []int  // the field that the document calls id; nil when there is none
	fields []field
	table  *strictjson.Fields
}

// field describes a field of a document.
type field struct {
	name    string
	owner   reflect.Type // the struct that has it, and the name it has there
	goName  string
	index   []int
	value   *value
	pointer bool // an object that may be absent is a pointer
	must    bool
	min     int64
	absent  int64
	enum    []string
	ref     string
	defines string
	rels    []*relation
}

var shapes sync.Map // reflect.Type -> *shape

// Refuser is a struct with names of fields that it refuses with an error of
// their own.
type Refuser interface {
	// Refused returns the code, the help and the names.
	Refused() (code, help string, names []string)
}

// shapeOf describes a struct type. A type that cannot be described is a mistake
// of ours, which any test of it finds.
func shapeOf(t reflect.Type) *shape {
	if s, ok := shapes.Load(t); ok {
		return s.(*shape)
	}
	s := &shape{typ: t}
	s.add(t, nil)
	if s.noun == "" {
		panic("record: " + t.String() + " has no noun")
	}
	var names, must []string
	for _, f := range s.fields {
		names = append(names, f.name)
		if f.must {
			must = append(must, f.name)
		}
	}
	s.table = strictjson.NewFields(s.noun, names...).Require(must...)
	if r, ok := reflect.Zero(t).Interface().(Refuser); ok {
		code, help, names := r.Refused()
		s.table.Refuse(code, help, names...)
	}
	have, _ := shapes.LoadOrStore(t, s)
	return have.(*shape)
}

// add describes the fields of a struct that stands at an index.
func (s *shape) add(t reflect.Type, at []int) {
	for i := range t.NumField() {
		f := t.Field(i)
		index := append(append([]int{}, at...), i)
		switch {
		case f.Name == "_":
			s.noun, s.key = f.Tag.Get("noun"), f.Tag.Get("key")
		case f.Anonymous:
			s.add(f.Type, index)
		case f.Name == "At" && f.Tag == "":
			s.at = index
		case f.Tag.Get("json") != "":
			s.fields = append(s.fields, s.field(t, f, index))
		}
	}
}

func (s *shape) field(t reflect.Type, f reflect.StructField, index []int) field {
	name, option, _ := strings.Cut(f.Tag.Get("json"), ",")
	x := field{name: name, owner: t, goName: f.Name, index: index, must: option != "optional", ref: f.Tag.Get("ref"), defines: f.Tag.Get("defines")}
	if name == "id" {
		s.id = index
	}
	integer := func(tag string) int64 {
		if f.Tag.Get(tag) == "" {
			return 0
		}
		n, err := strconv.ParseInt(f.Tag.Get(tag), 10, 64)
		if err != nil {
			panic(fmt.Sprintf("record: tag %s of %s: %v", tag, f.Name, err))
		}
		return n
	}
	x.min, x.absent = integer("min"), integer("absent")
	x.enum = strings.Fields(f.Tag.Get("enum"))
	of := f.Type
	if of.Kind() == reflect.Pointer {
		x.pointer, of = true, of.Elem()
	}
	x.value = valueOf(of)
	for _, more := range []string{"", "2", "3"} {
		if rel := f.Tag.Get("rel" + more); rel != "" {
			x.rels = append(x.rels, parseRelation(rel, f.Tag.Get("doc"+more), f.Tag.Get("says"+more)))
		}
	}
	return x
}

var unmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()

func valueOf(t reflect.Type) *value {
	v := &value{typ: t}
	switch {
	case reflect.PointerTo(t).Implements(unmarshaler):
		v.kind = scalar
	case t.Kind() == reflect.String:
		v.kind = text
	case t.Kind() == reflect.Int64:
		v.kind = number
	case t.Kind() == reflect.Bool:
		v.kind = truth
	case t.Kind() == reflect.Struct:
		v.kind, v.shape = object, shapeOf(t)
	case t.Kind() == reflect.Slice:
		v.kind, v.entry = list, valueOf(t.Elem())
	default:
		panic("record: a document cannot hold " + t.String())
	}
	return v
}
