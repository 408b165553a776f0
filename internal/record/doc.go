// Package record reads and writes the documents of the smaller levels by the Go
// types that hold them: one struct type with tags is the decoder with its
// errors and places, the encoder, the canonical form that digests are of, the
// JSON Schema, and the relations of facts.
//
//	type Model struct {
//		_      struct{} `noun:"a model"`
//		At     uint32
//		Name   string  `json:"name,optional"`
//		Values []Value `json:"values" defines:"model value" rel:"model_value" says:"the model has value {Value}"`
//	}
//
// Documents that must be fast at a million entities, as plans are, have decoders
// and exporters of their own.
//
// The tags of a field are
//
//	json:"name"        its name; with ",optional" it may be absent
//	min:"1"            the least value of an integer, or 0
//	absent:"-1"        what an absent integer is, or 0; such a value is not written
//	enum:"a b"         the words that a string may be
//	ref:"task"         it names entities of this kind
//	defines:"task"     its entries, objects with a field id, are the entities of
//	                   this kind
//	rel:"task_input"   the relation of facts that it fills, see Relations
//	doc:".."           about the relation
//	says:".."          a sentence about a row of the relation; rel2, doc2 and
//	                   says2, and with 3, are of further relations
//
// The comment of a field says what it means to those who write documents: it is
// the description in the JSON Schema and on docs/documents.md. Of "Repeats is how
// many there are" these have "How many there are".
//
// An exported field without a json tag is not part of the document. A struct has
// a field `_ struct{}` with the tag noun, what messages call it, and may have a
// field At, which becomes its byte offset in the document. Anonymous struct
// fields are as if their fields stood in their place.
package record

// None is what an optional integer that may also be 0 is when it is absent, by
// the tag absent:"-1".
const None int64 = -1
