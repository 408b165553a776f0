package record

import (
	"encoding"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"plancheck/internal/diag"
	"plancheck/internal/strictjson"
)

// Decode reads a document into doc, a pointer to its struct. It returns every
// error of the document, sorted, each with its place; then doc is of no use.
func Decode(src *diag.Source, doc any) []diag.Diagnostic {
	r := strictjson.NewReader(src)
	Read(r, doc)
	r.End()
	if !r.Failed() {
		return nil
	}
	return r.Diagnostics()
}

// Read is Decode for a document whose reader is at hand: it reads one value.
func Read(r *strictjson.Reader, doc any) {
	d := &decoder{Reader: r, kinds: map[string]map[string]uint32{}, open: map[string]bool{}}
	v := reflect.ValueOf(doc).Elem()
	d.object(v, shapeOf(v.Type()))
	d.resolve()
}

type decoder struct {
	*strictjson.Reader
	kinds map[string]map[string]uint32 // the entities of each kind: where they are
	open  map[string]bool              // kinds of which an id could not be read
	refs  []reference
}

// reference is a word that must be the id of an entity.
type reference struct {
	kind, id string
	at       uint32
}

func (d *decoder) object(v reflect.Value, s *shape) {
	at := d.Offset()
	if s.at != nil {
		v.FieldByIndex(s.at).SetUint(uint64(at))
	}
	seen := make([]bool, len(s.fields))
	for o := d.Object(s.table); o.Next(); {
		if o.Field == strictjson.Other {
			d.Skip()
			continue
		}
		f := &s.fields[o.Field]
		seen[o.Field] = true
		w := v.FieldByIndex(f.index)
		if f.pointer {
			w.Set(reflect.New(f.value.typ))
			w = w.Elem()
		}
		d.value(w, f.value, f)
		if f.defines != "" {
			d.define(f, w)
		}
	}
	for i, f := range s.fields {
		if !seen[i] && f.value.kind == number {
			v.FieldByIndex(f.index).SetInt(f.absent)
		}
		if !seen[i] && f.defines != "" && d.kinds[f.defines] == nil {
			d.kinds[f.defines] = map[string]uint32{}
		}
	}
}

func (d *decoder) value(v reflect.Value, of *value, f *field) {
	at := d.Offset()
	switch of.kind {
	case text:
		b, ok := d.String(f.wanted("a string"))
		if s := d.Described(); s != nil {
			s.Enum = f.enum
			if f.ref != "" {
				s.Names = article(f.ref)
			}
			if f.name == "id" {
				s.MinLength = 1
			}
		}
		if ok {
			v.SetString(string(b))
			d.word(string(b), f, at)
		}
	case number:
		n, _ := d.Int(f.min)
		v.SetInt(n)
	case truth:
		b, _ := d.Bool()
		v.SetBool(b)
	case scalar:
		d.scalar(v, at)
	case object:
		d.object(v, of.shape)
	case list:
		l := d.List("a list")
		if !l.Ok() {
			d.open[f.defines] = true
			return
		}
		v.Set(reflect.MakeSlice(of.typ, 0, 0))
		for l.Next() {
			v.Set(reflect.Append(v, reflect.Zero(of.entry.typ)))
			d.value(v.Index(v.Len()-1), of.entry, f)
		}
	}
}

// wanted is what a message says that a string must be.
func (f *field) wanted(otherwise string) string {
	if f.ref != "" {
		return "the id of " + article(f.ref) + " (a string)"
	}
	return otherwise
}

// article puts the indefinite article before a noun.
func article(noun string) string {
	if strings.ContainsRune("aeio", rune(noun[0])) { // of our nouns in u, all begin as you does
		return "an " + noun
	}
	return "a " + noun
}

// word checks a string: whether it is one of its words, names something.
func (d *decoder) word(s string, f *field, at uint32) {
	switch {
	case len(f.enum) > 0 && !slices.Contains(f.enum, s):
		d.ReportValue(at, "unknown-type-tag", fmt.Sprintf("is %s, which is not known", strictjson.Quote(s)), "known are "+strings.Join(f.enum, ", "))
	case f.name == "id" && s == "":
		d.ReportValue(at, "id-malformed", "is empty", "")
	case f.ref != "":
		d.refs = append(d.refs, reference{f.ref, s, at})
	}
}

// scalar reads a type with a text form. A number stands for its digits.
func (d *decoder) scalar(v reflect.Value, at uint32) {
	var b []byte
	var ok bool
	if d.AtString() {
		b, ok = d.String("a string or an integer")
		if s := d.Described(); s != nil {
			describeScalar(s, v.Interface())
		}
	} else {
		var n int64
		if n, ok = d.Int(-1 << 63); ok {
			b = fmt.Append(nil, n)
		}
	}
	if !ok {
		return
	}
	if err := v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText(b); err != nil {
		d.ReportValue(at, "wrong-type", err.Error(), "")
	}
}

// define enters the entities of a list.
func (d *decoder) define(f *field, entities reflect.Value) {
	ids := d.kinds[f.defines]
	if ids == nil {
		ids = map[string]uint32{}
		d.kinds[f.defines] = ids
	}
	s := f.value.entry.shape
	for i := range entities.Len() {
		e := entities.Index(i)
		id, at := e.FieldByIndex(s.id).String(), uint32(e.FieldByIndex(s.at).Uint())
		if id == "" { // reported before
			d.open[f.defines] = true
			continue
		}
		if first, taken := ids[id]; taken && !d.Stopped() {
			d.ReportRepeat(at, first, "id-duplicate", fmt.Sprintf("the %s id %s is already used", f.defines, strictjson.Quote(id)))
		} else {
			ids[id] = at
		}
	}
}

// resolve reports references to what is not there.
func (d *decoder) resolve() {
	if d.Stopped() {
		return
	}
	const maxSuggestions = 20 // each looks at all ids
	suggested := 0
	for _, r := range d.refs {
		ids := d.kinds[r.kind]
		if _, there := ids[r.id]; there || d.open[r.kind] {
			continue
		}
		help := ""
		if suggested < maxSuggestions {
			suggested++
			if near := diag.Nearest(r.id, slices.Values(sortedKeys(ids))); near != "" {
				help = "did you mean " + strictjson.Quote(near) + "?"
			}
		}
		d.ReportValue(r.at, "reference-unknown", fmt.Sprintf("names the %s %s, which does not exist", r.kind, strictjson.Quote(r.id)), help)
	}
}

func sortedKeys(m map[string]uint32) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
