package evidence

import (
	"math/big"

	"plancheck/internal/costs"
)

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
	scaled.Mul(scaled, big.NewInt(costs.Million))
	whole, rest := new(big.Int).QuoRem(scaled, new(big.Int).Lsh(big.NewInt(1), logBits), new(big.Int))
	if !exact || rest.Sign() > 0 {
		whole.Add(whole, big.NewInt(1))
	}
	return whole.Int64()
}
