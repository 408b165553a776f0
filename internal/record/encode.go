package record

import (
	"cmp"
	"crypto/sha256"
	"encoding"
	"encoding/hex"
	"reflect"
	"slices"
	"strconv"

	"plancheck/internal/strictjson"
)

// Encode writes a document, given as a pointer to its struct, in the readable
// style: fields in the order of the struct, and each entity of its lists on a
// line of its own.
func Encode(doc any) []byte {
	w := &writer{}
	v := reflect.ValueOf(doc).Elem()
	w.object(v, shapeOf(v.Type()), nil)
	return append(w.buf, '\n')
}

// Canonical writes a document in the form that digests are of: no white space,
// sorted keys, and nothing that its absence says too.
func Canonical(doc any) []byte { return canonical(doc, nil) }

func canonical(doc any, except []string) []byte {
	w := &writer{canonical: true}
	v := reflect.ValueOf(doc).Elem()
	w.object(v, shapeOf(v.Type()), except)
	return w.buf
}

// Digest returns the content digest of a document of a schema: "sha256:" and 64
// hexadecimal digits. It is the SHA-256 of "ir:", the schema, a line feed and the
// canonical form without the fields that are named.
func Digest(schema string, doc any, except ...string) string {
	h := sha256.New()
	h.Write([]byte("ir:" + schema + "\n")) // a hash never fails
	h.Write(canonical(doc, except))
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

type writer struct {
	buf       []byte
	canonical bool
	depth     int // of lists and objects with lines of their own
}

// object writes an object without the fields that are named.
func (w *writer) object(v reflect.Value, s *shape, except []string) {
	w.buf = append(w.buf, '{')
	fields := slices.DeleteFunc(slices.Clone(s.fields), func(f field) bool {
		return slices.Contains(except, f.name) || !f.there(v.FieldByIndex(f.index), w.canonical)
	})
	if w.canonical {
		slices.SortFunc(fields, func(a, b field) int { return cmp.Compare(a.name, b.name) })
	}
	tall := !w.canonical && slices.ContainsFunc(fields, func(f field) bool { return f.value.tall() })
	w.depth++
	for i, f := range fields {
		w.begin(i, tall)
		w.buf = strictjson.AppendString(w.buf, f.name)
		w.buf = append(w.buf, ':')
		w.space()
		x := v.FieldByIndex(f.index)
		if f.pointer {
			x = x.Elem()
		}
		w.value(x, f.value)
	}
	w.depth--
	if tall {
		w.line()
	}
	w.buf = append(w.buf, '}')
}

// there says whether a field is written.
func (f *field) there(v reflect.Value, canonical bool) bool {
	switch {
	case f.must:
		return true
	case f.pointer:
		return !v.IsNil()
	case f.value.kind == number:
		return v.Int() != f.absent
	case f.value.kind == list:
		return v.Len() > 0 || !canonical && !v.IsNil()
	}
	return !v.IsZero()
}

// tall says whether a value has lines of its own: a list of entities, and an
// object that has one.
func (v *value) tall() bool {
	switch {
	case v.kind == list:
		return v.entry.kind == object
	case v.kind == object:
		return slices.ContainsFunc(v.shape.fields, func(f field) bool { return f.defines != "" && f.value.tall() })
	}
	return false
}

func (w *writer) value(v reflect.Value, of *value) {
	switch of.kind {
	case text:
		w.buf = strictjson.AppendString(w.buf, v.String())
	case number:
		w.buf = strconv.AppendInt(w.buf, v.Int(), 10)
	case truth:
		w.buf = strconv.AppendBool(w.buf, v.Bool())
	case scalar:
		w.scalar(v)
	case object:
		w.object(v, of.shape, nil)
	case list:
		w.list(v, of)
	}
}

// scalar writes a text form: one that is an integer as a number.
func (w *writer) scalar(v reflect.Value) {
	b, err := v.Interface().(encoding.TextMarshaler).MarshalText()
	if err != nil {
		panic("record: a value of a document has no text form: " + err.Error())
	}
	if n, err := strconv.ParseInt(string(b), 10, 64); err == nil && strconv.FormatInt(n, 10) == string(b) {
		w.buf = append(w.buf, b...)
		return
	}
	w.buf = strictjson.AppendString(w.buf, string(b))
}

func (w *writer) list(v reflect.Value, of *value) {
	tall := !w.canonical && of.tall() && w.depth <= 2
	w.buf = append(w.buf, '[')
	w.depth++
	for i := range v.Len() {
		w.begin(i, tall)
		w.value(v.Index(i), of.entry)
	}
	w.depth--
	if tall && v.Len() > 0 {
		w.line()
	}
	w.buf = append(w.buf, ']')
}

// begin begins an entry of an object or a list, counted from 0 on.
func (w *writer) begin(i int, tall bool) {
	if i > 0 {
		w.buf = append(w.buf, ',')
	}
	switch {
	case tall:
		w.line()
	case i > 0:
		w.space()
	}
}

func (w *writer) space() {
	if !w.canonical {
		w.buf = append(w.buf, ' ')
	}
}

func (w *writer) line() {
	if !w.canonical {
		w.buf = append(w.buf, '\n')
		for range w.depth {
			w.buf = append(w.buf, ' ')
		}
	}
}
