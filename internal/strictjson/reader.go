package strictjson

import (
	"fmt"
	"math"
	"unicode/utf8"

	"plancheck/internal/diag"
)

// MaxDepth is how many lists and objects may stand inside each other.
const MaxDepth = 64

// Reader reads one document from front to back.
type Reader struct {
	src     *diag.Source
	data    []byte
	pos     int
	depth   int
	first   bool // no member of the innermost container has been read
	stopped bool // reading has ended at an error

	open    [MaxDepth + 1]uint32 // where the container of each depth begins
	keyAt   []uint32             // where the known keys of the open objects stand, where they do
	unknown []key                // other keys of the open objects
	scratch []byte               // of the last string with escapes

	problems []problem

	describe *describer // set where a decoder is asked what it reads; see Describe
}

// span is a piece of the document.
type span struct{ start, end int }

// NewReader begins to read a document. A document that is empty, too large or
// not in UTF-8 is reported at once.
func NewReader(src *diag.Source) *Reader {
	r := &Reader{src: src, data: src.Text(), pos: src.Start}
	if p, bad := unreadable(src.Text()[src.Start:], uint64(len(src.Text()))); bad {
		r.problems = append(r.problems, p)
		r.stopped = true
	}
	return r
}

// sizeLimit is the length of the largest document: offsets have 32 bits.
const sizeLimit = math.MaxUint32

// Stopped says that reading has ended at an error: what follows it is unknown.
func (r *Reader) Stopped() bool { return r.stopped }

// Failed says that an error has been reported.
func (r *Reader) Failed() bool { return len(r.problems) > 0 }

// Offset returns the byte offset of the next value.
func (r *Reader) Offset() uint32 {
	r.space()
	return uint32(r.pos)
}

// space steps over white space and returns the byte behind it, 0 at the end.
func (r *Reader) space() byte {
	for i := r.pos; i < len(r.data); i++ {
		if c := r.data[i]; c > ' ' || c != ' ' && c != '\n' && c != '\r' && c != '\t' {
			r.pos = i
			return c
		}
	}
	r.pos = len(r.data)
	return 0
}

// enter opens the container that begins at the current byte.
func (r *Reader) enter() bool {
	if r.stopped {
		return false
	}
	if r.depth == MaxDepth {
		r.stop(r.pos, "nesting-too-deep", fmt.Sprintf("lists and objects are nested more than %d deep", MaxDepth))
		return false
	}
	r.depth++
	r.open[r.depth] = uint32(r.pos)
	r.pos++
	r.first = true
	return true
}

// leave closes the innermost container at the current byte.
func (r *Reader) leave() {
	r.depth--
	r.pos++
	r.first = false
}

// more steps to the next member of the innermost container, whose last byte is
// closing, and says whether there is one. It leaves the container at its end.
func (r *Reader) more(closing byte) bool {
	if r.stopped {
		return r.describe != nil && r.describe.more()
	}
	c := r.space()
	if c == closing {
		r.leave()
		return false
	}
	if r.first {
		r.first = false
		return true
	}
	if c != ',' {
		r.unexpected(fmt.Sprintf("',' or %q", closing))
		return false
	}
	r.pos++
	if r.space() == closing {
		next := "an entry"
		if closing == '}' {
			next = "a key in double quotes"
		}
		r.unexpected(next + " after the comma")
		return false
	}
	return true
}

// List is a walk over the entries of a list.
type List struct{ r *Reader }

// List enters a list. If another value is there it reports that it must be
// what want says ("a list of op ids") and returns a List without entries.
func (r *Reader) List(want string) List {
	if r.space() != '[' {
		if r.describe != nil {
			return r.describe.list(r, want)
		}
		r.wrongType(want)
		return List{}
	}
	if !r.enter() {
		return List{}
	}
	return List{r}
}

// Ok says that there is a list, be it empty.
func (l List) Ok() bool { return l.r != nil }

// Next steps to the next entry, which the caller must read, and says whether
// there is one.
func (l List) Next() bool { return l.r != nil && l.r.more(']') }

// Skip steps over the next value, whatever it is. What it holds is checked
// like the rest of the document, but any field is allowed in it.
func (r *Reader) Skip() {
	switch r.space() {
	case '{':
		for o := r.Object(anyFields); o.Next(); {
			r.Skip()
		}
	case '[':
		for l := r.List(""); l.Next(); {
			r.Skip()
		}
	case '"':
		r.str()
	default:
		r.scalar()
	}
}

// End reports whatever but white space follows the document's value.
func (r *Reader) End() {
	if r.space(); r.pos < len(r.data) {
		r.unexpected("nothing behind the document")
	}
}

// unexpected reports a syntax error at the current byte.
func (r *Reader) unexpected(want string) {
	if r.stopped {
		return
	}
	c := r.space()
	if r.pos == len(r.data) {
		r.truncated(want)
		return
	}
	message := fmt.Sprintf("expected %s, found %s", want, r.shownChar(c))
	help := ""
	switch c {
	case '\'':
		help = "strings and keys stand in double quotes"
	case '/', '#':
		help = "JSON has no comments"
	}
	r.stop(r.pos, "json-syntax", message)
	r.problems[len(r.problems)-1].help = help
}

// truncated reports the end of the document where there should be more.
func (r *Reader) truncated(want string) {
	end := len(r.data)
	for end > r.src.Start && isSpace(r.data[end-1]) {
		end--
	}
	p := problem{offset: uint32(end), code: "json-syntax", text: "the document ends where " + want + " should be"}
	if r.depth > 0 {
		kind := "object"
		if r.data[r.open[r.depth]] == '[' {
			kind = "list"
		}
		p.text = "the document ends inside the " + kind + " that begins"
		p.related, p.relation = r.open[r.depth], true
	}
	r.add(p)
	r.stopped = true
}

func isSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// shownChar names the character at the current position for a message.
func (r *Reader) shownChar(c byte) string {
	ch, n := utf8.DecodeRune(r.data[r.pos:])
	if ch == utf8.RuneError && n <= 1 {
		return fmt.Sprintf("byte 0x%02X", c)
	}
	return fmt.Sprintf("%q", ch)
}
