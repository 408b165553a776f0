package facts

import "math/bits"

// marks is a set of numbers from 0 to below a bound, that finds neighbours fast:
// level 0 has a bit for each number, each further level one for each word of the
// level below that is not empty.
type marks [][]uint64

func newMarks(bound int) marks {
	var m marks
	for {
		bound = (bound + 63) / 64
		m = append(m, make([]uint64, bound))
		if bound <= 1 {
			return m
		}
	}
}

func (m marks) set(i int) {
	for _, level := range m {
		level[i/64] |= 1 << (i % 64)
		i /= 64
	}
}

func (m marks) clear(i int) {
	for _, level := range m {
		if level[i/64] &^= 1 << (i % 64); level[i/64] != 0 {
			return
		}
		i /= 64
	}
}

// from returns the smallest number in the set that is not below i, or -1.
func (m marks) from(i int) int {
	for k, level := range m {
		if i/64 >= len(level) {
			return -1
		}
		if w := level[i/64] >> (i % 64); w != 0 {
			i += bits.TrailingZeros64(w)
			for ; k > 0; k-- {
				i = i*64 + bits.TrailingZeros64(m[k-1][i])
			}
			return i
		}
		i = i/64 + 1
	}
	return -1
}

// upTo returns the largest number in the set that is not above i, or -1.
func (m marks) upTo(i int) int {
	for k, level := range m {
		if w := level[i/64] << (63 - i%64); w != 0 {
			i -= bits.LeadingZeros64(w)
			for ; k > 0; k-- {
				i = i*64 + 63 - bits.LeadingZeros64(m[k-1][i])
			}
			return i
		}
		if i < 64 {
			return -1
		}
		i = i/64 - 1
	}
	return -1
}
