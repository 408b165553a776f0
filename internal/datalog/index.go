package datalog

import (
	"plancheck/internal/symbol"
)

// index finds the rows of a relation by the values of some columns. There are
// two forms. Where one column of a finished relation holds values that lie
// close together, as interned ids and small numbers do, the rows are laid out
// by value (start, rows). Otherwise rows are chained by hash (heads, next).
type index struct {
	cols []int
	n    int // rows indexed so far

	dense bool
	base  symbol.Value
	start []uint32 // rows with value base+i are start[i] to start[i+1]-1 of rows
	rows  []uint32 // nil when the column is sorted: row numbers themselves

	heads []uint32 // row+1 of the first row of a chain; length is a power of two
	next  []uint32 // row+1 of the next
}

// index returns the index on a set of columns, built or brought up to date.
func (r *relation) index(cols colSet) *index {
	ix := r.indexes[cols]
	if ix == nil {
		ix = &index{}
		for c := range r.cols {
			if cols.has(c) {
				ix.cols = append(ix.cols, c)
			}
		}
		r.indexes[cols] = ix
	}
	if ix.n < r.vis || ix.heads == nil && ix.start == nil {
		ix.update(r)
	}
	return ix
}

func (ix *index) update(r *relation) {
	if ix.n == 0 && len(ix.cols) == 1 && r.frozen && ix.buildDense(r.cols[ix.cols[0]][:r.vis]) {
		ix.n = r.vis
		return
	}
	if ix.dense { // the relation grew after all
		*ix = index{cols: ix.cols}
	}
	if 2*r.vis > len(ix.heads) {
		size := 16
		for size < 2*r.vis {
			size *= 2
		}
		ix.heads = make([]uint32, size)
		ix.n = 0
		clear(ix.next)
	}
	if cap(ix.next) < r.vis {
		next := make([]uint32, len(ix.next), max(r.vis, 2*cap(ix.next)))
		copy(next, ix.next)
		ix.next = next
	}
	ix.next = ix.next[:r.vis]
	mask := uint64(len(ix.heads) - 1)
	// From the last row to the first, so that chains built in one go are in order.
	for i := r.vis - 1; i >= ix.n; i-- {
		h := uint64(hashSeed)
		for _, c := range ix.cols {
			h = mix(h, r.cols[c][i])
		}
		h &= mask
		ix.next[i] = ix.heads[h]
		ix.heads[h] = uint32(i + 1)
	}
	ix.n = r.vis
}

// buildDense lays rows out by value, unless the values lie too far apart.
func (ix *index) buildDense(col []symbol.Value) bool {
	if len(col) == 0 {
		ix.dense, ix.start = true, []uint32{0}
		return true
	}
	lo, hi, sorted := col[0], col[0], true
	prev := col[0]
	for _, v := range col {
		lo, hi = min(lo, v), max(hi, v)
		sorted = sorted && prev <= v
		prev = v
	}
	width := uint64(hi-lo) + 1
	if width > 4*uint64(len(col))+1024 {
		return false
	}
	ix.dense, ix.base = true, lo
	ix.start = make([]uint32, width+1)
	for _, v := range col {
		ix.start[v-lo+1]++
	}
	for i := range width {
		ix.start[i+1] += ix.start[i]
	}
	if sorted {
		return true
	}
	ix.rows = make([]uint32, len(col))
	at := make([]uint32, width)
	copy(at, ix.start)
	for i, v := range col {
		ix.rows[at[v-lo]] = uint32(i)
		at[v-lo]++
	}
	return true
}

// cursor walks the rows that an index finds for a key.
type cursor struct {
	ix   *index
	k    uint32 // next position in rows, or row+1 in a chain
	end  uint32
	cols [][]symbol.Value
	key  []symbol.Value
}

// seek begins a walk over the rows of cols whose indexed columns have the
// values of key. The cursor keeps key.
func (ix *index) seek(cols [][]symbol.Value, key []symbol.Value) cursor {
	c := cursor{ix: ix, cols: cols, key: key}
	if ix.dense {
		if i := uint64(key[0]) - uint64(ix.base); i < uint64(len(ix.start)-1) {
			c.k, c.end = ix.start[i], ix.start[i+1]
		}
		return c
	}
	h := uint64(hashSeed)
	for _, v := range key {
		h = mix(h, v)
	}
	if len(ix.heads) > 0 {
		c.k = ix.heads[h&uint64(len(ix.heads)-1)]
	}
	return c
}

// next returns the number of the next row, or -1.
func (c *cursor) next() int {
	if c.ix.dense {
		if c.k >= c.end {
			return -1
		}
		k := c.k
		c.k++
		if c.ix.rows == nil {
			return int(k)
		}
		return int(c.ix.rows[k])
	}
walk:
	for c.k != 0 {
		row := int(c.k - 1)
		c.k = c.ix.next[row]
		for i, col := range c.ix.cols {
			if c.cols[col][row] != c.key[i] {
				continue walk
			}
		}
		return row
	}
	return -1
}
