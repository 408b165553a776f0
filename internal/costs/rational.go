package costs

import (
	"errors"
	"math/big"

	"plancheck/ir/evidence"
)

// Million is what ratios in millionths are of.
const Million = 1_000_000

// Second is in picoseconds.
const Second = 1_000_000_000_000

// errRange is a duration that does not fit in 63 bits of picoseconds.
var errRange = errors.New("is beyond 64 bits of picoseconds")

// Whole is a whole number.
func Whole(n int64) *big.Rat { return new(big.Rat).SetInt64(n) }

// Ratio is n / d.
func Ratio(n, d int64) *big.Rat { return big.NewRat(n, d) }

// Product multiplies numbers.
func Product(first *big.Rat, others ...*big.Rat) *big.Rat {
	p := new(big.Rat).Set(first)
	for _, o := range others {
		p.Mul(p, o)
	}
	return p
}

// Quotient is a / b.
func Quotient(a, b *big.Rat) *big.Rat { return new(big.Rat).Quo(a, b) }

// Sum adds numbers.
func Sum(terms ...*big.Rat) *big.Rat {
	s := new(big.Rat)
	for _, t := range terms {
		s.Add(s, t)
	}
	return s
}

// Round returns the nearest integer to a number that is not negative, a half up.
func Round(x *big.Rat) (int64, error) {
	// floor(x + 1/2) = floor((2n + d) / 2d)
	n := new(big.Int).Lsh(x.Num(), 1)
	n.Add(n, x.Denom())
	n.Quo(n, new(big.Int).Lsh(x.Denom(), 1))
	if !n.IsInt64() {
		return 0, errRange
	}
	return n.Int64(), nil
}

// Picoseconds is a duration after a factor, nil for none, as costs state it:
// rounded once, and what takes time is never said to take none.
func Picoseconds(x *big.Rat, factor *evidence.Ratio) (int64, error) {
	if factor != nil {
		x = Product(x, Ratio(factor.Numerator, factor.Denominator))
	}
	n, err := Round(x)
	if n == 0 && x.Sign() > 0 && err == nil {
		n = 1
	}
	return n, err
}
