package strictjson

import (
	"bytes"
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"plancheck/internal/diag"
)

// Fields is a table of the fields that an object may have.
type Fields struct {
	noun     string // "an op"
	names    []string
	quoted   []string // names as keys in plain spelling, with their quotes
	required uint64
	open     bool
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

	r     *Reader
	f     *Fields
	seen  uint64
	guess int // the field that is likely to come next
	keys  int // how many unknown keys of outer objects there are
	key   span
}

// Object enters an object. If another value is there it reports that and
// returns an Object without members.
func (r *Reader) Object(f *Fields) Object {
	if r.space() != '{' {
		r.wrongType("an object")
		return Object{}
	}
	if !r.enter() {
		return Object{}
	}
	return Object{r: r, f: f, keys: len(r.unknown)}
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
			return false
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
				r.keyAt[depth][o.Field] = uint32(at)
				return true
			}
			r.repeated(o.f.names[o.Field], at, r.keyAt[depth][o.Field])
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
	key, ok := r.str()
	if r.stopped {
		return Other
	}
	o.key.end = r.pos - 1
	if i := slices.Index(o.f.names, string(key)); ok && i >= 0 { // spelled with escapes
		return i
	}
	if !o.f.open && ok {
		r.add(o.f.stranger(string(key), o.key.start-1))
	}
	r.unknown = append(r.unknown, o.key)
	return Other
}

// stranger is the error for a field that is not in the table.
func (f *Fields) stranger(key string, at int) problem {
	p := problem{offset: uint32(at), code: "unknown-field", text: fmt.Sprintf("%s has no field %s", f.noun, Quote(key))}
	if near := diag.Nearest(key, slices.Values(f.names)); near != "" {
		p.help = fmt.Sprintf("did you mean %q?", near)
	} else {
		p.help = "its fields are " + strings.Join(f.names, ", ")
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
	if len(r.unknown) > o.keys+1 {
		r.repeats(r.unknown[o.keys:])
	}
	r.unknown = r.unknown[:o.keys]
}

// repeats reports keys that occur more than once.
func (r *Reader) repeats(keys []span) {
	spelling := func(k span) []byte { return text(r.data[k.start:k.end]) }
	slices.SortFunc(keys, func(a, b span) int {
		return cmp.Or(bytes.Compare(spelling(a), spelling(b)), cmp.Compare(a.start, b.start))
	})
	first := keys[0]
	for _, k := range keys[1:] {
		if bytes.Equal(spelling(first), spelling(k)) {
			r.repeated(string(spelling(k)), k.start-1, uint32(first.start-1))
		} else {
			first = k
		}
	}
}

func (r *Reader) repeated(key string, at int, first uint32) {
	r.add(problem{
		offset: uint32(at), code: "duplicate-json-key",
		text:    fmt.Sprintf("the key %s is already given", Quote(key)),
		related: first, relation: true,
	})
}
