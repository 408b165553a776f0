package strictjson

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Pointers returns the JSON pointer (RFC 6901) of the value at each byte
// offset, in one pass over the document. At a key it is the pointer of its
// member, and elsewhere that of the innermost value around the offset. Where
// the syntax is broken the pointers are those of what can be told.
func Pointers(data []byte, offsets []uint32) []string {
	order := make([]int, len(offsets))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(offsets[a], offsets[b]) })
	w := pointerWalk{data: data, offsets: offsets, order: order, pointers: make([]string, len(offsets))}
	w.walk()
	w.flush(len(data) + 1)
	return w.pointers
}

type pointerWalk struct {
	data     []byte
	offsets  []uint32
	order    []int // offsets that wait for their pointer, the smallest first
	pointers []string
	path     []step
}

// step is one container on the way from the document to the current place,
// and the member of it where that is.
type step struct {
	list   bool
	member bool // the place is in a member, not between two
	index  int  // of the entry of a list
	key    span // contents of the key in an object
}

// flush gives the current pointer to all offsets before end.
func (w *pointerWalk) flush(end int) {
	if len(w.order) == 0 || int(w.offsets[w.order[0]]) >= end {
		return
	}
	for pointer := w.pointer(); len(w.order) > 0 && int(w.offsets[w.order[0]]) < end; w.order = w.order[1:] {
		w.pointers[w.order[0]] = pointer
	}
}

var pointerEscapes = strings.NewReplacer("~", "~0", "/", "~1")

func (w *pointerWalk) pointer() string {
	var b []byte
	for _, s := range w.path {
		if !s.member {
			break
		}
		b = append(b, '/')
		if s.list {
			b = strconv.AppendInt(b, int64(s.index), 10)
		} else {
			b = append(b, pointerEscapes.Replace(string(text(w.data[s.key.start:s.key.end])))...)
		}
	}
	return string(b)
}

// walk passes over the tokens of the document. A key or an entry begins a
// member, the end of its value ends it.
func (w *pointerWalk) walk() {
	data := w.data
	i := 0
	if bytes.HasPrefix(data, []byte("\xef\xbb\xbf")) {
		i = 3
	}
	for i < len(data) && len(w.order) > 0 {
		c := data[i]
		var top *step
		if len(w.path) > 0 {
			top = &w.path[len(w.path)-1]
		}
		switch {
		case isSpace(c) || c == ':' || c == ',':
			i++
		case c == '}' || c == ']':
			if top != nil {
				w.flush(i)
				top.member = false
				w.flush(i + 1)
				w.path = w.path[:len(w.path)-1]
			}
			i++
			w.endValue(i)
		case top != nil && !top.list && !top.member:
			end := tokenEnd(data, i)
			if c == '"' {
				w.flush(i)
				top.member = true
				top.key = span{i + 1, end}
				if end > i+1 && data[end-1] == '"' {
					top.key.end--
				}
			}
			i = end
		default:
			if top != nil && top.list {
				w.flush(i)
				top.member = true
				top.index++
			}
			if c == '{' || c == '[' {
				w.path = append(w.path, step{list: c == '[', index: -1})
				i++
				break
			}
			i = tokenEnd(data, i)
			w.endValue(i)
		}
	}
}

// endValue ends the member whose value ends at end.
func (w *pointerWalk) endValue(end int) {
	if len(w.path) > 0 {
		w.flush(end)
		w.path[len(w.path)-1].member = false
	}
}

// tokenEnd returns the end of the token at data[i].
func tokenEnd(data []byte, i int) int {
	if data[i] == '"' {
		for i++; i < len(data); i++ {
			switch data[i] {
			case '"':
				return i + 1
			case '\\':
				i++
			}
		}
		return len(data)
	}
	i++
	for wordByte[data[i-1]] && i < len(data) && wordByte[data[i]] {
		i++
	}
	return i
}
