package ir

import (
	"cmp"
	"slices"
	"strconv"

	"plancheck/internal/strictjson"
)

// writer writes JSON in one of two styles. The readable style has one entity a
// line and fields in the order in which they are written. The canonical style
// has no white space, sorted keys, and no fields that say what their absence
// says too.
type writer struct {
	buf       []byte
	canonical bool
	indent    int
	fields    []field // of the objects that are open
	spare     []byte
	// spill, where set, takes what has been written so far.
	spill func([]byte)
}

// field is where a field of an open object stands in buf.
type field struct {
	key        string
	start, end int
}

// section is a member of one of the few large objects.
type section struct {
	key   string
	there bool // absent sections are not written
	tall  bool // has lines of its own
	write func()
}

// object writes a large object.
func (w *writer) object(sections ...section) {
	sections = slices.DeleteFunc(sections, func(s section) bool { return !s.there })
	if w.canonical {
		slices.SortFunc(sections, func(a, b section) int { return cmp.Compare(a.key, b.key) })
	}
	w.buf = append(w.buf, '{')
	w.indent++
	tall := false
	for i, s := range sections {
		tall = tall || s.tall
		switch {
		case i > 0 && s.tall:
			w.separate(',')
			w.line()
		case i > 0:
			w.separate(',')
			w.space()
		case s.tall:
			w.line()
		}
		w.key(s.key)
		s.write()
	}
	w.indent--
	if tall {
		w.line()
	}
	w.buf = append(w.buf, '}')
}

func (w *writer) separate(c byte) { w.buf = append(w.buf, c) }

func (w *writer) space() {
	if !w.canonical {
		w.buf = append(w.buf, ' ')
	}
}

func (w *writer) line() {
	if !w.canonical {
		w.buf = append(w.buf, '\n')
		for range w.indent {
			w.buf = append(w.buf, ' ')
		}
	}
}

func (w *writer) key(key string) {
	w.buf = append(w.buf, '"')
	w.buf = append(w.buf, key...)
	w.buf = append(w.buf, '"', ':')
	w.space()
}

// lines writes a list with one entry a line.
func lines[T any](w *writer, list []T, entry func(*T)) {
	w.buf = append(w.buf, '[')
	w.indent++
	for i := range list {
		if i > 0 {
			w.separate(',')
		}
		w.line()
		entry(&list[i])
		if w.spill != nil && len(w.buf) > 1<<16 {
			w.spill(w.buf)
			w.buf = w.buf[:0]
		}
	}
	w.indent--
	if len(list) > 0 {
		w.line()
	}
	w.buf = append(w.buf, ']')
}

// row writes a list on one line.
func row[T any](w *writer, list []T, entry func(T)) {
	w.buf = append(w.buf, '[')
	for i, x := range list {
		if i > 0 {
			w.separate(',')
			w.space()
		}
		entry(x)
	}
	w.buf = append(w.buf, ']')
}

// entity writes an object on one line; fields writes its fields.
func (w *writer) entity(fields func()) {
	outer := len(w.fields)
	w.buf = append(w.buf, '{')
	start := len(w.buf)
	fields()
	own := w.fields[outer:]
	if n := len(own); n > 0 {
		own[n-1].end = len(w.buf)
		if w.canonical {
			w.sort(start, own)
		}
	}
	w.fields = w.fields[:outer]
	w.buf = append(w.buf, '}')
}

// field begins a field of the innermost entity.
func (w *writer) field(key string) {
	if n := len(w.fields); w.buf[len(w.buf)-1] != '{' {
		w.fields[n-1].end = len(w.buf)
		w.separate(',')
		w.space()
	}
	w.fields = append(w.fields, field{key: key, start: len(w.buf)})
	w.key(key)
}

// sort puts the fields that begin at start into the order of their keys.
func (w *writer) sort(start int, fields []field) {
	w.spare = append(w.spare[:0], w.buf[start:]...)
	w.buf = w.buf[:start]
	slices.SortFunc(fields, func(a, b field) int { return cmp.Compare(a.key, b.key) })
	for i, f := range fields {
		if i > 0 {
			w.separate(',')
		}
		w.buf = append(w.buf, w.spare[f.start-start:f.end-start]...)
	}
}

// integer writes a number.
func (w *writer) integer(n int64) { w.buf = strconv.AppendInt(w.buf, n, 10) }

// boolean writes true or false.
func (w *writer) boolean(b bool) { w.buf = strconv.AppendBool(w.buf, b) }

// hole writes a number or null for a hole.
func (w *writer) hole(n int64) {
	if n == None {
		w.buf = append(w.buf, "null"...)
	} else {
		w.integer(n)
	}
}

// text writes a string.
func (w *writer) text(s string) { w.buf = strictjson.AppendString(w.buf, s) }
