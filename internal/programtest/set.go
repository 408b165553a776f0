package programtest

// set is a set of small numbers.
type set []uint64

func newSet(n int) set { return make(set, (n+63)/64) }

func (s set) has(i int) bool { return i>>6 < len(s) && s[i>>6]>>(i&63)&1 == 1 }

func (s *set) add(i int) {
	for i>>6 >= len(*s) {
		*s = append(*s, 0)
	}
	(*s)[i>>6] |= 1 << (i & 63)
}

func (s *set) join(o set) {
	for len(*s) < len(o) {
		*s = append(*s, 0)
	}
	for k, word := range o {
		(*s)[k] |= word
	}
}
