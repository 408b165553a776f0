package datalog

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"plancheck/internal/symbol"
)

// builder collects the rows of a large relation that no rule reads yet. Rows
// are spread over partitions by their hash, each small enough for the cache,
// and the partitions are filled by all cores at once. The order of rows
// depends on nothing but the rows.
type builder struct {
	arity int
	parts [partitions]partition
	// plain: rows are known to be different, so they go straight into cols.
	plain bool
	cols  [][]symbol.Value
}

const partitions = 256

// partition holds different rows, one behind the other.
type partition struct {
	rows  []symbol.Value
	n     int
	slots []uint32 // row+1; 0 is free
}

func (p *partition) insert(h uint64, row []symbol.Value) bool {
	if 4*(p.n+1) > 3*len(p.slots) {
		p.grow(len(row))
	}
	mask := uint32(len(p.slots) - 1)
	i := uint32(h) & mask
	for ; p.slots[i] != 0; i = (i + 1) & mask {
		at := int(p.slots[i]-1) * len(row)
		if slices.Equal(p.rows[at:at+len(row)], row) {
			return false
		}
	}
	p.n++
	p.slots[i] = uint32(p.n)
	p.rows = append(p.rows, row...)
	return true
}

func (p *partition) grow(arity int) {
	p.slots = make([]uint32, max(64, 2*len(p.slots)))
	mask := uint32(len(p.slots) - 1)
	for k := range p.n {
		i := uint32(hashRow(p.rows[k*arity:(k+1)*arity])) & mask
		for p.slots[i] != 0 {
			i = (i + 1) & mask
		}
		p.slots[i] = uint32(k + 1)
	}
}

func (b *builder) insert(row []symbol.Value) bool {
	if b.plain {
		for c, v := range row {
			b.cols[c] = append(b.cols[c], v)
		}
		return true
	}
	h := hashRow(row)
	return b.parts[h>>56].insert(h, row)
}

// sortedRows are rows grouped by partition.
type sortedRows struct {
	rows  []symbol.Value
	start [partitions + 1]int // in rows, counted in rows
}

// spread groups rows by partition, keeping their order within each.
func spread(rows []symbol.Value, n, arity int) *sortedRows {
	s := &sortedRows{rows: make([]symbol.Value, len(rows))}
	part := make([]uint8, n)
	var at [partitions]int
	for i := range n {
		part[i] = uint8(hashRow(rows[i*arity:(i+1)*arity]) >> 56)
		at[part[i]]++
	}
	sum := 0
	for p, k := range at {
		s.start[p] = sum
		at[p] = sum
		sum += k
	}
	s.start[partitions] = sum
	for i := range n {
		k := at[part[i]]
		at[part[i]]++
		copy(s.rows[k*arity:(k+1)*arity], rows[i*arity:(i+1)*arity])
	}
	return s
}

// addAll inserts several batches, in order, and returns how many rows are new.
func (b *builder) addAll(batches []*sortedRows) int {
	var added atomic.Int64
	parallel(partitions, func(p int) {
		part := &b.parts[p]
		before := part.n
		for _, s := range batches {
			for i := s.start[p]; i < s.start[p+1]; i++ {
				row := s.rows[i*b.arity : (i+1)*b.arity]
				part.insert(hashRow(row), row)
			}
		}
		added.Add(int64(part.n - before))
	})
	return int(added.Load())
}

// appendAll adds batches of rows that are known to be different. done of total
// rows of the outermost scan are behind them, which tells how many more to
// expect.
func (b *builder) appendAll(wave []pending, done, total int) int {
	added := 0
	for i := range wave {
		added += wave[i].n
	}
	parallel(b.arity, func(c int) {
		col := b.cols[c]
		if need := len(col) + added; need > cap(col) {
			grown := make([]symbol.Value, len(col), max(need, int(float64(need)*float64(total)/float64(done)*1.05)))
			copy(grown, col)
			col = grown
		}
		for i := range wave {
			for k := c; k < len(wave[i].rows); k += b.arity {
				col = append(col, wave[i].rows[k])
			}
		}
		b.cols[c] = col
	})
	return added
}

// columns lays all rows out as columns and empties the builder.
func (b *builder) columns() (cols [][]symbol.Value, n int) {
	if b.plain {
		return b.cols, len(b.cols[0])
	}
	var at [partitions]int
	for p := range b.parts {
		at[p] = n
		n += b.parts[p].n
	}
	cols = make([][]symbol.Value, b.arity)
	for c := range cols {
		cols[c] = make([]symbol.Value, n)
	}
	parallel(partitions, func(p int) {
		part := &b.parts[p]
		for i := range part.n {
			for c := range cols {
				cols[c][at[p]+i] = part.rows[i*b.arity+c]
			}
		}
		*part = partition{}
	})
	return cols, n
}

func (b *builder) bytes() int64 {
	var n int64
	for _, col := range b.cols {
		n += 4 * int64(cap(col))
	}
	for i := range b.parts {
		n += 4 * int64(cap(b.parts[i].rows)+len(b.parts[i].slots))
	}
	return n
}

// parallel calls f(0) to f(n-1) on all cores.
func parallel(n int, f func(i int)) {
	workers := min(n, runtime.GOMAXPROCS(0))
	if workers < 2 {
		for i := range n {
			f(i)
		}
		return
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	wg.Wait()
}
