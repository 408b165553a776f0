// Package level is what the documents of all levels but ConcretePlanIR have in
// common: a header, ids that are derived and survive renaming, lineage to the
// level above, and words for data types and for bodies of tasks.
package level

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strings"

	"plancheck/internal/poly"
)

// Header begins every document.
type Header struct {
	Schema string `json:"schema"`
	// Name is for people: nothing is derived from it.
	Name string `json:"name,optional"`
	// Digest is the content digest that the document states of itself; "" when
	// absent. Neither it nor the name is part of what is digested.
	Digest string `json:"digest,optional"`
	// Parents are the documents that this one was made from.
	Parents []Parent `json:"parents,optional" rel:"document_parent(Schema, Digest)" doc:"The document was made from one of this schema and content." says:"the document was made from a {Schema} with digest {Digest}"`
}

// Parent names a document by its content.
type Parent struct {
	_  struct{} `noun:"a parent"`
	At uint32

	Schema string `json:"schema"`
	Digest string `json:"digest"`
}

// Lineage says what an entity was made from.
type Lineage struct {
	_  struct{} `noun:"a lineage"`
	At uint32

	Kind      string `json:"kind" enum:"root preserved cloned decomposed fused lowered generated" rel:"lineage(Self, Kind)" doc:"How the entity came to be." says:"{Self} is {Kind}"`
	Transform string `json:"transform,optional" rel:"lineage_transform(Self, Transform)" doc:"What made the entity." says:"{Self} was made by {Transform}"`
	// Sources are ids of the parent document.
	Sources []string `json:"sources,optional" rel:"lineage_source(Self, Source)" doc:"The entity was made from this one of the parent." says:"{Self} was made from {Source}"`
	// Reason is why something was generated that has no source.
	Reason string `json:"reason,optional" rel:"lineage_reason(Self, Reason)" doc:"Why the entity was generated." says:"{Self} was generated: {Reason}"`
}

// The kinds of lineage.
const (
	Root       = "root"
	Preserved  = "preserved"
	Cloned     = "cloned"
	Decomposed = "decomposed"
	Fused      = "fused"
	Lowered    = "lowered"
	Generated  = "generated"
)

// The bodies of tasks: what doing one is.
const (
	Compute    = "compute"
	Collective = "collective"
	Transfer   = "transfer"
	Barrier    = "barrier"
	Host       = "host"
)

// ID derives the id of an entity from what it is: a prefix that names its kind
// and the parts that tell it from others. The id is the prefix, a colon and 32
// hexadecimal digits: the first 128 bits of the SHA-256 of the prefix and the
// parts, each behind its length in 8 bytes. Display names, positions in lists
// and times are no parts.
func ID(prefix string, parts ...string) string {
	h := sha256.New()
	for _, part := range append([]string{prefix}, parts...) {
		var length [8]byte
		binary.BigEndian.PutUint64(length[:], uint64(len(part)))
		h.Write(length[:]) // a hash never fails
		h.Write([]byte(part))
	}
	return prefix + ":" + hex.EncodeToString(h.Sum(nil)[:16])
}

// Derived takes an id of ID apart; false for one that is not derived.
func Derived(id string) (prefix, digits string, ok bool) {
	prefix, digits, ok = strings.Cut(id, ":")
	if !ok || prefix == "" || len(digits) != 32 || strings.Trim(digits, "0123456789abcdef") != "" {
		return "", "", false
	}
	return prefix, digits, true
}

// dtypes are the data types and how many bytes an element has.
var dtypes = []struct {
	name  string
	bytes int64
}{{"bf16", 2}, {"f16", 2}, {"f32", 4}, {"f64", 8}, {"i8", 1}, {"i32", 4}, {"i64", 8}}

// Bytes returns the bytes of an element of a data type, and false for one that is
// not known.
func Bytes(dtype string) (int64, bool) {
	for _, d := range dtypes {
		if d.name == dtype {
			return d.bytes, true
		}
	}
	return 0, false
}

// Head returns the header of the document that it begins.
func (h *Header) Head() *Header { return h }

// Body is a document of a level: a pointer to a struct that begins with a Header.
type Body interface {
	Head() *Header
}

// Reckoner is a document whose rules multiply sizes.
type Reckoner interface {
	// Products calls tell with the factors of each product that rules need, in
	// the order in which they multiply them; a size that they only read is a
	// product of one.
	Products(tell func(factors ...poly.Poly))
}
