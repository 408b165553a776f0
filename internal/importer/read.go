package importer

import (
	"fmt"

	"plancheck/internal/diag"
	"plancheck/internal/strictjson"
)

// file is a document that is being read.
type file struct {
	*strictjson.Reader
	src *diag.Source
}

func open(src *diag.Source) *file { return &file{strictjson.NewReader(src), src} }

// object reads a whole file as an object of a shape. It says whether there was
// nothing wrong with it.
func object[T any](f *file, shape *strictjson.Shape[*file, T], v *T) bool {
	shape.Read(f.Reader, f, v)
	f.End()
	return !f.Failed()
}

// peek returns the first byte of the next value, 0 at the end.
func (f *file) peek() byte {
	if at := f.Offset(); int64(at) < int64(len(f.src.Text())) {
		return f.src.Text()[at]
	}
	return 0
}

// list reads a list of objects of a shape.
func list[T any](f *file, want string, shape *strictjson.Shape[*file, T], vs *[]T) {
	for l := f.List(want); l.Next(); {
		var v T
		shape.Read(f.Reader, f, &v)
		*vs = append(*vs, v)
	}
}

// member is an entry of a list and its place.
type member[T any] struct {
	value T
	at    uint32
}

// ints reads a list of integers of at least min.
func (f *file) ints(want string, min int64) []member[int64] {
	var vs []member[int64]
	for l := f.List(want); l.Next(); {
		at := f.Offset()
		n, _ := f.Int(min)
		vs = append(vs, member[int64]{n, at})
	}
	return vs
}

// names reads a list of strings.
func (f *file) names(want string) []member[string] {
	var vs []member[string]
	for l := f.List(want); l.Next(); {
		at := f.Offset()
		s, _ := f.String("a name")
		vs = append(vs, member[string]{string(s), at})
	}
	return vs
}

// flag reads true, false, 0 or 1.
func (f *file) flag() bool {
	if c := f.peek(); c < '0' || c > '9' {
		b, _ := f.Bool()
		return b
	}
	at := f.Offset()
	n, ok := f.Int(0)
	if ok && n > 1 {
		f.ReportValue(at, "wrong-type", fmt.Sprintf("must be true, false, 0 or 1, found %d", n), "")
	}
	return n == 1
}
