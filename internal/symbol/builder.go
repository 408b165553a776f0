package symbol

// Builder fills a table that nobody else has yet. It interns without locks,
// for readers of documents, which intern a dozen strings for every op.
type Builder struct{ t *Table }

// NewBuilder begins an empty table.
func NewBuilder() Builder { return Builder{NewTable()} }

// String interns the string with the given bytes; it keeps no reference to b.
func (b Builder) String(s []byte) Value {
	t := b.t
	h := t.hash(String, s)
	if v, ok := t.find(h, String, s); ok {
		return v
	}
	return t.add(h, String, s)
}

// Trail remembers the last values of a series of strings, such as the ops of
// the instances of a plan, which come mostly in the order in which they were
// interned.
type Trail struct{ last, before Value }

// Next is String for the next string of a series. Where the series goes on as
// expected it needs no look into the hash table, which in large documents is
// far away in memory.
func (b Builder) Next(s []byte, trail *Trail) Value {
	v := trail.last + 1
	if !b.t.is(v, s) {
		if v = trail.before + 1; !b.t.is(v, s) {
			if v = trail.last; !b.t.is(v, s) {
				v = b.String(s)
			}
		}
	}
	trail.last, trail.before = v, trail.last
	return v
}

// is says whether v is the given string.
func (t *Table) is(v Value, s []byte) bool {
	n := int(v &^ interned)
	return v >= interned && n < len(t.kinds) && t.kinds[n] == String && string(t.bytes(n)) == string(s)
}

// Table returns the table. The builder must not be used while others use it.
func (b Builder) Table() *Table { return b.t }
