package evidence

import (
	"errors"
	"math/big"
)

// million is what ratios in millionths are of.
const million = 1_000_000

// second is in picoseconds.
const second = 1_000_000_000_000

// errRange is a duration that does not fit in 63 bits of picoseconds.
var errRange = errors.New("is beyond 64 bits of picoseconds")

func whole(n int64) *big.Rat { return new(big.Rat).SetInt64(n) }

func ratio(n, d int64) *big.Rat { return big.NewRat(n, d) }

// product multiplies numbers.
func product(first *big.Rat, others ...*big.Rat) *big.Rat {
	p := new(big.Rat).Set(first)
	for _, o := range others {
		p.Mul(p, o)
	}
	return p
}

func quotient(a, b *big.Rat) *big.Rat { return new(big.Rat).Quo(a, b) }

func sum(terms ...*big.Rat) *big.Rat {
	s := new(big.Rat)
	for _, t := range terms {
		s.Add(s, t)
	}
	return s
}

// round returns the nearest integer to a number that is not negative, a half up.
func round(x *big.Rat) (int64, error) {
	// floor(x + 1/2) = floor((2n + d) / 2d)
	n := new(big.Int).Lsh(x.Num(), 1)
	n.Add(n, x.Denom())
	n.Quo(n, new(big.Int).Lsh(x.Denom(), 1))
	if !n.IsInt64() {
		return 0, errRange
	}
	return n.Int64(), nil
}

// logBits is how many bits of log2 are computed behind the point, and precision
// how many bits the numbers have by which that is done. Each squaring loses less
// than two bits, so that the last of them is right.
const (
	logBits   = 48
	precision = 256
)

// distance returns |log2(a / b)| of two positive integers in millionths, rounded
// up: an extrapolation is never said to be nearer than it is.
func distance(a, b int64) int64 {
	if a < b {
		a, b = b, a
	}
	x := new(big.Float).SetPrec(precision).SetInt64(a)
	x.Quo(x, new(big.Float).SetPrec(precision).SetInt64(b))
	two := big.NewFloat(2)
	log := int64(0)
	for x.Cmp(two) >= 0 {
		x.Quo(x, two)
		log++
	}
	scaled := new(big.Int).SetInt64(log)
	exact := x.Cmp(big.NewFloat(1)) == 0
	for range logBits {
		x.Mul(x, x)
		scaled.Lsh(scaled, 1)
		if x.Cmp(two) >= 0 {
			x.Quo(x, two)
			scaled.SetBit(scaled, 0, 1)
		}
	}
	scaled.Mul(scaled, big.NewInt(million))
	whole, rest := new(big.Int).QuoRem(scaled, new(big.Int).Lsh(big.NewInt(1), logBits), new(big.Int))
	if !exact || rest.Sign() > 0 {
		whole.Add(whole, big.NewInt(1))
	}
	return whole.Int64()
}
