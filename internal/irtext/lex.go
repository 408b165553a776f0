package irtext

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"plancheck/internal/strictjson"
)

// tokenKind is what a token is.
type tokenKind uint8

const (
	end    tokenKind = iota
	word             // tp, model.linear, sha256:ab, 150994944*M
	digits           // an integer
	quoted           // "a string"
	sigil            // %x, @down, %"odd one"
	punct
)

// token is a piece of the text.
type token struct {
	kind      tokenKind
	text      string // what it means; for a sigil what stands behind it
	sigil     byte
	literal   bool // of a sigil: its name stands in quotes
	at, end   int
	newLine   bool // it is the first on its line
	problem   string
	problemAt int
}

// is says whether a token is a punctuation mark.
func (t token) is(mark string) bool { return t.kind == punct && t.text == mark }

// word says whether a token is a word of the statement that it stands in.
func (t token) word(w string) bool { return t.kind == word && t.text == w && !t.newLine }

func (t token) shown() string {
	switch t.kind {
	case end:
		return "the end of the text"
	case sigil:
		return strictjson.Quote(string(t.sigil) + t.text)
	case quoted:
		return "the string " + strictjson.Quote(t.text)
	}
	return strictjson.Quote(t.text)
}

func letter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c >= '0' && c <= '9'
}

// scanWord returns the length of the word that a text begins with. A word begins
// with a letter, a digit, an underscore, or a minus before a digit; marks may stand
// in it where letters follow.
func scanWord(s string) int {
	next := func(i int) byte {
		if i+1 < len(s) {
			return s[i+1]
		}
		return 0
	}
	i := 0
	if s != "" && s[0] == '-' && next(0) >= '0' && next(0) <= '9' {
		i = 1
	}
	if i >= len(s) || !letter(s[i]) {
		return 0
	}
	for ; i < len(s); i++ {
		switch c := s[i]; {
		case letter(c) || c == '.':
		case c == '-' && next(i) != '>', c == '/' && next(i) != '/', c == '@':
		case (c == ':' || c == '*' || c == '^') && letter(next(i)):
		default:
			return i
		}
	}
	return i
}

// isInteger says whether a word is an integer as JSON has them.
func isInteger(s string) bool {
	d := strings.TrimPrefix(s, "-")
	if d == "" || d[0] == '0' && s != "0" {
		return false
	}
	return strings.Trim(d, "0123456789") == ""
}

// bare says whether a string can stand without quotes and be read as a string.
func bare(s string) bool {
	return s != "" && scanWord(s) == len(s) && !isInteger(s) && !strings.Contains(s, "..") && !isShort(s)
}

// scan reads the token that begins at or behind an offset.
func scan(s string, at int) token {
	t := token{newLine: at == 0}
	for at < len(s) {
		switch c := s[at]; {
		case c == '\n':
			t.newLine = true
			at++
		case c == ' ' || c == '\t' || c == '\r':
			at++
		case strings.HasPrefix(s[at:], "//"):
			if n := strings.IndexByte(s[at:], '\n'); n >= 0 {
				at += n
			} else {
				at = len(s)
			}
		default:
			t.at = at
			t.read(s)
			return t
		}
	}
	t.at, t.end = at, at
	return t
}

func (t *token) read(s string) {
	rest := s[t.at:]
	if n := scanWord(rest); n > 0 {
		t.kind, t.text, t.end = word, rest[:n], t.at+n
		if isInteger(t.text) {
			t.kind = digits
		}
		return
	}
	switch c := rest[0]; {
	case c == '"':
		t.kind = quoted
		t.string(s, t.at)
	case c == '%' || c == '@':
		t.kind, t.sigil = sigil, c
		if n := scanWord(rest[1:]); n > 0 {
			t.text, t.end = rest[1:1+n], t.at+1+n
		} else if len(rest) > 1 && rest[1] == '"' {
			t.literal = true
			t.string(s, t.at+1)
		} else {
			t.bad(t.at, "a name must follow "+string(c))
		}
	case strings.HasPrefix(rest, "->") || strings.HasPrefix(rest, "+="):
		t.kind, t.text, t.end = punct, rest[:2], t.at+2
	case strings.IndexByte("{}()[]<>,=:", c) >= 0:
		t.kind, t.text, t.end = punct, rest[:1], t.at+1
	default:
		r, n := utf8.DecodeRuneInString(rest)
		if r == utf8.RuneError && n <= 1 {
			t.bad(t.at, fmt.Sprintf("byte 0x%02X is not valid UTF-8 here", c))
			return
		}
		t.bad(t.at, fmt.Sprintf("no word begins with %q", r))
	}
}

// string reads a string as JSON has them, from its first quote on.
func (t *token) string(s string, from int) {
	i := from + 1
	for i < len(s) && s[i] != '"' && s[i] != '\n' {
		if s[i] == '\\' {
			i++
		}
		i++
	}
	if i >= len(s) || s[i] != '"' {
		t.bad(from, "the string that begins here is not closed on its line")
		return
	}
	b, at, problem := strictjson.Unquote([]byte(s[from : i+1]))
	if problem != "" {
		t.bad(from+at, problem)
		return
	}
	t.text, t.end = string(b), i+1
}

func (t *token) bad(at int, problem string) {
	t.problem, t.problemAt = problem, at
	t.kind, t.end = end, t.at
}
