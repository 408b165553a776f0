package ir

import "slices"

// list grows without copying what it holds, so that reading a million ops
// costs one copy of them at the end.
type list[T any] struct {
	full [][]T
	last []T
	n    int
}

// The number of entries or elements that list and arena allocate at a time.
const (
	leastChunk = 64
	mostChunk  = 8192
)

// add appends an element. The pointer is good until take.
func (l *list[T]) add(v T) *T {
	if len(l.last) == cap(l.last) {
		if l.last != nil {
			l.full = append(l.full, l.last)
		}
		l.last = make([]T, 0, min(mostChunk, max(leastChunk, l.n)))
	}
	l.n++
	l.last = append(l.last, v)
	return &l.last[len(l.last)-1]
}

// take returns the elements in one slice, which is never nil.
func (l *list[T]) take() []T {
	all := make([]T, 0, l.n)
	for _, chunk := range l.full {
		all = append(all, chunk...)
	}
	return append(all, l.last...)
}

// arena cuts many small slices from few large ones.
type arena[T any] struct {
	free  []T
	chunk int
}

// keep returns a copy of s that nothing else writes to, never nil.
func (a *arena[T]) keep(s []T) []T {
	if len(s) == 0 {
		return []T{}
	}
	if len(s) > len(a.free) {
		a.chunk = min(mostChunk, max(leastChunk, 2*a.chunk))
		if len(s) > a.chunk/4 {
			return slices.Clone(s)
		}
		a.free = make([]T, a.chunk)
	}
	n := copy(a.free, s)
	kept := a.free[:n:n]
	a.free = a.free[n:]
	return kept
}
