package packing

import "math"

// overfull says that sizes, in descending order and none above room, need more
// than that many bins of that room. It is sound, not complete. It lets every size
// count for something else: big ones for a whole bin and small ones for nothing,
// and what is in between rounded to multiples of a part of a bin, such that what
// fits in a bin never counts for more than it ("dual feasible functions", Fekete
// and Schepers, New classes of fast lower bounds for bin packing problems, 2001).
func overfull(sizes []int64, bins int, room int64) bool {
	const parts = 4
	n := int64(max(bins, len(sizes)))
	if room <= 0 || len(sizes) == 0 || room > math.MaxInt64/(n*(parts+1)) {
		return false // the sums would overflow
	}
	samples := max(1, min(32, 100_000/len(sizes)))
	last := int64(-1)
	smalls := []int64{0}
	for _, x := range sizes {
		if x <= room/2 && x != last {
			smalls = append(smalls, x)
			last = x
		}
	}
	step := max(1, len(smalls)/samples)
	for at := 0; at < len(smalls); at += step {
		small := smalls[at]
		for k := int64(0); k <= parts; k++ {
			sum, all := int64(0), room*int64(bins)*max(k, 1)
			for _, x := range sizes {
				if x < small {
					break
				}
				if x > room-small {
					x = room
				}
				switch {
				case k == 0:
					sum += x
				case (k+1)*x%room == 0:
					sum += x * k
				default:
					sum += (k + 1) * x / room * room
				}
			}
			if sum > all {
				return true
			}
		}
	}
	return false
}

// stretch raises the bound to the greatest limit, plus one, that overfull refutes
// by bisection.
func stretch(b *board, least []int64) {
	lo, hi := b.bound, b.value // below lo is refuted, hi is not
	if hi == noValue {
		hi = 2*b.bound + 1
	}
	for lo < hi {
		limit := lo + (hi-lo)/2
		if overfull(least, b.w.m, limit) {
			lo = limit + 1
		} else {
			hi = limit
		}
	}
	b.raise("counting of shares", lo)
}
