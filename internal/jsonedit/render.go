package jsonedit

import (
	"bytes"
	"strings"
)

// style is how a text is formatted where there is no neighbour to follow.
type style struct {
	colon string // ": " mostly
	comma string // between parts on one line
	line  string // the end of a line; "" for a text on one line
	unit  string // by which a level is indented
}

// styleOf looks at a document: at its first colon, and at how its members are
// indented.
func styleOf(src []byte, doc *node) style {
	s := style{colon: ": ", comma: ", ", unit: "  "}
	if len(doc.members) == 0 {
		return s
	}
	m := doc.members[0]
	s.colon = string(src[m.end:m.value.start])
	if s.colon == ":" {
		s.comma = ","
	}
	before := string(src[doc.start+1 : m.start])
	if i := strings.LastIndexByte(before, '\n'); i >= 0 {
		s.line = "\n"
		if strings.Contains(before, "\r\n") {
			s.line = "\r\n"
		}
		s.unit = before[i+1:]
	} else if bytes.IndexByte(src[doc.start:doc.end], '\n') >= 0 {
		s.line, s.unit = "\n", " "
	}
	return s
}

// indentAt is the white space at the beginning of the line of an offset.
func (e *editor) indentAt(at int) string {
	start := bytes.LastIndexByte(e.src[:at], '\n') + 1
	end := start
	for end < at && (e.src[end] == ' ' || e.src[end] == '\t') {
		end++
	}
	return string(e.src[start:end])
}

// partIndent is how the lines of parts of an object or a list are indented.
func (e *editor) partIndent(of *node) string {
	if of.parts() == 0 {
		return e.indentAt(of.start) + e.style.unit
	}
	start, _ := of.span(0)
	return e.indentAt(start)
}

// between is what stands before, between and behind the parts of an object or a
// list of src.
func (e *editor) between(of *node) (open, sep, end string) {
	n := of.parts()
	if n == 0 {
		// Nothing is there to follow: entries of lists have lines of their own in
		// a text that has lines.
		if e.style.line == "" || of.kind == '{' {
			return "", e.style.comma, ""
		}
		outer := e.style.line + e.indentAt(of.start)
		return outer + e.style.unit, "," + outer + e.style.unit, outer
	}
	first, _ := of.span(0)
	_, last := of.span(n - 1)
	open, end = string(e.src[of.start+1:first]), string(e.src[last:of.end-1])
	switch {
	case n > 1:
		_, a := of.span(n - 2)
		b, _ := of.span(n - 1)
		sep = string(e.src[a:b])
	case strings.Contains(open, "\n"):
		sep = "," + open
	default:
		sep = e.style.comma
	}
	return open, sep, end
}

// tall says whether a value has lines of its own in a text that has lines: a list
// of objects or lists, and what has such a list in it.
func tall(n *node) bool {
	for _, m := range n.members {
		if tall(m.value) {
			return true
		}
	}
	return n.kind == '[' && len(n.items) > 0 && n.items[0].kind != 0
}

// render writes a value of after like one of src, nil for none, on a line that
// is indented so.
func (e *editor) render(is, like *node, indent string) string {
	if is.kind == 0 {
		return e.is(is)
	}
	brackets := map[byte]string{'{': "{}", '[': "[]"}[is.kind]
	n := is.parts()
	if n == 0 {
		return brackets
	}
	if like != nil && (like.kind != is.kind || like.parts() == 0) {
		like = nil
	}
	var open, sep, end string
	inner := indent
	switch {
	case like != nil:
		open, sep, end = e.between(like)
		inner = e.partIndent(like)
	case tall(is) && e.style.line != "":
		inner = indent + e.style.unit
		outer := e.style.line + indent
		open, sep, end = outer+e.style.unit, ","+outer+e.style.unit, outer
	default:
		sep = e.style.comma
	}
	var b strings.Builder
	b.WriteString(brackets[:1] + open)
	for i := range n {
		if i > 0 {
			b.WriteString(sep)
		}
		if is.kind == '[' {
			var of *node
			if like != nil {
				of = alike(like, is.items[i])
			}
			b.WriteString(e.render(is.items[i], of, inner))
			continue
		}
		m := is.members[i]
		colon, of := e.style.colon, (*node)(nil)
		if like != nil {
			l := like.members[0]
			if j, there := like.member(m.key); there {
				l = like.members[j]
				of = l.value
			}
			colon = string(e.src[l.end:l.value.start])
		}
		b.WriteString(m.key + colon + e.render(m.value, of, inner))
	}
	b.WriteString(end + brackets[1:])
	return b.String()
}
