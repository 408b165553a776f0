package datalog

import (
	"math/bits"
	"slices"

	"plancheck/internal/symbol"
)

// relation is the rows of a predicate during an evaluation.
type relation struct {
	pred *predicate
	cols [][]symbol.Value
	n    int
	// vis is how many rows the rules see: all but those of the current round.
	vis int
	// distinct: no row occurs twice. Always so for derived relations.
	distinct bool
	set      *rowSet  // of derived relations that are not large
	build    *builder // of a large relation that is being derived
	stated   []*rule  // facts that rule files state: they are the first rows
	// rounds has the number of rows at the end of each round of a recursive
	// stratum: a row is proven by rows of earlier rounds.
	rounds []int
	// frozen: no rows will be added any more.
	frozen  bool
	indexes map[colSet]*index
	stats   []int // estimated distinct values a column, 0 when not known yet
	statsAt int   // rows when stats were made
}

// colSet is a set of column numbers, of which there are at most maxColumns.
type colSet uint64

func (s colSet) has(c int) bool { return s>>uint(c)&1 != 0 }

func newRelation(p *predicate) *relation {
	return &relation{pred: p, cols: make([][]symbol.Value, p.arity), distinct: true, set: &rowSet{}, indexes: map[colSet]*index{}}
}

// fromTable wraps rows given from outside without copying them.
func fromTable(p *predicate, t *Table) *relation {
	return &relation{pred: p, cols: t.Cols, n: t.N, vis: t.N, distinct: t.Distinct || t.N < 2, frozen: true, indexes: map[colSet]*index{}}
}

func (r *relation) row(i int) []symbol.Value {
	row := make([]symbol.Value, len(r.cols))
	for c, col := range r.cols {
		row[c] = col[i]
	}
	return row
}

// insert adds a row unless it is there, and says whether it did.
func (r *relation) insert(row []symbol.Value) bool {
	if r.build != nil {
		if !r.build.insert(row) {
			return false
		}
		r.n++
		return true
	}
	if !r.set.add(r, hashRow(row), row) {
		return false
	}
	for c, v := range row {
		r.cols[c] = append(r.cols[c], v)
	}
	r.n++
	return true
}

// enlarge prepares for many rows: those there are move into a builder. plain
// says that they are different from each other without looking.
func (r *relation) enlarge(plain bool) {
	if r.build != nil {
		return
	}
	b := &builder{arity: len(r.cols), plain: plain}
	if plain {
		b.cols = make([][]symbol.Value, b.arity)
	}
	for i := range r.n {
		b.insert(r.row(i))
	}
	r.build, r.set, r.cols = b, nil, make([][]symbol.Value, len(r.cols))
}

// settle lays out the rows of a builder.
func (r *relation) settle() {
	if r.build != nil {
		r.cols, r.n = r.build.columns()
		r.build = nil
	}
}

// bytes estimates the memory that derived rows and all indexes take.
func (r *relation) bytes() int64 {
	var n int64
	if !r.pred.given {
		for _, col := range r.cols {
			n += 4 * int64(cap(col))
		}
	}
	if r.set != nil {
		n += 8 * int64(len(r.set.slots))
	}
	if r.build != nil {
		n += r.build.bytes()
	}
	for _, ix := range r.indexes {
		n += 4*int64(len(ix.start)+len(ix.rows)+len(ix.next)) + 4*int64(len(ix.heads))
	}
	return n
}

// find returns the number of the first row equal to the given one, or -1.
func (r *relation) find(row []symbol.Value) int {
	if r.set != nil {
		return r.set.find(r, hashRow(row), row)
	}
	if len(row) == 0 {
		return r.n - 1
	}
	best := 0
	for c := range row {
		if r.distinctIn(c) > r.distinctIn(best) {
			best = c
		}
	}
	cur := r.index(1<<uint(best)).seek(r.cols, row[best:best+1])
	for i := cur.next(); i >= 0; i = cur.next() {
		if r.equal(i, row) {
			return i
		}
	}
	return -1
}

// distinctIn estimates how many values a column has, from a sample.
func (r *relation) distinctIn(c int) int {
	if r.stats == nil || r.vis > 2*r.statsAt {
		r.stats = make([]int, len(r.cols))
		r.statsAt = r.vis
	}
	if r.stats[c] == 0 {
		r.stats[c] = max(1, estimateDistinct(r.cols[c][:r.vis]))
	}
	return r.stats[c]
}

const sampleSize = 2048

func estimateDistinct(col []symbol.Value) int {
	n := len(col)
	if n == 0 {
		return 0
	}
	step := max(1, n/sampleSize)
	var sample []symbol.Value
	neighbours := 0 // sampled rows equal to the row behind them
	for i := 0; i < n; i += step {
		sample = append(sample, col[i])
		if i+1 < n && col[i+1] == col[i] {
			neighbours++
		}
	}
	slices.Sort(sample)
	m := len(sample)
	d := len(slices.Compact(sample))
	switch {
	case step == 1:
		return d
	case d > m*9/10:
		// Values hardly repeat in the sample: runs of equal neighbours tell how often they repeat at all.
		return n - neighbours*(n/m)
	case d < m/4:
		return d
	}
	return d * step / 2
}

const hashSeed = 0x9E3779B97F4A7C15

func mix(h uint64, v symbol.Value) uint64 {
	hi, lo := bits.Mul64(h^uint64(v)^0xa0761d6478bd642f, 0xe7037ed1a0b428db)
	return hi ^ lo
}

func hashRow(row []symbol.Value) uint64 {
	h := uint64(hashSeed)
	for _, v := range row {
		h = mix(h, v)
	}
	return h
}

// rowSet finds the rows of a relation by their whole content.
type rowSet struct {
	slots []uint64 // high half of the hash, row+1; 0 is free
	n     int
}

func (s *rowSet) add(r *relation, h uint64, row []symbol.Value) bool {
	if 4*(s.n+1) > 3*len(s.slots) {
		s.grow(r)
	}
	mask := uint64(len(s.slots) - 1)
	i := h & mask
	for ; s.slots[i] != 0; i = (i + 1) & mask {
		if s.slots[i]>>32 == h>>32 && r.equal(int(uint32(s.slots[i]))-1, row) {
			return false
		}
	}
	s.slots[i] = h>>32<<32 | uint64(r.n+1)
	s.n++
	return true
}

func (s *rowSet) find(r *relation, h uint64, row []symbol.Value) int {
	if len(s.slots) == 0 {
		return -1
	}
	mask := uint64(len(s.slots) - 1)
	for i := h & mask; s.slots[i] != 0; i = (i + 1) & mask {
		if n := int(uint32(s.slots[i])) - 1; s.slots[i]>>32 == h>>32 && r.equal(n, row) {
			return n
		}
	}
	return -1
}

// grow doubles the table. Only half of each hash is kept, so the rows are
// hashed again.
func (s *rowSet) grow(r *relation) {
	s.slots = make([]uint64, max(16, 2*len(s.slots)))
	mask := uint64(len(s.slots) - 1)
	for n := range s.n {
		h := uint64(hashSeed)
		for _, col := range r.cols {
			h = mix(h, col[n])
		}
		i := h & mask
		for s.slots[i] != 0 {
			i = (i + 1) & mask
		}
		s.slots[i] = h>>32<<32 | uint64(n+1)
	}
}

func (r *relation) equal(i int, row []symbol.Value) bool {
	for c, v := range row {
		if r.cols[c][i] != v {
			return false
		}
	}
	return true
}
