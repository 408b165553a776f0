// Package symbol interns the constants of plans and rules: every integer,
// string, name and list is one 32-bit Value, and two values are equal exactly
// when the constants are. Documents, facts and rules share one Table, so a
// string read from a file is never hashed again on its way to a verdict.
package symbol

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Value is an interned constant. Integers 0 to 2^31-1 stand for themselves;
// every other constant is an index into its Table with the top bit set.
// A Value is meaningful only together with the Table that made it.
type Value uint32

const interned Value = 1 << 31

// Kind is the type of a constant.
type Kind uint8

// The kinds of constants, in the order in which Compare sorts them.
const (
	Number Kind = iota
	String
	Name
	List
)

func (k Kind) String() string {
	return [...]string{"number", "string", "name", "list"}[k]
}

// Table holds the constants behind the values. Interning and reading may
// happen from several goroutines at once.
type Table struct {
	mu    sync.RWMutex
	seed  maphash.Seed
	arena []byte   // contents of all constants, back to back
	ends  []uint64 // end of constant i in arena
	kinds []Kind
	slots []uint64 // hash in the high half, index+1 in the low; 0 is free
}

// NewTable returns an empty table.
func NewTable() *Table {
	return &Table{seed: maphash.MakeSeed(), slots: make([]uint64, 64)}
}

// Int interns an integer. Every int64 is kept exactly.
func (t *Table) Int(n int64) Value {
	if n >= 0 && n < int64(interned) {
		return Value(n)
	}
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], uint64(n))
	return t.intern(Number, b[:])
}

// String interns a string.
func (t *Table) String(s string) Value { return t.intern(String, []byte(s)) }

// Name interns a name such as /compute, with its leading slash.
func (t *Table) Name(s string) Value { return t.intern(Name, []byte(s)) }

// List interns a list of values of this table.
func (t *Table) List(elems []Value) Value {
	b := make([]byte, 4*len(elems))
	for i, e := range elems {
		binary.BigEndian.PutUint32(b[4*i:], uint32(e))
	}
	return t.intern(List, b)
}

// Len returns how many constants are interned; small integers do not count.
// The values of the first n constants are 1<<31 to 1<<31 + n-1.
func (t *Table) Len() int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return len(t.kinds)
}

// Bytes estimates the memory that the table takes.
func (t *Table) Bytes() int64 {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return int64(len(t.arena)) + 9*int64(len(t.kinds)) + 8*int64(len(t.slots))
}

// Index returns the dense number of an interned constant and true, or for a
// small integer its own value and false.
func (v Value) Index() (int, bool) {
	return int(v &^ interned), v >= interned
}

func (t *Table) hash(k Kind, b []byte) uint32 {
	return uint32(maphash.Bytes(t.seed, b))*4 + uint32(k)
}

func (t *Table) intern(k Kind, b []byte) Value {
	h := t.hash(k, b)
	t.mu.RLock()
	v, ok := t.find(h, k, b)
	t.mu.RUnlock()
	if ok {
		return v
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if v, ok := t.find(h, k, b); ok {
		return v
	}
	return t.add(h, k, b)
}

// add interns a constant that is not there yet.
func (t *Table) add(h uint32, k Kind, b []byte) Value {
	if len(t.kinds) >= int(interned)-1 {
		panic("symbol: more than 2^31 constants")
	}
	if 4*(len(t.kinds)+1) > 3*len(t.slots) {
		t.grow()
	}
	t.arena = append(t.arena, b...)
	t.ends = append(t.ends, uint64(len(t.arena)))
	t.kinds = append(t.kinds, k)
	t.place(h, len(t.kinds))
	return interned | Value(len(t.kinds)-1)
}

func (t *Table) find(h uint32, k Kind, b []byte) (Value, bool) {
	mask := uint64(len(t.slots) - 1)
	for i := uint64(h) & mask; ; i = (i + 1) & mask {
		s := t.slots[i]
		if s == 0 {
			return 0, false
		}
		if uint32(s>>32) != h {
			continue
		}
		if n := int(uint32(s)) - 1; t.kinds[n] == k && string(t.bytes(n)) == string(b) {
			return interned | Value(n), true
		}
	}
}

func (t *Table) place(h uint32, n int) {
	mask := uint64(len(t.slots) - 1)
	i := uint64(h) & mask
	for t.slots[i] != 0 {
		i = (i + 1) & mask
	}
	t.slots[i] = uint64(h)<<32 | uint64(n)
}

func (t *Table) grow() {
	old := t.slots
	t.slots = make([]uint64, 2*len(old))
	for _, s := range old {
		if s != 0 {
			t.place(uint32(s>>32), int(uint32(s)))
		}
	}
}

func (t *Table) bytes(n int) []byte {
	start := uint64(0)
	if n > 0 {
		start = t.ends[n-1]
	}
	return t.arena[start:t.ends[n]]
}

func (t *Table) content(v Value) (Kind, []byte) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	n := int(v &^ interned)
	return t.kinds[n], t.bytes(n)
}

// Kind returns the kind of a value.
func (t *Table) Kind(v Value) Kind {
	if v < interned {
		return Number
	}
	k, _ := t.content(v)
	return k
}

// Number returns the integer behind v, and false if v is not an integer.
func (t *Table) Number(v Value) (int64, bool) {
	if v < interned {
		return int64(v), true
	}
	k, b := t.content(v)
	if k != Number {
		return 0, false
	}
	return int64(binary.BigEndian.Uint64(b)), true
}

// Text returns the characters of a string or a name, and "" for other kinds.
func (t *Table) Text(v Value) string {
	if v < interned {
		return ""
	}
	k, b := t.content(v)
	if k != String && k != Name {
		return ""
	}
	return string(b)
}

// Elems returns the elements of a list, and nil for other kinds.
func (t *Table) Elems(v Value) []Value {
	if v < interned {
		return nil
	}
	k, b := t.content(v)
	if k != List {
		return nil
	}
	elems := make([]Value, len(b)/4)
	for i := range elems {
		elems[i] = Value(binary.BigEndian.Uint32(b[4*i:]))
	}
	return elems
}

// Compare orders values: numbers by size, then strings, names and lists, each
// byte by byte or element by element. The order does not depend on interning.
func (t *Table) Compare(a, b Value) int {
	if a == b {
		return 0
	}
	if a < interned && b < interned {
		return cmp.Compare(a, b)
	}
	ka, kb := t.Kind(a), t.Kind(b)
	if ka != kb {
		return cmp.Compare(ka, kb)
	}
	switch ka {
	case Number:
		x, _ := t.Number(a)
		y, _ := t.Number(b)
		return cmp.Compare(x, y)
	case List:
		return slices.CompareFunc(t.Elems(a), t.Elems(b), t.Compare)
	}
	return cmp.Compare(t.Text(a), t.Text(b))
}

// CompareRows orders two rows of values column by column.
func (t *Table) CompareRows(a, b []Value) int { return slices.CompareFunc(a, b, t.Compare) }

// longestList is how many bytes of a list are written: lists may hold each
// other over and over, and what that unfolds to has no bound.
const longestList = 1 << 16

// Format writes a value in the syntax of the rule language: "text", 12, /name, [1, 2].
// Bytes that cannot be shown are escaped; of a very long list "..." stands for the rest.
func (t *Table) Format(v Value) string {
	switch t.Kind(v) {
	case Number:
		n, _ := t.Number(v)
		return strconv.FormatInt(n, 10)
	case String:
		return strconv.Quote(t.Text(v))
	case Name:
		return t.Text(v)
	}
	var b strings.Builder
	b.WriteByte('[')
	t.writeElems(&b, v, t.Format)
	b.WriteByte(']')
	return b.String()
}

// writeElems writes the elements of a list, one by one as show does it.
func (t *Table) writeElems(b *strings.Builder, list Value, show func(Value) string) {
	for i, e := range t.Elems(list) {
		if i > 0 {
			b.WriteString(", ")
		}
		switch {
		case b.Len() > longestList:
			b.WriteString("...")
			return
		case t.Kind(e) == List:
			b.WriteByte('[')
			t.writeElems(b, e, t.Format)
			b.WriteByte(']')
		default:
			b.WriteString(show(e))
		}
	}
}

// Show writes a value for a message to people: strings without quotes unless
// they hold something that would mislead (spaces, control or odd characters).
func (t *Table) Show(v Value) string {
	switch t.Kind(v) {
	case String:
		s := t.Text(v)
		if q := strconv.Quote(s); s == "" || q != `"`+s+`"` || strings.ContainsAny(s, " \u00a0") {
			return q
		}
		return s
	case List:
		var b strings.Builder
		t.writeElems(&b, v, t.Show)
		return b.String()
	}
	return t.Format(v)
}

// FormatAtom writes a fact such as edge("a", "b").
func (t *Table) FormatAtom(pred string, row []Value) string {
	parts := make([]string, len(row))
	for i, v := range row {
		parts[i] = t.Format(v)
	}
	return fmt.Sprintf("%s(%s)", pred, strings.Join(parts, ", "))
}
