package strictjson

import (
	"bytes"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"plancheck/internal/diag"
)

// maxFields is how many fields a table of fields may have.
const maxFields = 64

// Fields is a table of the fields that an object may have.
type Fields struct {
	noun     string // "an op"
	names    []string
	quoted   []string // names as keys in plain spelling, with their quotes
	required uint64
	open     bool
	annotate func(*Schema)
	refused  []refusal
	others   *refusal // of fields that are neither in the table nor refused by name
}

// refusal is about fields that are not in the table and deserve an error of
// their own.
type refusal struct {
	code, help string
	names      []string
}

// NewFields makes a table for objects that a message calls noun: "an op".
// There may be at most 64 names. Fields that are not in the table are errors.
func NewFields(noun string, names ...string) *Fields {
	if len(names) > maxFields {
		panic("strictjson: too many fields in " + noun)
	}
	f := &Fields{noun: noun, names: names}
	for _, n := range names {
		f.quoted = append(f.quoted, `"`+n+`"`)
	}
	return f
}

// Require makes fields required and returns the table.
func (f *Fields) Require(names ...string) *Fields {
	for _, n := range names {
		f.required |= 1 << slices.Index(f.names, n)
	}
	return f
}

// Refuse gives fields that are not in the table an error of their own instead of
// unknown-field, and returns the table.
func (f *Fields) Refuse(code, help string, names ...string) *Fields {
	f.refused = append(f.refused, refusal{code, help, names})
	return f
}

// RefuseOthers gives all fields that are not in the table, nor refused by name,
// an error of their own instead of unknown-field, and returns the table.
func (f *Fields) RefuseOthers(code, help string) *Fields {
	f.others = &refusal{code: code, help: help}
	return f
}

// Open lets objects have other fields too, for documents that are not ours, and
// returns the table. Next yields them as Other.
func (f *Fields) Open() *Fields {
	f.open = true
	return f
}

var anyFields = NewFields("").Open()

// Other is the Field of a key that is not in an open table.
const Other = -1

// Object is a walk over the members of an object.
type Object struct {
	// Field is the current member's place in the table, or Other.
	Field int

	r       *Reader
	f       *Fields
	seen    uint64
	guess   int // the field that is likely to come next
	known   int // where this object's part of the reader's keyAt begins
	unknown int // and of its unknown
	key     span
}

// key is a key that is in no table: where its contents stand, and whether they
// mean themselves.
type key struct {
	span
	plain bool
}

// Object enters an object. If another value is there it reports that and
// returns an Object without members.
func (r *Reader) Object(f *Fields) Object {
	if r.space() != '{' {
		if r.describe != nil {
			return r.describe.object(r, f)
		}
		r.wrongType("an object")
		return Object{}
	}
	if !r.enter() {
		return Object{}
	}
	o := Object{r: r, f: f, known: len(r.keyAt), unknown: len(r.unknown)}
	r.keyAt = slices.Grow(r.keyAt, len(f.names))[:o.known+len(f.names)]
	return o
}

// Ok says that there is an object, be it empty.
func (o *Object) Ok() bool { return o.r != nil }

// Next steps to the next member, whose value the caller must read, and says
// whether there is one. It reports unknown, repeated and missing fields.
func (o *Object) Next() bool {
	r := o.r
	if r == nil {
		return false
	}
	for {
		if r.stopped {
			if r.describe == nil || !r.describe.more() {
				return false
			}
			o.Field = r.describe.field()
			return true
		}
		depth := r.depth
		if !r.more('}') {
			if r.depth < depth {
				o.finish(uint32(r.open[depth]))
			}
			return false
		}
		if r.space() != '"' {
			r.unexpected("a key in double quotes")
			return false
		}
		at := r.pos
		o.Field = o.match()
		if r.stopped {
			return false
		}
		if r.space() != ':' {
			r.unexpected("':' behind the key")
			return false
		}
		r.pos++
		r.space()
		if o.Field >= 0 {
			bit := uint64(1) << o.Field
			if o.seen&bit == 0 {
				o.seen |= bit
				r.keyAt[o.known+o.Field] = uint32(at)
				return true
			}
			r.repeated(o.f.names[o.Field], at, r.keyAt[o.known+o.Field])
		} else if o.f.open {
			return true
		}
		r.Skip()
	}
}

// Key returns the spelling of the current member's key.
func (o *Object) Key() []byte { return text(o.r.data[o.key.start:o.key.end]) }

// match reads the key and returns its place in the table.
func (o *Object) match() int {
	r := o.r
	rest := r.data[r.pos:]
	i := o.guess
	for range o.f.quoted {
		if i == len(o.f.quoted) {
			i = 0
		}
		if q := o.f.quoted[i]; len(rest) >= len(q) && string(rest[:len(q)]) == q {
			o.key = span{r.pos + 1, r.pos + len(q) - 1}
			r.pos += len(q)
			o.guess = i + 1
			return i
		}
		i++
	}
	o.key.start = r.pos + 1
	name, ok := r.str()
	if r.stopped {
		return Other
	}
	o.key.end = r.pos - 1
	if i := slices.Index(o.f.names, string(name)); ok && i >= 0 { // spelled with escapes
		return i
	}
	if !o.f.open && ok {
		r.add(o.f.stranger(string(name), o.key.start-1))
	}
	r.unknown = append(r.unknown, key{o.key, ok && len(name) == o.key.end-o.key.start})
	return Other
}

// stranger is the error for a field that is not in the table.
func (f *Fields) stranger(key string, at int) problem {
	p := problem{offset: uint32(at), code: "unknown-field", text: fmt.Sprintf("%s has no field %s", f.noun, Quote(key))}
	for _, r := range f.refused {
		if slices.Contains(r.names, key) {
			p.code, p.help = r.code, r.help
			return p
		}
	}
	p.help = "its fields are " + strings.Join(f.names, ", ")
	if f.others != nil {
		p.code, p.help = f.others.code, f.others.help
	}
	if near := diag.Nearest(key, slices.Values(f.names)); near != "" {
		p.help = fmt.Sprintf("did you mean %q?", near)
	}
	return p
}

// finish checks the object that began at start once it is closed.
func (o *Object) finish(start uint32) {
	r := o.r
	for missing := o.f.required &^ o.seen; missing != 0; missing &= missing - 1 {
		name := o.f.names[bits.TrailingZeros64(missing)]
		r.Report(start, "missing-field", fmt.Sprintf("%s must have the field %q", o.f.noun, name), "")
	}
	r.repeats(r.unknown[o.unknown:])
	r.unknown = r.unknown[:o.unknown]
	r.keyAt = r.keyAt[:o.known]
}

// repeats reports keys that occur more than once.
func (r *Reader) repeats(keys []key) {
	if len(keys) > 8 {
		r.repeatsOfMany(keys)
		return
	}
	for i := range keys {
		for _, first := range keys[:i] {
			if r.same(first, keys[i]) {
				r.repeated(string(r.spelling(first)), keys[i].start-1, uint32(first.start-1))
				break
			}
		}
	}
}

func (r *Reader) repeatsOfMany(keys []key) {
	firsts := make(map[string]key, len(keys))
	for _, k := range keys {
		spelling := r.spelling(k)
		if first, there := firsts[string(spelling)]; there {
			r.repeated(string(spelling), k.start-1, uint32(first.start-1))
		} else {
			firsts[string(spelling)] = k
		}
	}
}

// same says whether two keys mean the same.
func (r *Reader) same(a, b key) bool {
	if a.plain && b.plain {
		return string(r.data[a.start:a.end]) == string(r.data[b.start:b.end])
	}
	return bytes.Equal(r.spelling(a), r.spelling(b))
}

func (r *Reader) spelling(k key) []byte {
	raw := r.data[k.start:k.end]
	if k.plain {
		return raw
	}
	return text(raw)
}

func (r *Reader) repeated(key string, at int, first uint32) {
	r.add(problem{
		offset: uint32(at), code: "duplicate-json-key",
		text:    fmt.Sprintf("the key %s is already given", Quote(key)),
		related: first, relation: true,
	})
}
