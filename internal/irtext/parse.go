package irtext

import (
	"fmt"
	"strconv"
	"strings"

	"plancheck/internal/strictjson"
)

// parser reads a text. Its first error ends it: then every token is the end.
type parser struct {
	src      string
	tok      token
	last     int // where the token before ended
	depth    int
	inside   int    // brackets around the current token, in which lines do not end
	parts    []part // of the statement that was read last
	ranged   int
	ids      table
	roles    []*node // values whose roles follow from what is returned
	noInputs *node   // where the text says that no inputs are listed; nil where it does not
	waiting  []waiting
	failed   bool
	at       int
	problem  string
	help     string
}

// waiting is a string that the table of ids says the meaning of.
type waiting struct {
	n    *node
	mark byte
	// defines is the object that gets the name of the id as its display name.
	defines *node
}

func (p *parser) next() {
	p.last = p.tok.end
	if p.failed {
		return
	}
	p.tok = scan(p.src, p.tok.end)
	p.tok.newLine = p.tok.newLine && p.inside == 0
	if p.tok.problem != "" {
		p.fail(p.tok.problemAt, p.tok.problem, "")
	}
}

// peek returns the token behind the current one.
func (p *parser) peek() token {
	if p.failed {
		return p.tok
	}
	return scan(p.src, p.tok.end)
}

func (p *parser) fail(at int, problem, help string) {
	if p.failed {
		return
	}
	p.failed, p.at, p.problem, p.help = true, at, problem, help
	p.tok = token{kind: end, at: len(p.src), end: len(p.src), newLine: true}
}

// want reports that something else should be where the current token is.
func (p *parser) want(what string) {
	shown := p.tok.shown()
	if p.tok.newLine && p.tok.kind != end {
		p.fail(p.last, "expected "+what+" before the end of the line", "a statement stands on one line; only what is in brackets goes on")
		return
	}
	p.fail(p.tok.at, "expected "+what+", found "+shown, "")
}

// mark steps over a punctuation mark, which must be there.
func (p *parser) mark(m string) {
	if !p.tok.is(m) || p.tok.newLine {
		p.want(strconv.Quote(m))
		return
	}
	p.next()
}

// wantAnywhere is want for what may stand on the next line.
func (p *parser) wantAnywhere(what string) {
	p.fail(p.tok.at, "expected "+what+", found "+p.tok.shown(), "")
}

// enter and leave bound how deep values and blocks stand in each other.
func (p *parser) enter() bool {
	if p.depth++; p.depth > strictjson.MaxDepth {
		p.fail(p.tok.at, fmt.Sprintf("values are nested more than %d deep", strictjson.MaxDepth), "")
	}
	return !p.failed
}

func (p *parser) leave() { p.depth-- }

// sequence reads entries up to a closing mark, with commas between them.
func (p *parser) sequence(closing string, entry func()) {
	if !p.enter() {
		return
	}
	defer p.leave()
	p.inside++
	p.tok.newLine = false
	for first := true; !p.failed; first = false {
		if first && p.tok.is(closing) {
			break
		}
		entry()
		if p.tok.is(closing) {
			break
		}
		if !p.tok.is(",") {
			p.wantAnywhere(`"," or ` + strconv.Quote(closing))
			return
		}
		p.next()
	}
	p.inside--
	p.next()
}

// string reads a word or a string; mark says what it is a reference to.
func (p *parser) string(what string) *node {
	n := &node{kind: text, at: p.tok.at, word: p.tok.text}
	if p.tok.newLine || p.tok.kind != word && p.tok.kind != quoted {
		p.want(what)
		return n
	}
	if p.tok.kind == word {
		p.wait(n, 0, nil)
	}
	p.next()
	return n
}

// reference reads an id behind its mark; with 0 it has none.
func (p *parser) reference(mark byte, what string, defines *node) *node {
	if mark == 0 {
		return p.string(what)
	}
	n := &node{kind: text, at: p.tok.at, word: p.tok.text}
	if p.tok.kind != sigil || p.tok.sigil != mark || p.tok.newLine {
		p.want(what + " with " + string(mark) + " before it")
		return n
	}
	if !p.tok.literal {
		p.wait(n, mark, defines)
	}
	p.next()
	return n
}

// wait makes a string wait for the table of ids.
func (p *parser) wait(n *node, mark byte, defines *node) {
	if mark != 0 || isShort(n.word) {
		p.waiting = append(p.waiting, waiting{n, mark, defines})
	}
}

func (p *parser) integer(what string) *node {
	n := &node{kind: number, at: p.tok.at, word: p.tok.text}
	if p.tok.kind != digits || p.tok.newLine {
		p.want(what)
		return n
	}
	p.next()
	return n
}

// value reads any value.
func (p *parser) value() *node {
	n := &node{at: p.tok.at}
	switch {
	case p.tok.kind == digits:
		n.kind, n.word = number, p.tok.text
	case p.tok.kind == word && p.tok.text == "null":
	case p.tok.kind == word && (p.tok.text == "true" || p.tok.text == "false"):
		n.kind, n.word = truth, p.tok.text
	case p.tok.kind == word || p.tok.kind == quoted:
		return p.string("a value")
	case p.tok.kind == sigil:
		return p.reference(p.tok.sigil, "a value", nil)
	case p.tok.is("("):
		return p.sum()
	case p.tok.is("["):
		n.kind = list
		p.next()
		p.sequence("]", func() { n.list = append(n.list, p.entries()...) })
		return n
	case p.tok.is("{"):
		n.kind = object
		p.attributes(n)
		return n
	default:
		p.wantAnywhere("a value")
		return n
	}
	p.next()
	return n
}

// sum reads a sum in parentheses, which is a string: (2*M + 1).
func (p *parser) sum() *node {
	from := p.tok.end
	n := strings.IndexAny(p.src[from:], ")\n")
	if n < 0 || !isSum(p.src[from:from+n]) {
		p.fail(p.tok.at, "expected a sum such as (2*M + 1)", "other strings stand in double quotes")
		return &node{}
	}
	s := &node{kind: text, at: p.tok.at, word: p.src[from : from+n]}
	p.tok.end = from + n + 1
	p.next()
	return s
}

// entries reads an entry of a list: a range stands for several.
func (p *parser) entries() []*node {
	low, high, ranged := strings.Cut(p.tok.text, "..")
	if p.tok.kind != word || !ranged {
		return []*node{p.value()}
	}
	from, err1 := strconv.ParseInt(low, 10, 64)
	to, err2 := strconv.ParseInt(high, 10, 64)
	switch {
	case err1 != nil || err2 != nil || !isInteger(low) || !isInteger(high):
		p.fail(p.tok.at, strictjson.Quote(p.tok.text)+" is no range of integers, as 0..7 is one", "write it in double quotes if it is a string")
	case from > to:
		p.fail(p.tok.at, "the range "+p.tok.text+" goes down", "")
	case uint64(to)-uint64(from) >= uint64(mostRanged-p.ranged):
		p.fail(p.tok.at, fmt.Sprintf("ranges stand for more than %d numbers", mostRanged), "write numbers")
	}
	if p.failed {
		return nil
	}
	all := make([]*node, 0, to-from+1)
	for i := int64(0); i <= to-from; i++ {
		all = append(all, &node{kind: number, at: p.tok.at, word: strconv.FormatInt(from+i, 10)})
	}
	p.ranged += len(all)
	p.next()
	return all
}

// attributes reads fields in braces into an object.
func (p *parser) attributes(n *node) {
	p.next()
	p.sequence("}", func() {
		key, at := p.tok.text, p.tok.at
		if p.tok.kind != word && p.tok.kind != quoted {
			p.wantAnywhere("the name of a field")
			return
		}
		p.next()
		p.mark("=")
		n.set(key, at, p.value())
	})
}

// resolve gives all strings that wait their meaning.
func (p *parser) resolve() {
	p.ids.sort()
	for _, w := range p.waiting {
		id, problem, named := p.ids.resolve(w.mark, w.n.word)
		if problem != "" {
			p.fail(w.n.at, strictjson.Quote(w.n.word)+": "+problem, "the text ends with ids { .. }, which lists whole ids")
			return
		}
		if named && w.defines != nil {
			w.defines.set("name", w.n.at, &node{kind: text, at: w.n.at, word: w.n.word})
		}
		w.n.word = id
	}
	for _, e := range p.ids.entries {
		if !e.used {
			p.fail(e.at, "nothing in the text has this name or this id", "")
			return
		}
	}
}

// table reads the table of ids.
func (p *parser) table() {
	p.next()
	p.ids.byName = map[string]int{}
	whole := map[string]bool{}
	p.mark("{")
	for !p.failed && !p.tok.is("}") {
		e := entry{at: p.tok.at}
		if !p.tok.newLine && len(p.ids.entries) > 0 {
			p.wantAnywhere("the end of the line")
			return
		}
		if p.tok.kind == sigil && !p.tok.literal {
			e.sigil, e.name = p.tok.sigil, p.tok.text
			key := string(e.sigil) + e.name
			if _, twice := p.ids.byName[key]; twice {
				p.fail(p.tok.at, key+" is in the table of ids already", "")
				return
			}
			p.ids.byName[key] = len(p.ids.entries)
			p.next()
			p.mark("=")
			if e.id = p.tok.text; p.tok.kind != word && p.tok.kind != quoted || p.tok.newLine {
				p.want("an id")
				return
			}
		} else {
			e.id = p.tok.text
			if p.tok.kind != word || !isWhole(e.id) {
				p.wantAnywhere("%NAME = ID, @NAME = ID, or an id with all its digits")
				return
			}
			if whole[e.id] {
				p.fail(p.tok.at, e.id+" is in the table of ids already", "")
				return
			}
			whole[e.id] = true
		}
		p.ids.entries = append(p.ids.entries, e)
		p.next()
	}
	p.close()
}

// close steps over the brace that closes a block.
func (p *parser) close() {
	if !p.tok.is("}") {
		p.wantAnywhere(`a statement or "}"`)
		return
	}
	p.next()
}
