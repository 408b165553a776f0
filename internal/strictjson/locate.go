package strictjson

import "plancheck/internal/diag"

// Locate returns the byte offset of the value of a field of the object at an
// offset, and that of the object itself when it has no such field. It is for
// messages about documents that have been read.
func Locate(src *diag.Source, object uint32, field string) uint32 {
	r := Reader{src: src, data: src.Text(), pos: int(object)}
	for o := r.Object(NewFields("", field).Open()); o.Next(); {
		if o.Field == 0 {
			return r.Offset()
		}
		r.Skip()
	}
	return object
}

// Entries returns the byte offsets of the entries of the list at an offset.
func Entries(src *diag.Source, list uint32) []uint32 {
	r := Reader{src: src, data: src.Text(), pos: int(list)}
	var at []uint32
	for l := r.List(""); l.Next(); {
		at = append(at, r.Offset())
		r.Skip()
	}
	return at
}
