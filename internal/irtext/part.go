package irtext

import (
	"slices"
	"strings"
)

// part is a piece of a statement: it prints fields of an entity, and reads them
// back.
type part struct {
	// print returns the words of the part, and false where the entity has not what
	// it says.
	print func(p *printer, e *entity) (string, bool)
	// starts says whether the part begins at the current token. It is nil for a part
	// that every statement has.
	starts func(p *parser) bool
	parse  func(p *parser, n *node)
	// keyword is the word that the part begins with, "" for none.
	keyword string
}

// form is a kind of statement: its parts in order, behind its keyword.
type form struct {
	keyword string
	parts   []part
}

func statement(keyword string, parts ...part) *form { return &form{keyword, parts} }

// print writes a statement and the fields that no part says, and says false where
// the entity does not have what every such statement says.
func (f *form) print(p *printer, n *node) (string, bool) {
	if n.kind != object {
		return "", false
	}
	e := open(n)
	s, ok := printParts(p, e, f.parts)
	if !ok {
		return "", false
	}
	return join(f.keyword, s, p.attributes(e)), true
}

func (f *form) parse(p *parser, n *node) {
	if f.keyword != "" {
		p.next()
	}
	parseParts(p, n, f.parts)
	p.rest(n)
}

// rest reads what stands in braces behind the parts.
func (p *parser) rest(n *node) {
	if p.tok.is("{") && !p.tok.newLine {
		p.attributes(n)
	}
}

func printParts(p *printer, e *entity, parts []part) (string, bool) {
	var all []string
	before := len(p.shown)
	for _, x := range parts {
		mark := len(p.shown)
		s, ok := x.print(p, e)
		if ok {
			all = append(all, s)
			continue
		}
		p.shown = p.shown[:mark]
		if x.starts == nil {
			p.shown = p.shown[:before]
			return "", false
		}
	}
	return join(all...), true
}

func parseParts(p *parser, n *node, parts []part) {
	for _, x := range parts {
		if x.starts == nil || x.starts(p) {
			x.parse(p, n)
		}
		if p.failed {
			return
		}
	}
	p.parts = parts
}

func join(words ...string) string {
	return strings.Join(slices.DeleteFunc(words, func(s string) bool { return s == "" }), " ")
}

// keywords are the words that begin parts.
func keywords(parts []part) []string {
	var all []string
	for _, x := range parts {
		if x.keyword != "" {
			all = append(all, strings.Fields(x.keyword)...)
		}
	}
	return all
}

// its is a reference that the statement begins with, or one that it must have.
func its(mark byte, key, what string) part {
	return part{
		print: func(p *printer, e *entity) (string, bool) {
			n := e.take(key, text)
			if n == nil {
				return "", false
			}
			return p.reference(mark, n.word), true
		},
		parse: func(p *parser, n *node) { n.set(key, p.tok.at, p.reference(mark, what, nil)) },
	}
}

// defined is the id that the statement defines, with its display name.
func defined(mark byte, what string) part {
	x := its(mark, "id", what)
	print := x.print
	x.print = func(p *printer, e *entity) (string, bool) {
		s, ok := print(p, e)
		if ok {
			if _, there := p.names.byID[mark][e.get("id").word]; there {
				e.say("name")
			}
		}
		return s, ok
	}
	x.parse = func(p *parser, n *node) { n.set("id", p.tok.at, p.reference(mark, what, n)) }
	return x
}

// counted is a number that the statement must have.
func counted(key, what string) part {
	return part{
		print: func(p *printer, e *entity) (string, bool) {
			n := e.take(key, number)
			if n == nil {
				return "", false
			}
			return n.word, true
		},
		parse: func(p *parser, n *node) { n.set(key, p.tok.at, p.integer(what)) },
	}
}

// said is any value that the statement must have.
func said(key string) part {
	return part{
		print: func(p *printer, e *entity) (string, bool) {
			n := e.left(key)
			if n == nil {
				return "", false
			}
			e.say(key)
			return p.value(n), true
		},
		parse: func(p *parser, n *node) {
			if p.tok.newLine {
				p.want("a value")
			}
			n.set(key, p.tok.at, p.value())
		},
	}
}

// either is a truth that has a word for yes and one for no.
func either(key, yes, no string) part {
	return part{
		print: func(p *printer, e *entity) (string, bool) {
			n := e.take(key, truth)
			if n == nil {
				return "", false
			}
			return map[string]string{"true": yes, "false": no}[n.word], true
		},
		parse: func(p *parser, n *node) {
			is := map[string]string{yes: "true", no: "false"}[p.tok.text]
			if p.tok.kind != word || is == "" || p.tok.newLine {
				p.want(quote(yes) + " or " + quote(no))
				return
			}
			n.set(key, p.tok.at, &node{kind: truth, at: p.tok.at, word: is})
			p.next()
		},
	}
}

// flag is a word that stands there where a truth is what it says.
func flag(word, key, is string) part {
	return part{
		keyword: word,
		starts:  func(p *parser) bool { return p.tok.word(word) },
		print: func(p *printer, e *entity) (string, bool) {
			if n := e.left(key); n == nil || n.kind != truth || n.word != is {
				return "", false
			}
			e.say(key)
			return word, true
		},
		parse: func(p *parser, n *node) {
			n.set(key, p.tok.at, &node{kind: truth, at: p.tok.at, word: is})
			p.next()
		},
	}
}

// fixed is a mark or a word that always stands there.
func fixed(s string) part {
	return part{
		print: func(p *printer, e *entity) (string, bool) { return s, true },
		parse: func(p *parser, n *node) {
			if p.tok.newLine || p.tok.text != s || p.tok.kind != word && p.tok.kind != punct {
				p.want(quote(s))
				return
			}
			p.next()
		},
	}
}

// clause is parts behind a keyword, which stand there where an entity has what
// they say.
func clause(keyword string, parts ...part) part {
	return part{
		keyword: keyword,
		starts:  func(p *parser) bool { return p.tok.word(keyword) },
		print: func(p *printer, e *entity) (string, bool) {
			before := len(e.said)
			s, ok := printParts(p, e, parts)
			if !ok {
				e.said = e.said[:before]
			}
			return join(keyword, s), ok
		},
		parse: func(p *parser, n *node) { p.next(); parseParts(p, n, parts) },
	}
}

// references is a list of ids between two marks, such as brackets.
func references(opening, closing string, mark byte, key, what string) part {
	return part{
		print: func(p *printer, e *entity) (string, bool) {
			l := e.left(key)
			if l == nil || l.kind != list {
				return "", false
			}
			var all []string
			for _, n := range l.list {
				if n.kind != text {
					return "", false
				}
				all = append(all, p.reference(mark, n.word))
			}
			e.say(key)
			return opening + strings.Join(all, ", ") + closing, true
		},
		parse: func(p *parser, n *node) {
			l := &node{kind: list, at: p.tok.at}
			n.set(key, p.tok.at, l)
			if p.tok.newLine {
				p.want(quote(opening))
				return
			}
			p.mark(opening)
			p.sequence(closing, func() {
				l.list = append(l.list, p.reference(mark, what, nil))
			})
		},
	}
}

// arguments is a list of ids in parentheses, where there is one.
func arguments(mark byte, key, what string) part {
	x := references("(", ")", mark, key, what)
	x.starts = func(p *parser) bool { return p.tok.is("(") && !p.tok.newLine }
	return x
}

// results is a list of ids in parentheses behind an arrow, where there is one.
func results(mark byte, key, what string) part {
	x := clause("->", references("(", ")", mark, key, what))
	x.keyword = ""
	x.starts = func(p *parser) bool { return p.tok.is("->") && !p.tok.newLine }
	return x
}

// each is a list of objects in brackets, each written by the same parts.
func each(key string, parts ...part) part {
	f := statement("", parts...)
	return part{
		print: func(p *printer, e *entity) (string, bool) {
			l := e.left(key)
			if l == nil || l.kind != list {
				return "", false
			}
			var all []string
			for _, n := range l.list {
				s, ok := f.print(p, n)
				if !ok {
					return "", false
				}
				all = append(all, s)
			}
			e.say(key)
			return "[" + strings.Join(all, ", ") + "]", true
		},
		parse: func(p *parser, n *node) {
			l := &node{kind: list, at: p.tok.at}
			n.set(key, p.tok.at, l)
			if p.tok.newLine {
				p.want(`"["`)
				return
			}
			p.mark("[")
			p.sequence("]", func() {
				x := &node{kind: object, at: p.tok.at}
				l.list = append(l.list, x)
				f.parse(p, x)
			})
		},
	}
}

// within is parts about the fields of an object that is a field.
func within(key string, parts ...part) part {
	return part{
		print: func(p *printer, e *entity) (string, bool) {
			n := e.left(key)
			if n == nil || n.kind != object {
				return "", false
			}
			inner := open(n)
			s, ok := printParts(p, inner, parts)
			if !ok || len(inner.rest()) > 0 {
				return "", false
			}
			e.say(key)
			return s, true
		},
		parse: func(p *parser, n *node) {
			x := &node{kind: object, at: p.tok.at}
			n.set(key, p.tok.at, x)
			parseParts(p, x, parts)
		},
	}
}

// optionally is parts, of which the first says whether they are there.
func optionally(starts func(t token) bool, x part) part {
	x.starts = func(p *parser) bool { return starts(p.tok) && !p.tok.newLine }
	return x
}

// unless is a string that may stand where a keyword may; one that is a keyword
// stands in quotes.
func unless(key, what string, others []part) part {
	reserved := keywords(others)
	x := its(0, key, what)
	print := x.print
	x.print = func(p *printer, e *entity) (string, bool) {
		s, ok := print(p, e)
		if slices.Contains(reserved, s) {
			s = quote(s)
		}
		return s, ok
	}
	x.starts = func(p *parser) bool {
		return !p.tok.newLine && (p.tok.kind == quoted || p.tok.kind == word && !slices.Contains(reserved, p.tok.text))
	}
	return x
}
