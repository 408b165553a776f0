package irtext

import (
	"bytes"
	"encoding/json"
	"fmt"
	"sort"

	"plancheck/internal/strictjson"
)

// kind is what a node of a JSON tree is.
type kind uint8

const (
	null kind = iota
	truth
	number
	text
	list
	object
)

// node is a value of a document.
type node struct {
	kind   kind
	at     int    // where the text has it
	word   string // true or false, a number's digits, what a string means
	list   []*node
	fields []member
	lists  map[string]*node // the fields that add has made
}

// member is a field of an object, in the order of the document.
type member struct {
	key   string
	at    int
	value *node
}

// get returns the value of a field, nil where there is none.
func (n *node) get(key string) *node {
	if n == nil || n.kind != object {
		return nil
	}
	for _, m := range n.fields {
		if m.key == key {
			return m.value
		}
	}
	return nil
}

// set adds a field. Repeats stay, for the decoder to report.
func (n *node) set(key string, at int, value *node) {
	n.fields = append(n.fields, member{key, at, value})
}

// add appends an entry to a list that is a field and is made of entries only.
func (n *node) add(key string, entry *node) {
	l := n.lists[key]
	if l == nil {
		if n.lists == nil {
			n.lists = map[string]*node{}
		}
		l = &node{kind: list, at: entry.at}
		n.lists[key] = l
		n.set(key, entry.at, l)
	}
	l.list = append(l.list, entry)
}

// walk calls visit for a node and all in it, in the order of the document.
func (n *node) walk(visit func(*node)) {
	visit(n)
	for _, x := range n.list {
		x.walk(visit)
	}
	for _, m := range n.fields {
		m.value.walk(visit)
	}
}

// readTree reads JSON that an encoder wrote.
func readTree(data []byte) (*node, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	n, err := readNode(d)
	if err != nil {
		return nil, fmt.Errorf("reading the document's JSON: %w", err)
	}
	return n, nil
}

func readNode(d *json.Decoder) (*node, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch t := t.(type) {
	case bool:
		return &node{kind: truth, word: fmt.Sprint(t)}, nil
	case json.Number:
		return &node{kind: number, word: t.String()}, nil
	case string:
		return &node{kind: text, word: t}, nil
	case json.Delim:
		n := &node{kind: list}
		if t == '{' {
			n.kind = object
		}
		for d.More() {
			key := json.Token("")
			if n.kind == object {
				if key, err = d.Token(); err != nil {
					return nil, err
				}
			}
			x, err := readNode(d)
			if err != nil {
				return nil, err
			}
			if n.kind == object {
				n.set(key.(string), 0, x)
			} else {
				n.list = append(n.list, x)
			}
		}
		_, err := d.Token() // the closing one
		return n, err
	}
	return &node{}, nil
}

// writing is JSON on its way, and where the text has what begins where in it.
type writing struct {
	buf    []byte
	places []place
}

// place says that what begins at an offset of the JSON stands at one of the text.
type place struct{ json, text int }

func (w *writing) mark(at int) { w.places = append(w.places, place{len(w.buf), at}) }

func (w *writing) node(n *node) {
	w.mark(n.at)
	switch n.kind {
	case null:
		w.buf = append(w.buf, "null"...)
	case text:
		w.buf = strictjson.AppendString(w.buf, n.word)
	case list:
		w.buf = append(w.buf, '[')
		for i, x := range n.list {
			if i > 0 {
				w.buf = append(w.buf, ',')
			}
			w.node(x)
		}
		w.buf = append(w.buf, ']')
	case object:
		w.buf = append(w.buf, '{')
		for i, m := range n.fields {
			if i > 0 {
				w.buf = append(w.buf, ',')
			}
			w.mark(m.at)
			w.buf = strictjson.AppendString(w.buf, m.key)
			w.buf = append(w.buf, ':')
			w.node(m.value)
		}
		w.buf = append(w.buf, '}')
	default:
		w.buf = append(w.buf, n.word...)
	}
}

// origin returns where the text has what is at an offset of the JSON.
func (w *writing) origin(offset int) int {
	i := sort.Search(len(w.places), func(i int) bool { return w.places[i].json > offset })
	if i == 0 {
		return 0
	}
	return w.places[i-1].text
}
