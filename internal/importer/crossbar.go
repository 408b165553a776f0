package importer

import (
	"fmt"
	"math/bits"
)

// matrix is the size of a weight matrix as it lies on crossbars: a column for
// every output channel, a row for every input that an output adds up. Groups of
// a convolution are not told apart, as in PIMCOMP: the matrix is dense.
type matrix struct{ height, width int64 }

// arrayGroups says how a matrix is cut into crossbars. An array group is a row
// of crossbars that share their inputs; it works as one and sits in one core.
// Where a core has fewer crossbars than that, a row is several groups.
type arrayGroups struct {
	count  int64 // of groups, all of one size
	width  int64 // crossbars of a group
	pieces int64 // groups of a row
}

func (g arrayGroups) crossbars() int64 { return g.count * g.width }

// maxArrayGroups bounds the lanes of all ops together.
const maxArrayGroups = 1 << 20

// divide cuts a matrix for crossbars of a chip: ceil(height / crossbar rows)
// rows of ceil(width / crossbar columns) crossbars. A row that is wider than a
// core is shared out over as few groups as fit, all as wide as the widest.
func (c chip) divide(m matrix) (arrayGroups, error) {
	rows, width := ceilDiv(m.height, c.crossbarRows), ceilDiv(m.width, c.crossbarColumns)
	pieces := ceilDiv(width, c.crossbars)
	count, ok := product(rows, pieces)
	if !ok || count > maxArrayGroups {
		return arrayGroups{}, fmt.Errorf("a matrix of %d x %d needs more than %d array groups", m.height, m.width, maxArrayGroups)
	}
	return arrayGroups{count, ceilDiv(width, pieces), pieces}, nil
}

// ceilDiv is a / b rounded up, for positive numbers.
func ceilDiv(a, b int64) int64 { return (a-1)/b + 1 }

// product multiplies numbers that are at least 0 and says whether the result
// fits 64 bits.
func product(ns ...int64) (int64, bool) {
	p := uint64(1)
	for _, n := range ns {
		high, low := bits.Mul64(p, uint64(n))
		if high != 0 || low > 1<<63-1 {
			return 0, false
		}
		p = low
	}
	return int64(p), true
}
