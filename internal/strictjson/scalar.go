package strictjson

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Int reads an integer of at least min. A fraction, an exponent (also of whole
// value, such as 1.0), a number below min or one beyond 64 bits is an error.
func (r *Reader) Int(min int64) (int64, bool) {
	c := r.space()
	data, i := r.data, r.pos
	if c == '-' {
		i++
	}
	digits := i
	n := int64(0)
	for i < len(data) && data[i]-'0' <= 9 {
		if i-digits == 18 {
			return r.oddInt(min)
		}
		n = n*10 + int64(data[i]-'0')
		i++
	}
	if i == digits || i-digits > 1 && data[digits] == '0' || i < len(data) && wordByte[data[i]] {
		return r.oddInt(min)
	}
	if c == '-' {
		n = -n
	}
	if n < min {
		return r.oddInt(min)
	}
	r.pos = i
	return n, true
}

// oddInt reads an integer that is long, or reports why there is none.
func (r *Reader) oddInt(min int64) (int64, bool) {
	if r.describe != nil {
		r.describe.integer(min)
		return 0, false
	}
	r.space()
	at := uint32(r.pos)
	if !r.atScalar() {
		r.wrongType("an integer")
		return 0, false
	}
	kind, word := r.scalar()
	switch kind {
	case number:
	case malformed:
		return 0, false
	default:
		r.about(at, "wrong-type", "must be an integer, found "+string(word), "")
		return 0, false
	}
	if bytes.ContainsAny(word, ".eE") {
		r.about(at, "not-an-integer", "must be an integer, found "+shorten(string(word)),
			"write whole numbers without fraction and exponent")
		return 0, false
	}
	n, err := strconv.ParseInt(string(word), 10, 64)
	if err == nil && n >= min {
		return n, true
	}
	limit := fmt.Sprintf("at least %d", min)
	if err != nil && word[0] != '-' {
		limit = fmt.Sprintf("at most %d", int64(math.MaxInt64))
	}
	r.about(at, "integer-out-of-range", "must be "+limit+", found "+shorten(string(word)), "")
	return 0, false
}

// Bool reads true or false.
func (r *Reader) Bool() (bool, bool) {
	c := r.space()
	if c == 't' && r.literal("true") {
		return true, true
	}
	if c == 'f' && r.literal("false") {
		return false, true
	}
	if r.describe != nil {
		r.describe.value("boolean", "")
		return false, false
	}
	r.wrongType("true or false")
	return false, false
}

// Null steps over a null, if one is there, and says so.
func (r *Reader) Null() bool {
	if r.space() == 'n' && !r.stopped && r.literal("null") {
		return true
	}
	if r.describe != nil {
		r.describe.null = true
	}
	return false
}

func (r *Reader) literal(word string) bool {
	end := r.pos + len(word)
	if r.stopped || end > len(r.data) || string(r.data[r.pos:end]) != word || end < len(r.data) && wordByte[r.data[end]] {
		return false
	}
	r.pos = end
	return true
}

// kind is what a word turns out to be.
type kind uint8

const (
	malformed kind = iota
	number
	boolean
	null
)

// wordByte has the bytes that words and numbers are made of.
var wordByte = func() (set [256]bool) {
	for _, c := range []byte("+-._0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") {
		set[c] = true
	}
	return set
}()

func (r *Reader) atScalar() bool { return r.pos < len(r.data) && wordByte[r.data[r.pos]] }

// scalar reads a number or a word. What is neither is reported; where words
// are concerned reading can go on.
func (r *Reader) scalar() (kind, []byte) {
	if r.stopped {
		return malformed, nil
	}
	r.space()
	start := r.pos
	end := start
	for end < len(r.data) && wordByte[r.data[end]] {
		end++
	}
	if end == start {
		r.unexpected("a value")
		return malformed, nil
	}
	word := r.data[start:end]
	r.pos = end
	switch string(word) {
	case "true", "false":
		return boolean, word
	case "null":
		return null, word
	}
	shown := shorten(string(word))
	switch strings.ToLower(strings.TrimLeft(string(word), "+-")) {
	case "nan", "inf", "infinity":
		r.about(uint32(start), "nonfinite-number", "must be finite, found "+shown, "")
		return malformed, word
	}
	if c := word[0]; c < 'A' {
		if isNumber(word) {
			return number, word
		}
		r.Report(uint32(start), "json-syntax", shown+" is not a number as JSON writes it", "")
		return malformed, word
	}
	r.Report(uint32(start), "json-syntax", "expected a value, found the word "+shown, "the words of JSON are true, false and null")
	return malformed, word
}

// isNumber says whether b is a number by the grammar of RFC 8259, section 6.
func isNumber(b []byte) bool {
	b = bytes.TrimPrefix(b, []byte("-"))
	whole := digits(b)
	if whole == 0 || whole > 1 && b[0] == '0' {
		return false
	}
	b = b[whole:]
	if len(b) > 0 && b[0] == '.' {
		n := digits(b[1:])
		if n == 0 {
			return false
		}
		b = b[1+n:]
	}
	if len(b) > 0 && (b[0] == 'e' || b[0] == 'E') {
		b = b[1:]
		if len(b) > 0 && (b[0] == '+' || b[0] == '-') {
			b = b[1:]
		}
		n := digits(b)
		if n == 0 {
			return false
		}
		b = b[n:]
	}
	return len(b) == 0
}

func digits(b []byte) int {
	n := 0
	for n < len(b) && b[n]-'0' <= 9 {
		n++
	}
	return n
}

// wrongType reports that the next value must be what want says, and steps over it.
func (r *Reader) wrongType(want string) {
	if r.stopped {
		return
	}
	var found string
	c := r.space()
	at := uint32(r.pos)
	switch {
	case c == '"':
		found = "a string"
	case c == '[':
		found = "a list"
	case c == '{':
		found = "an object"
	case r.atScalar():
		k, word := r.scalar()
		switch k {
		case malformed:
			return
		case number:
			found = "a number"
		default:
			found = string(word)
		}
		r.about(at, "wrong-type", "must be "+want+", found "+found, "")
		return
	default:
		r.unexpected("a value")
		return
	}
	r.about(at, "wrong-type", "must be "+want+", found "+found, "")
	r.Skip()
}

// AtString says that the next value is a string, and, when no document is read,
// that it may be one.
func (r *Reader) AtString() bool { return r.describe != nil || r.space() == '"' }
