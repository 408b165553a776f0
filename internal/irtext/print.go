package irtext

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"

	"plancheck/internal/strictjson"
)

// mostRanged is how many numbers of a document ranges may stand for.
const mostRanged = 1 << 20

// printer writes a text.
type printer struct {
	names  *names
	ranged int // numbers that ranges stand for so far
	// shown are the ids that the table of ids must list: names behind their marks,
	// and ids that are cut. What is tried and not written is taken back.
	shown []string
	out   strings.Builder
	depth int
}

func (p *printer) line(s string) {
	if s != "" {
		p.out.WriteString(strings.Repeat("  ", p.depth))
	}
	p.out.WriteString(s)
	p.out.WriteByte('\n')
}

// quote writes a string as JSON has them, with escapes for what cannot be seen, so
// that nobody is fooled by what a text looks like.
func quote(s string) string {
	var b strings.Builder
	for _, r := range string(strictjson.AppendString(nil, s)) {
		switch {
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// entity is an object on its way into a statement.
type entity struct {
	*node
	said []string // the fields that parts have said
}

func open(n *node) *entity { return &entity{node: n} }

func (e *entity) say(key string) { e.said = append(e.said, key) }

// left returns a field that no part has said yet; nil where there is none.
func (e *entity) left(key string) *node {
	if slices.Contains(e.said, key) {
		return nil
	}
	return e.get(key)
}

// take returns a field of a kind and counts it as said; nil where there is none.
func (e *entity) take(key string, k kind) *node {
	n := e.left(key)
	if n == nil || n.kind != k {
		return nil
	}
	e.say(key)
	return n
}

// rest lists the fields that no part has said.
func (e *entity) rest() []member {
	return slices.DeleteFunc(slices.Clone(e.fields), func(m member) bool { return slices.Contains(e.said, m.key) })
}

// attributes writes the fields that no part has said, in braces.
func (p *printer) attributes(e *entity) string {
	if rest := e.rest(); len(rest) > 0 {
		return p.value(&node{kind: object, fields: rest})
	}
	return ""
}

// value writes any value.
func (p *printer) value(n *node) string {
	switch n.kind {
	case null:
		return "null"
	case text:
		return p.general(n.word)
	case list:
		return "[" + p.values(n.list) + "]"
	case object:
		var all []string
		for _, m := range n.fields {
			key := m.key
			if !bare(key) {
				key = quote(key)
			}
			all = append(all, key+" = "+p.value(m.value))
		}
		return "{" + strings.Join(all, ", ") + "}"
	}
	return n.word
}

// values writes the entries of a list: three numbers or more that count up are a
// range.
func (p *printer) values(entries []*node) string {
	var all []string
	for i := 0; i < len(entries); {
		n := run(entries[i:])
		if n >= 3 && p.ranged+n <= mostRanged {
			p.ranged += n
			all = append(all, entries[i].word+".."+entries[i+n-1].word)
			i += n
			continue
		}
		all = append(all, p.value(entries[i]))
		i++
	}
	return strings.Join(all, ", ")
}

// run counts the numbers at the start of a list that count up by one.
func run(entries []*node) int {
	n := 0
	for last := int64(0); n < len(entries) && entries[n].kind == number; n++ {
		x, err := strconv.ParseInt(entries[n].word, 10, 64)
		if err != nil || n > 0 && x-1 != last {
			break
		}
		last = x
	}
	return n
}

// general writes a string that may mean anything.
func (p *printer) general(s string) string {
	if isWhole(s) {
		for _, mark := range []byte("%@") {
			if name, there := p.names.byID[mark][s]; there {
				return p.show(string(mark) + name)
			}
		}
	}
	if s == "true" || s == "false" || s == "null" {
		return quote(s)
	}
	if isSum(s) {
		return "(" + s + ")"
	}
	return p.plain(s)
}

// show notes that the table of ids must have a name or an id.
func (p *printer) show(s string) string {
	p.shown = append(p.shown, s)
	return s
}

// isSum says whether a string is a sum as polynomials are written: 2*M^2 - M + 1.
func isSum(s string) bool {
	terms := strings.Split(s, " ")
	if len(terms) < 3 || len(terms)%2 == 0 {
		return false
	}
	for i, t := range terms {
		switch {
		case i%2 == 1 && t != "+" && t != "-":
			return false
		case i%2 == 0 && (t == "" || scanWord(t) != len(t) || i > 0 && t[0] == '-' || strings.Trim(t, "-*^_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") != ""):
			return false
		}
	}
	return true
}

// plain writes a string that is no reference to what has a display name.
func (p *printer) plain(s string) string {
	switch {
	case isWhole(s):
		p.show(s)
		return cut(s, p.names.digits)
	case bare(s):
		return s
	}
	return quote(s)
}

// reference writes the id of something behind its mark.
func (p *printer) reference(mark byte, id string) string {
	if mark == 0 {
		return p.plain(id)
	}
	if name, there := p.names.byID[mark][id]; there {
		return p.show(string(mark) + name)
	}
	return string(mark) + p.plain(id)
}
