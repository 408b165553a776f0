package irtext

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"plancheck/internal/strictjson"
)

// This file holds the parts that are no plain lists of words.

// lineages are the words that a lineage may begin with.
var lineages = strings.Fields("root preserved cloned decomposed fused lowered generated")

// lineage is where an entity comes from: decomposed by distribute from op:20c417a9.
func lineage() part {
	transform := clause("by", its(0, "transform", "what made it"))
	reason := clause("because", its(0, "reason", "a reason"))
	source := clause("from", references("[", "]", 0, "sources", "an id"))
	return part{
		keyword: strings.Join(append(slices.Clone(lineages), "by", "from", "because"), " "),
		starts: func(p *parser) bool {
			return p.tok.kind == word && !p.tok.newLine && slices.Contains(lineages, p.tok.text)
		},
		print: func(p *printer, e *entity) (string, bool) {
			n := e.left("lineage")
			kind := n.get("kind")
			if kind == nil || !slices.Contains(lineages, kind.word) {
				return "", false
			}
			inner := open(n)
			inner.say("kind")
			all := []string{kind.word}
			for _, x := range []part{transform, source, reason} {
				if s, ok := x.print(p, inner); ok {
					all = append(all, s)
				}
			}
			if len(inner.rest()) > 0 {
				return "", false
			}
			e.say("lineage")
			return join(all...), true
		},
		parse: func(p *parser, n *node) {
			l := &node{kind: object, at: p.tok.at}
			n.set("lineage", p.tok.at, l)
			l.set("kind", p.tok.at, &node{kind: text, at: p.tok.at, word: p.tok.text})
			p.next()
			parseParts(p, l, []part{transform, source, reason})
		},
	}
}

// dims writes sizes with an x between them; false where one is no size.
func dims(l *node) ([]string, bool) {
	var all []string
	if l == nil || l.kind != list {
		return nil, false
	}
	for _, n := range l.list {
		s := n.word
		switch {
		case n.kind == number && !strings.HasPrefix(s, "-"):
		case n.kind == text && plainSymbol(s):
		case n.kind == number, n.kind == text && s != "" && !isInteger(s) && strings.IndexFunc(s, oddInDim) < 0 && strings.TrimSpace(s) == s:
			s = "(" + s + ")"
		default:
			return nil, false
		}
		all = append(all, s)
	}
	return all, true
}

// plainSymbol says whether a size needs no parentheses.
func plainSymbol(s string) bool {
	for i := range len(s) {
		if !letter(s[i]) || s[i] == 'x' {
			return false
		}
	}
	return s != "" && (s[0] < '0' || s[0] > '9')
}

func oddInDim(r rune) bool {
	return !(r < 0x80 && letter(byte(r))) && !strings.ContainsRune(" *^+-", r)
}

// angled steps over the text from the current "<", which stands right behind the
// word before, to its ">" and returns what is between, and where that begins.
func (p *parser) angled() (s string, at int) {
	if !p.tok.is("<") || p.tok.at != p.last {
		p.want(`"<" right behind the word`)
		return "", 0
	}
	at = p.tok.end
	n := strings.IndexAny(p.src[at:], ">\n")
	if n < 0 || p.src[at+n] != '>' {
		p.fail(p.tok.at, `the "<" here is not closed on its line`, "")
		return "", 0
	}
	p.tok.end = at + n + 1
	p.next()
	p.last = at + n + 1
	return p.src[at : at+n], at
}

// sizes reads sizes with an x between them; with dtype the last is a data type.
func (p *parser) sizes(s string, at int, dtype bool) (shape, last *node) {
	shape = &node{kind: list, at: at}
	if s == "" && !dtype {
		return shape, nil
	}
	depth, from := 0, 0
	for i := 0; i <= len(s); i++ {
		switch {
		case i < len(s) && s[i] == '(':
			depth++
		case i < len(s) && s[i] == ')':
			depth--
		case i == len(s) && dtype:
			if !bare(s[from:]) {
				p.fail(at+from, "expected a data type, found "+strictjson.Quote(s[from:]), "a tensor is written as tensor<Mx12288xbf16>")
			}
			return shape, &node{kind: text, at: at + from, word: s[from:]}
		case depth == 0 && (i == len(s) || s[i] == 'x'):
			shape.list = append(shape.list, p.size(s[from:i], at+from))
			from = i + 1
		}
	}
	return shape, nil
}

func (p *parser) size(s string, at int) *node {
	inner, ok := strings.CutPrefix(s, "(")
	if inner, closed := strings.CutSuffix(inner, ")"); ok && closed {
		s, at = inner, at+1
	} else if ok || !isInteger(s) && !plainSymbol(s) {
		p.fail(at, "expected a size, found "+strictjson.Quote(s), "sizes are numbers, symbols such as M, and sums in parentheses such as (2*M + 1); an x is between them")
	}
	if isInteger(s) {
		return &node{kind: number, at: at, word: s}
	}
	return &node{kind: text, at: at, word: s}
}

// tensor is a shape and a data type: tensor<Mx12288xbf16>.
func tensor() part {
	return part{
		print: func(p *printer, e *entity) (string, bool) {
			all, ok := dims(e.left("shape"))
			t := e.left("dtype")
			if !ok || t == nil || t.kind != text || !bare(t.word) || strings.Contains(t.word, "x") {
				return "", false
			}
			e.say("shape")
			e.say("dtype")
			return "tensor<" + strings.Join(append(all, t.word), "x") + ">", true
		},
		parse: func(p *parser, n *node) {
			at := p.tok.at
			if !p.tok.word("tensor") {
				p.want("a type such as tensor<Mx12288xbf16>")
				return
			}
			p.next()
			s, inner := p.angled()
			shape, dtype := p.sizes(s, inner, true)
			if !p.failed {
				shape.at = at
				n.set("shape", at, shape)
				n.set("dtype", dtype.at, dtype)
			}
		},
	}
}

// maybeTensor is a tensor where there is one.
func maybeTensor() part {
	return optionally(func(t token) bool { return t.kind == word && t.text == "tensor" }, tensor())
}

// sizesOf is a list of sizes in angle brackets behind a word: local<Mx6144>.
func sizesOf(keyword, key string) part {
	return part{
		keyword: keyword,
		starts:  func(p *parser) bool { return p.tok.word(keyword) },
		print: func(p *printer, e *entity) (string, bool) {
			all, ok := dims(e.left(key))
			if ok {
				e.say(key)
			}
			return keyword + "<" + strings.Join(all, "x") + ">", ok
		},
		parse: func(p *parser, n *node) {
			at := p.tok.at
			p.next()
			s, inner := p.angled()
			shape, _ := p.sizes(s, inner, false)
			shape.at = at
			n.set(key, at, shape)
		},
	}
}

// bytesOf is a range of bytes of a memory: hbm[0:64] is offset 0 and size 64.
func bytesOf(memory, offset, size string) part {
	return part{
		print: func(p *printer, e *entity) (string, bool) {
			m, from, n := e.left(memory), e.left(offset), e.left(size)
			if m == nil || m.kind != text || from == nil || from.kind != number || n == nil || n.kind != number {
				return "", false
			}
			a, err1 := strconv.ParseInt(from.word, 10, 64)
			b, err2 := strconv.ParseInt(n.word, 10, 64)
			if err1 != nil || err2 != nil || a < 0 || b < 0 || a > math.MaxInt64-b {
				return "", false
			}
			e.said = append(e.said, memory, offset, size)
			return p.plain(m.word) + "[" + from.word + ":" + strconv.FormatInt(a+b, 10) + "]", true
		},
		parse: func(p *parser, n *node) {
			n.set(memory, p.tok.at, p.string("a memory"))
			p.mark("[")
			low, high, ok := strings.Cut(p.tok.text, ":")
			a, err1 := strconv.ParseInt(low, 10, 64)
			b, err2 := strconv.ParseInt(high, 10, 64)
			if p.tok.kind != word || !ok || err1 != nil || err2 != nil || !isInteger(low) || !isInteger(high) || a < 0 || b < a {
				p.wantAnywhere("a range of bytes such as 0:64, the first one and the one behind the last")
				return
			}
			n.set(offset, p.tok.at, &node{kind: number, at: p.tok.at, word: low})
			n.set(size, p.tok.at, &node{kind: number, at: p.tok.at, word: strconv.FormatInt(b-a, 10)})
			p.next()
			p.mark("]")
		},
	}
}

// shards is how axes of a value are cut: shard<1: tp>.
func shards() part {
	entry := []part{counted("dimension", "the number of an axis"), fixed(":"), its(0, "mesh", "an axis of the mesh")}
	return part{
		keyword: "shard",
		starts:  func(p *parser) bool { return p.tok.word("shard") },
		print: func(p *printer, e *entity) (string, bool) {
			l := e.left("sharding")
			if l == nil || l.kind != list {
				return "", false
			}
			var all []string
			for _, n := range l.list {
				x := open(n)
				s, ok := printParts(p, x, entry)
				if !ok || len(x.rest()) > 0 {
					return "", false
				}
				all = append(all, strings.Replace(s, " :", ":", 1))
			}
			e.say("sharding")
			return "shard<" + strings.Join(all, ", ") + ">", true
		},
		parse: func(p *parser, n *node) {
			l := &node{kind: list, at: p.tok.at}
			n.set("sharding", p.tok.at, l)
			p.next()
			p.mark("<")
			p.sequence(">", func() {
				x := &node{kind: object, at: p.tok.at}
				l.list = append(l.list, x)
				parseParts(p, x, entry)
			})
		},
	}
}

// partials is along what a value is a term, and of what: partial<sum: tp>.
func partials() part {
	return part{
		keyword: "partial",
		starts:  func(p *parser) bool { return p.tok.word("partial") },
		print: func(p *printer, e *entity) (string, bool) {
			l, how := e.left("partial"), e.left("reduction")
			if l == nil || l.kind != list {
				return "", false
			}
			var all []string
			for _, n := range l.list {
				if n.kind != text {
					return "", false
				}
				all = append(all, p.plain(n.word))
			}
			s := "partial<"
			if how != nil && how.kind == text {
				e.say("reduction")
				s += p.plain(how.word) + ": "
			}
			e.say("partial")
			return s + strings.Join(all, ", ") + ">", true
		},
		parse: func(p *parser, n *node) {
			l := &node{kind: list, at: p.tok.at}
			n.set("partial", p.tok.at, l)
			p.next()
			if !p.tok.is("<") {
				p.want(`"<"`)
				return
			}
			p.next()
			if colon := p.peek(); !p.tok.is(">") && colon.is(":") {
				n.set("reduction", p.tok.at, p.string("a reduction"))
				p.next()
			}
			p.sequence(">", func() { l.list = append(l.list, p.string("an axis of the mesh")) })
		},
	}
}
