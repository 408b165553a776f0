package jsonedit

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// node is a value and where it stands in its text.
type node struct {
	kind       byte // '{', '[', or 0 for a string, a number or a word
	start, end int
	members    []member // of an object
	items      []*node  // of a list
}

// member is a key of an object, with its quotes, and its value.
type member struct {
	key   string // as it is written without needless escapes
	start int    // of the key in the text
	end   int    // of it
	value *node
}

// member returns the member with a key.
func (n *node) member(key string) (int, bool) {
	for i := range n.members {
		if n.members[i].key == key {
			return i, true
		}
	}
	return 0, false
}

// span is where part i of an object or a list stands: a member or an item.
func (n *node) span(i int) (start, end int) {
	if n.kind == '{' {
		return n.members[i].start, n.members[i].value.end
	}
	return n.items[i].start, n.items[i].end
}

// parts is how many members or items there are.
func (n *node) parts() int { return len(n.members) + len(n.items) }

// parser reads a text that is known to be JSON; what is not gives an error.
type parser struct {
	text []byte
	at   int
}

// deepest is how far values may be nested.
const deepest = 1000

// parse reads a document. A byte order mark is left out.
func parse(text []byte) (*node, error) {
	p := &parser{text: text}
	if bytes.HasPrefix(text, []byte("\xef\xbb\xbf")) {
		p.at = 3
	}
	n, err := p.value(0)
	if err != nil {
		return nil, err
	}
	if p.space(); p.at < len(text) {
		return nil, p.wrong("the end")
	}
	return n, nil
}

func (p *parser) wrong(want string) error {
	return fmt.Errorf("no JSON: %s is missing at byte %d", want, p.at)
}

func (p *parser) space() {
	for p.at < len(p.text) && isSpace(p.text[p.at]) {
		p.at++
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// next skips white space and returns the byte there; 0 at the end.
func (p *parser) next() byte {
	if p.space(); p.at == len(p.text) {
		return 0
	}
	return p.text[p.at]
}

func (p *parser) value(depth int) (*node, error) {
	c := p.next()
	n := &node{start: p.at}
	if depth > deepest {
		return nil, fmt.Errorf("values are nested more than %d deep at byte %d", deepest, p.at)
	}
	switch c {
	case '{', '[':
		n.kind = c
		p.at++
		if err := p.inside(n, depth); err != nil {
			return nil, err
		}
	case '"':
		if err := p.str(); err != nil {
			return nil, err
		}
	default:
		for p.at < len(p.text) && isWord(p.text[p.at]) {
			p.at++
		}
		if p.at == n.start {
			return nil, p.wrong("a value")
		}
	}
	n.end = p.at
	return n, nil
}

func isWord(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '-' || c == '+' || c == '.'
}

func (p *parser) str() error {
	for p.at++; p.at < len(p.text); p.at++ {
		switch p.text[p.at] {
		case '\\':
			p.at++
		case '"':
			p.at++
			return nil
		}
	}
	p.at = len(p.text)
	return p.wrong("a quote")
}

// inside reads members or items up to the closing bracket.
func (p *parser) inside(n *node, depth int) error {
	closing := byte('}')
	if n.kind == '[' {
		closing = ']'
	}
	if p.next() == closing {
		p.at++
		return nil
	}
	for {
		if err := p.part(n, depth); err != nil {
			return err
		}
		switch p.next() {
		case ',':
			p.at++
		case closing:
			p.at++
			return nil
		default:
			return p.wrong("a comma or " + string(closing))
		}
	}
}

func (p *parser) part(n *node, depth int) error {
	m := member{}
	if n.kind == '{' {
		if p.next() != '"' {
			return p.wrong("a key")
		}
		m.start = p.at
		if err := p.str(); err != nil {
			return err
		}
		m.end = p.at
		m.key = plainKey(p.text[m.start:m.end])
		if p.next() != ':' {
			return p.wrong("a colon")
		}
		p.at++
	}
	v, err := p.value(depth + 1)
	if err != nil {
		return err
	}
	if m.value = v; n.kind == '{' {
		n.members = append(n.members, m)
	} else {
		n.items = append(n.items, v)
	}
	return nil
}

// plainKey writes a key, with its quotes, without escapes that it does not need:
// one key may be written in many ways.
func plainKey(text []byte) string {
	if bytes.IndexByte(text, '\\') < 0 {
		return string(text)
	}
	var key string
	if err := json.Unmarshal(text, &key); err != nil {
		return string(text) // another says what is wrong with it
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(key); err != nil {
		return string(text)
	}
	return string(bytes.TrimSuffix(out.Bytes(), []byte("\n")))
}
