package strictjson

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"unicode/utf16"
	"unicode/utf8"
)

// String reads a string. The bytes are valid UTF-8 and stay so until the next
// read. If there is no string it reports that there must be what want says.
func (r *Reader) String(want string) ([]byte, bool) {
	if r.space() != '"' {
		if r.describe != nil {
			r.describe.value("string", want)
			return nil, false
		}
		r.wrongType(want)
		return nil, false
	}
	return r.str()
}

const (
	ones  = 0x0101010101010101
	highs = 0x8080808080808080
)

// special marks the high bit of bytes that end the plain part of a string:
// quote, backslash, controls, and all that is not ASCII. Only the lowest mark
// is exact.
func special(w uint64) uint64 {
	quote := w ^ ones*'"'
	slash := w ^ ones*'\\'
	return ((quote-ones)&^quote | (slash-ones)&^slash | (w-ones*' ')&^w | w) & highs
}

// str reads the string that begins at the current byte.
func (r *Reader) str() ([]byte, bool) {
	if r.stopped {
		return nil, false
	}
	data, start := r.data, r.pos+1
	i := start
	for i+8 <= len(data) {
		m := special(binary.LittleEndian.Uint64(data[i:]))
		if m == 0 {
			i += 8
			continue
		}
		i += bits.TrailingZeros64(m) / 8
		if data[i] == '"' {
			r.pos = i + 1
			return data[start:i], true
		}
		break
	}
	return r.oddString(start, i)
}

// oddString reads the string whose contents begin at start and are plain up to i.
func (r *Reader) oddString(start, i int) ([]byte, bool) {
	escaped := false
	for ; i < len(r.data) && r.data[i] != '"'; i++ {
		switch r.data[i] {
		case '\\':
			escaped = true
			i++
		case '\n', '\r':
			i = len(r.data)
		}
	}
	if i >= len(r.data) {
		r.stop(start-1, "json-syntax", "the string that begins here is not closed on its line")
		return nil, false
	}
	raw := r.data[start:i]
	r.pos = i + 1
	if !escaped && utf8.Valid(raw) && !hasControl(raw) {
		return raw, true
	}
	problems := len(r.problems)
	r.scratch = unescape(r.scratch[:0], raw, func(at int, code, message string) {
		r.Report(uint32(start+at), code, message, "")
	})
	return r.scratch, len(r.problems) == problems
}

func hasControl(b []byte) bool {
	for _, c := range b {
		if c < ' ' {
			return true
		}
	}
	return false
}

// text returns the meaning of a string's contents, as well as it can be told.
func text(raw []byte) []byte {
	if bytes.IndexByte(raw, '\\') < 0 && utf8.Valid(raw) {
		return raw
	}
	return unescape(nil, raw, func(int, string, string) {})
}

// unescape appends the meaning of a string's contents to dst and reports what
// is wrong with them. Bad parts become U+FFFD.
func unescape(dst, raw []byte, report func(at int, code, message string)) []byte {
	for i := 0; i < len(raw); {
		c := raw[i]
		switch {
		case c == '\\':
			n := 0
			dst, n = unescapeOne(dst, raw, i, report)
			i += n
		case c < ' ':
			report(i, "json-syntax", fmt.Sprintf("a control character in a string must be written as \\u%04x", c))
			dst = append(dst, c)
			i++
		case c < utf8.RuneSelf:
			dst = append(dst, c)
			i++
		default:
			ch, n := utf8.DecodeRune(raw[i:])
			if ch == utf8.RuneError && n == 1 {
				report(i, "invalid-utf8", fmt.Sprintf("byte 0x%02X is not valid UTF-8 here", c))
			}
			dst = utf8.AppendRune(dst, ch)
			i += n
		}
	}
	return dst
}

// unescapeOne reads the escape at raw[i] and returns its length.
func unescapeOne(dst, raw []byte, i int, report func(at int, code, message string)) ([]byte, int) {
	if i+1 == len(raw) {
		return dst, 1 // only in contents that were cut off
	}
	switch c := raw[i+1]; c {
	case '"', '\\', '/':
		return append(dst, c), 2
	case 'b':
		return append(dst, '\b'), 2
	case 'f':
		return append(dst, '\f'), 2
	case 'n':
		return append(dst, '\n'), 2
	case 'r':
		return append(dst, '\r'), 2
	case 't':
		return append(dst, '\t'), 2
	case 'u':
		ch, ok := hex4(raw[i+2:])
		if !ok {
			report(i, "json-syntax", `\u must be followed by four hexadecimal digits`)
			return utf8.AppendRune(dst, utf8.RuneError), 2
		}
		if !utf16.IsSurrogate(ch) {
			return utf8.AppendRune(dst, ch), 6
		}
		if rest := raw[i+6:]; len(rest) > 1 && rest[0] == '\\' && rest[1] == 'u' {
			if low, ok := hex4(rest[2:]); ok {
				if both := utf16.DecodeRune(ch, low); both != utf8.RuneError {
					return utf8.AppendRune(dst, both), 12
				}
			}
		}
		report(i, "invalid-utf8", fmt.Sprintf("%s is half of a surrogate pair, which is no character", raw[i:i+6]))
		return utf8.AppendRune(dst, utf8.RuneError), 6
	default:
		ch, n := utf8.DecodeRune(raw[i+1:])
		if ch == utf8.RuneError && n == 1 {
			return dst, 1 // the byte behind the backslash is reported next
		}
		report(i, "json-syntax", fmt.Sprintf("there is no escape of a backslash and %q", ch))
		return append(dst, raw[i+1:i+1+n]...), 1 + n
	}
}

func hex4(b []byte) (rune, bool) {
	if len(b) < 4 {
		return 0, false
	}
	var ch rune
	for _, c := range b[:4] {
		switch {
		case c >= '0' && c <= '9':
			ch = ch<<4 + rune(c-'0')
		case c >= 'a' && c <= 'f':
			ch = ch<<4 + rune(c-'a'+10)
		case c >= 'A' && c <= 'F':
			ch = ch<<4 + rune(c-'A'+10)
		default:
			return 0, false
		}
	}
	return ch, true
}
