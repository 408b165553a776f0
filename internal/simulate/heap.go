package simulate

// item is a unit with what it is ordered by: a time, then its rank.
type item struct {
	time       int64
	rank, unit int32
	// from is the resource that the unit had been waiting for when it became free;
	// -1 for none.
	from int32
}

func (a item) before(b item) bool {
	return a.time < b.time || a.time == b.time && a.rank < b.rank
}

// heap is a queue of units, the first one at the top.
type heap []item

func (h *heap) push(x item) {
	*h = append(*h, x)
	s := *h
	for i := len(s) - 1; i > 0; {
		up := (i - 1) / 2
		if !s[i].before(s[up]) {
			return
		}
		s[i], s[up] = s[up], s[i]
		i = up
	}
}

func (h *heap) pop() item {
	s := *h
	top := s[0]
	last := len(s) - 1
	s[0] = s[last]
	s = s[:last]
	*h = s
	for i := 0; ; {
		first := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(s); child++ {
			if s[child].before(s[first]) {
				first = child
			}
		}
		if first == i {
			return top
		}
		s[i], s[first] = s[first], s[i]
		i = first
	}
}
