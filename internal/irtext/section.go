package irtext

import (
	"slices"
	"strings"

	"plancheck/internal/diag"
)

// section is the statements of a block: which list of entities has which form, and
// which objects are blocks of their own.
type section struct {
	lists  []listed
	blocks []block
	own    []own
	graph  *graph
}

// own is a field of the block itself that has a statement.
type own struct {
	field string
	form  *form
}

// listed is a list of entities and their form. A form without a keyword begins
// with its mark.
type listed struct {
	field string
	mark  byte
	form  *form
	// inner is what stands in braces behind the statement, one a line; nil for none.
	inner *section
}

// block is an object that stands in braces, one statement a line.
type block struct {
	field string
	*section
}

func (s *section) list(field string) *listed {
	i := slices.IndexFunc(s.lists, func(l listed) bool { return l.field == field })
	if i < 0 {
		return nil
	}
	return &s.lists[i]
}

func (s *section) block(field string) *section {
	for _, b := range s.blocks {
		if b.field == field {
			return b.section
		}
	}
	return nil
}

// print writes the fields of an object without those that are left out.
func (s *section) print(p *printer, n *node, without ...string) {
	for _, m := range n.fields {
		switch inner := s.block(m.key); {
		case slices.Contains(without, m.key):
		case s.graph != nil && s.graph.print(p, n, m):
		case inner != nil && m.value.kind == object:
			p.line(m.key + " {")
			p.depth++
			inner.print(p, m.value)
			p.depth--
			p.line("}")
		case s.list(m.key) != nil && m.value.kind == list && len(m.value.list) > 0:
			for _, x := range m.value.list {
				p.entry(s.list(m.key), x)
			}
		case s.ownField(p, m):
		default:
			p.field(m.key, " = ", m.value)
		}
	}
}

// ownField writes a field that has a statement.
func (s *section) ownField(p *printer, m member) bool {
	for _, o := range s.own {
		if o.field == m.key {
			said, ok := o.form.print(p, &node{kind: object, fields: []member{m}})
			if ok {
				p.line(said)
			}
			return ok
		}
	}
	return false
}

// entry writes an entity of a list.
func (p *printer) entry(l *listed, n *node) {
	if l.inner != nil && n.kind == object {
		e := open(n)
		if s, ok := printParts(p, e, l.form.parts); ok {
			p.line(l.form.keyword + " " + s + " {")
			p.depth++
			l.inner.print(p, n, e.said...)
			p.depth--
			p.line("}")
			return
		}
	} else if s, ok := l.form.print(p, n); ok {
		p.line(s)
		return
	}
	p.field(l.field, " += ", n)
}

// field writes a field by its name.
func (p *printer) field(key, mark string, n *node) {
	if !bare(key) {
		key = quote(key)
	}
	p.line(key + mark + p.value(n))
}

// parse reads statements up to the brace that closes the block.
func (s *section) parse(p *parser, n *node) {
	if !p.enter() {
		return
	}
	defer p.leave()
	first := true
	for !p.failed && !p.tok.is("}") {
		if !p.tok.newLine && !first {
			p.tooMuch()
			return
		}
		first = false
		s.statement(p, n)
	}
	p.close()
}

// tooMuch reports what no part of the statement that was read begins with.
func (p *parser) tooMuch() {
	words := keywords(p.parts)
	help := ""
	if near := diag.Nearest(p.tok.text, slices.Values(words)); near != "" && p.tok.kind == word {
		help = "did you mean " + near + "?"
	} else if slices.Contains(words, p.tok.text) {
		help = "the parts of a statement come in the order " + strings.Join(words, ", ")
	} else if len(words) > 0 {
		help = "known are " + strings.Join(words, ", ") + ", in this order, and other fields as {FIELD = VALUE}"
	}
	p.fail(p.tok.at, "expected the end of the line, found "+p.tok.shown(), help)
}

func (s *section) statement(p *parser, n *node) {
	behind := p.peek()
	name := p.tok.kind == word || p.tok.kind == quoted
	switch {
	case p.tok.kind == end:
		p.wantAnywhere(`a statement or "}"`)
	case name && behind.is("=") && !behind.newLine:
		key, at := p.tok.text, p.tok.at
		p.next()
		p.next()
		n.set(key, at, p.sameLine())
	case name && behind.is("+=") && !behind.newLine:
		key, at := p.tok.text, p.tok.at
		p.next()
		p.next()
		x := p.sameLine()
		x.at = at
		n.add(key, x)
	case p.tok.kind == word && behind.is("{") && s.block(p.tok.text) != nil:
		inner, key, x := s.block(p.tok.text), p.tok.text, &node{kind: object, at: p.tok.at}
		n.set(key, p.tok.at, x)
		p.next()
		p.mark("{")
		inner.parse(p, x)
	case s.graph != nil && s.graph.begins(p):
		s.graph.parse(p, n)
	default:
		s.entity(p, n)
	}
}

// sameLine reads a value that begins on this line.
func (p *parser) sameLine() *node {
	if p.tok.newLine {
		p.want("a value")
	}
	return p.value()
}

// entity reads a statement about an entity of a list.
func (s *section) entity(p *parser, n *node) {
	for _, l := range s.lists {
		if l.form.keyword != "" && p.tok.kind == word && p.tok.text == l.form.keyword ||
			l.form.keyword == "" && p.tok.kind == sigil && p.tok.sigil == l.mark {
			x := &node{kind: object, at: p.tok.at}
			p.tok.newLine = false
			if l.inner != nil {
				p.next()
				parseParts(p, x, l.form.parts)
				p.mark("{")
				l.inner.parse(p, x)
			} else {
				l.form.parse(p, x)
			}
			n.add(l.field, x)
			return
		}
	}
	for _, o := range s.own {
		if p.tok.kind == word && p.tok.text == o.form.keyword {
			p.next()
			parseParts(p, n, o.form.parts)
			return
		}
	}
	p.fail(p.tok.at, "no statement here begins with "+p.tok.shown(), s.help())
}

// help lists what statements of the section begin with.
func (s *section) help() string {
	var all []string
	if s.graph != nil {
		all = append(all, "%", "return")
	}
	for _, l := range s.lists {
		if l.form.keyword == "" {
			all = append(all, string(l.mark))
		} else {
			all = append(all, l.form.keyword)
		}
	}
	for _, o := range s.own {
		all = append(all, o.form.keyword)
	}
	for _, b := range s.blocks {
		all = append(all, b.field)
	}
	return "statements begin with " + strings.Join(append(all, "or FIELD ="), ", ")
}
