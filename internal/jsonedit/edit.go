package jsonedit

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
)

// Edit puts Text in the place of the bytes from Start to before End of a text.
type Edit struct {
	Start, End int
	Text       string
}

// Edits returns what is to be done to src for it to say what after says, where
// it says what before says now. Before and after are in one formatting: where
// they agree byte for byte nothing is edited. What before and src say in
// different ways, such as a null for what before leaves out, is none of a change
// either.
//
// The edits are in order and do not touch. An error means that one of the three
// is no JSON, or that src is not what before says.
func Edits(src, before, after []byte) ([]Edit, error) {
	var nodes [3]*node
	for i, text := range [][]byte{src, before, after} {
		n, err := parse(text)
		if err != nil {
			return nil, fmt.Errorf("edit: text %d: %w", i, err)
		}
		nodes[i] = n
	}
	e := &editor{src: src, before: before, after: after, style: styleOf(src, nodes[0])}
	e.change(nodes[0], nodes[1], nodes[2])
	slices.SortStableFunc(e.edits, func(a, b Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	return e.edits, e.err
}

// Apply returns a text with edits, which are in order and do not overlap.
func Apply(src []byte, edits []Edit) []byte {
	var out bytes.Buffer
	at := 0
	for _, e := range edits {
		out.Write(src[at:e.Start])
		out.WriteString(e.Text)
		at = e.End
	}
	out.Write(src[at:])
	return out.Bytes()
}

// editor gathers edits of src.
type editor struct {
	src, before, after []byte
	style              style
	edits              []Edit
	err                error
}

func (e *editor) was(n *node) string { return string(e.before[n.start:n.end]) }
func (e *editor) is(n *node) string  { return string(e.after[n.start:n.end]) }

// change edits a value of src, which says what was says, to say what is says.
func (e *editor) change(src, was, is *node) {
	switch {
	case e.was(was) == e.is(is):
	case src.kind != was.kind || was.kind != is.kind || is.kind == 0:
		e.replace(src.start, src.end, e.render(is, src, e.indentAt(src.start)))
	case is.kind == '{':
		e.object(src, was, is)
	case len(src.items) != len(was.items):
		e.err = cmp.Or(e.err, fmt.Errorf("edit: the list at byte %d has %d entries, and should have %d", src.start, len(src.items), len(was.items)))
	default:
		e.list(src, was, is)
	}
}

func (e *editor) replace(start, end int, text string) {
	e.edits = append(e.edits, Edit{start, end, text})
}

// object edits the members of an object.
func (e *editor) object(src, was, is *node) {
	gone := make([]bool, len(src.members))
	for _, m := range was.members {
		if i, there := src.member(m.key); there {
			_, stays := is.member(m.key)
			gone[i] = !stays
		}
	}
	var fresh []string
	for _, m := range is.members {
		i, there := src.member(m.key)
		j, before := was.member(m.key)
		switch {
		case there && before:
			e.change(src.members[i].value, was.members[j].value, m.value)
		case there: // before leaves out what src has as null
			old := src.members[i].value
			e.replace(old.start, old.end, e.render(m.value, old, e.indentAt(old.start)))
		case before && e.was(was.members[j].value) == e.is(m.value):
		default:
			fresh = append(fresh, m.key+e.style.colon+e.render(m.value, nil, e.partIndent(src)))
		}
	}
	e.remove(src, gone)
	e.insert(src, gone, src.parts()-1, fresh)
}

// list edits the items of a list.
func (e *editor) list(src, was, is *node) {
	steps := align(e.names(e.before, was), e.names(e.after, is), inPlace(texts(e.before, was), texts(e.after, is)))
	gone := make([]bool, len(src.items))
	for _, s := range steps {
		if s.is < 0 {
			gone[s.was] = true
		}
	}
	last := -1 // the item of src that was met last
	var fresh []string
	flush := func() {
		e.insert(src, gone, last, fresh)
		fresh = nil
	}
	for _, s := range steps {
		switch {
		case s.was < 0:
			item := is.items[s.is]
			fresh = append(fresh, e.render(item, alike(src, item), e.partIndent(src)))
		default:
			flush()
			last = s.was
			if s.is >= 0 {
				e.change(src.items[s.was], was.items[s.was], is.items[s.is])
			}
		}
	}
	flush()
	e.remove(src, gone)
}

// names tells items of a list apart: by what their first member says, or by what
// they say where they are no objects. Lists of numbers have no names, where a
// number is replaced by another.
func (e *editor) names(text []byte, list *node) []string {
	names := make([]string, len(list.items))
	for i, item := range list.items {
		switch {
		case item.kind == '{' && len(item.members) > 0:
			v := item.members[0].value
			names[i] = string(text[v.start:v.end])
		case item.kind == 0 && text[item.start] == '"':
			names[i] = string(text[item.start:item.end])
		}
	}
	return names
}

// texts are what items of a list say.
func texts(text []byte, list *node) []string {
	all := make([]string, len(list.items))
	for i, item := range list.items {
		all[i] = string(text[item.start:item.end])
	}
	return all
}

// alike is the item of a list of src after which a new one is written: the last
// of its kind, nil for none.
func alike(list, item *node) *node {
	for _, n := range slices.Backward(list.items) {
		if n.kind == item.kind && n.parts() > 0 {
			return n
		}
	}
	return nil
}

// remove takes out parts of an object or a list, with the comma of each.
func (e *editor) remove(of *node, gone []bool) {
	for i := 0; i < len(gone); i++ {
		if !gone[i] {
			continue
		}
		first := i
		for i+1 < len(gone) && gone[i+1] {
			i++
		}
		start, _ := of.span(first)
		_, end := of.span(i)
		switch {
		case i+1 < len(gone):
			end, _ = of.span(i + 1)
		case first > 0:
			_, start = of.span(first - 1)
		}
		e.replace(start, end, "")
	}
}

// insert writes new parts behind part at of an object or a list, before all
// where at is -1. Parts that go leave a place to the new ones.
func (e *editor) insert(of *node, gone []bool, at int, fresh []string) {
	if len(fresh) == 0 {
		return
	}
	open, sep, end := e.between(of)
	text := ""
	for i, f := range fresh {
		if i > 0 {
			text += sep
		}
		text += f
	}
	for at >= 0 && gone[at] {
		at--
	}
	next := at + 1
	for next < len(gone) && gone[next] {
		next++
	}
	switch {
	case at >= 0:
		_, here := of.span(at)
		e.replace(here, here, sep+text)
	case next < len(gone):
		here, _ := of.span(next)
		e.replace(here, here, text+sep)
	default: // nothing else is left
		if len(gone) > 0 {
			start, _ := of.span(0)
			e.replace(start, start, text)
			return
		}
		e.replace(of.start+1, of.end-1, open+text+end)
	}
}
