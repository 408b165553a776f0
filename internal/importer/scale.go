package importer

import (
	"math"
	"math/big"
)

// scale turns latencies into integers: x becomes x * total / sum, rounded to
// the nearest integer, halves up. The numbers of the file are taken as the
// nearest 64-bit floating-point numbers, and all else is exact.
type scale struct{ total, sum *big.Rat }

func newScale(total int64, latencies []float64) scale {
	s := scale{new(big.Rat).SetInt64(total), new(big.Rat)}
	for _, x := range latencies {
		s.sum.Add(s.sum, new(big.Rat).SetFloat64(x))
	}
	return s
}

// defined says whether anything but 0 can be scaled.
func (s scale) defined() bool { return s.sum.Sign() > 0 }

// apply scales x, which is at least 0. It returns false where the result is
// beyond 64 bits or the scale is not defined.
func (s scale) apply(x float64) (int64, bool) {
	if x == 0 {
		return 0, true
	}
	if !s.defined() {
		return 0, false
	}
	r := new(big.Rat).SetFloat64(x)
	r.Mul(r, s.total).Quo(r, s.sum).Add(r, big.NewRat(1, 2))
	n := new(big.Int).Div(r.Num(), r.Denom())
	return n.Int64(), n.IsInt64()
}

// wholeBytes rounds a size up. It returns false beyond 64 bits.
func wholeBytes(x float64) (int64, bool) {
	x = math.Ceil(x)
	return int64(x), x < math.MaxInt64 // which is 2^63 as a floating-point number
}
