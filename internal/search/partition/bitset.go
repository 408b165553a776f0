package partition

import "math/bits"

// bitset is a set of ops by number.
type bitset []uint64

func newBitset(n int) bitset { return make(bitset, (n+63)/64) }

// one returns the set of v alone among n.
func one(n, v int) bitset {
	b := newBitset(n)
	b.add(v)
	return b
}

func (b bitset) has(i int) bool { return b[i>>6]>>(i&63)&1 == 1 }
func (b bitset) add(i int)      { b[i>>6] |= 1 << (i & 63) }
func (b bitset) clear()         { clear(b) }

func (b bitset) or(c bitset) {
	for i, w := range c {
		b[i] |= w
	}
}

func (b bitset) and(c bitset) {
	for i, w := range c {
		b[i] &= w
	}
}

// contains says whether c is a subset of b.
func (b bitset) contains(c bitset) bool {
	for i, w := range c {
		if w&^b[i] != 0 {
			return false
		}
	}
	return true
}

// each calls f for every member in ascending order.
func (b bitset) each(f func(i int)) {
	for i, w := range b {
		for ; w != 0; w &= w - 1 {
			f(i<<6 + bits.TrailingZeros64(w))
		}
	}
}

// scale adds up the weights of sets a byte of members at a time.
type scale [][256]int64

func newScale(weights []int64) scale {
	s := make(scale, (len(weights)+63)/64*8)
	for i := range s {
		for b := 1; b < 256; b++ {
			low := bits.TrailingZeros(uint(b))
			if o := i*8 + low; o < len(weights) {
				s[i][b] = s[i][b&(b-1)] + weights[o]
			} else {
				s[i][b] = s[i][b&(b-1)]
			}
		}
	}
	return s
}

// of returns the weight of b.
func (s scale) of(b bitset) int64 {
	sum := int64(0)
	for i, w := range b {
		t := s[i*8:]
		for j := 0; w != 0; w >>= 8 {
			sum += t[j][w&255]
			j++
		}
	}
	return sum
}

// ofBoth returns the weight of what b and c have in common.
func (s scale) ofBoth(b, c bitset) int64 {
	sum := int64(0)
	for i, w := range b {
		w &= c[i]
		t := s[i*8:]
		for j := 0; w != 0; w >>= 8 {
			sum += t[j][w&255]
			j++
		}
	}
	return sum
}
