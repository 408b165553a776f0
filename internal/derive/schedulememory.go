package derive

import (
	"cmp"
	"math"
	"slices"
)

// memorySpace is memory in which buffers are to be placed: the bytes from 0 to
// before size.
type memorySpace struct {
	size  int64
	align int64 // of all offsets, at least 1
}

// memoryNeed is a buffer that is to be placed.
type memoryNeed struct {
	space       int   // of the spaces, that it is to lie in
	size, align int64 // bytes; align is at least 1
	// given buffers live before the first command, and kept ones behind the last.
	given, kept bool
	uses        []int // commands that read or write it
}

// memoryLack says that what lives at once in a space is more than it holds, in
// every way of placing it that was tried.
type memoryLack struct {
	space int
	bytes int64 // that are missing
}

// placeInMemory finds the offset of each buffer. Two buffers have bytes in common
// only where one can never live with the other: where each command that uses the
// one has completed before any that uses the other begins, as before says. So the
// order in which commands are listed, or are expected to run, plays no part.
//
// Each buffer takes the lowest place that is free of those that it may live with:
// in the order of the list; in spaces where they do not fit that way, the largest
// first. Where that does not fit either, the space is returned for which the fewest
// bytes are missing by either way, the first one of several; otherwise lack is nil.
func placeInMemory(spaces []memorySpace, buffers []memoryNeed, before func(first, second int) bool) (offsets []int64, lack *memoryLack) {
	offsets = make([]int64, len(buffers))
	members := make([][]int, len(spaces))
	for i := range buffers {
		members[buffers[i].space] = append(members[buffers[i].space], i)
	}
	for s, space := range spaces {
		listed := members[s]
		missing := firstFit(space, buffers, listed, before, offsets)
		if missing > 0 {
			sorted := slices.Clone(listed)
			slices.SortStableFunc(sorted, func(a, b int) int { return cmp.Compare(buffers[b].size, buffers[a].size) })
			missing = min(missing, firstFit(space, buffers, sorted, before, offsets))
		}
		if missing > 0 && lack == nil {
			lack = &memoryLack{s, missing}
		}
	}
	return offsets, lack
}

// firstFit places buffers of a space one after the other, and returns by how many
// bytes they do not fit.
func firstFit(space memorySpace, buffers []memoryNeed, order []int, before func(first, second int) bool, offsets []int64) (missing int64) {
	var placed []int // by offset
	for _, i := range order {
		b := &buffers[i]
		align := max(space.align, b.align)
		at := int64(0)
		for _, j := range placed {
			other := &buffers[j]
			if other.size == 0 || !together(b, other, before) {
				continue
			}
			if b.size <= offsets[j]-at {
				break // it fits in front of this one
			}
			at = max(at, alignedUp(offsets[j]+other.size, align))
		}
		if at > math.MaxInt64-b.size { // no memory is so large
			return math.MaxInt64 - space.size
		}
		offsets[i] = at
		missing = max(missing, at+b.size-space.size)
		place, _ := slices.BinarySearchFunc(placed, at, func(j int, at int64) int { return cmp.Compare(offsets[j], at) })
		placed = slices.Insert(placed, place, i)
	}
	return missing
}

// together says whether two buffers may live at once.
func together(a, b *memoryNeed, before func(first, second int) bool) bool {
	return !over(a, b, before) && !over(b, a, before)
}

// over says whether a buffer is done with before another one begins to live.
func over(a, b *memoryNeed, before func(first, second int) bool) bool {
	if a.kept || b.given || len(a.uses) == 0 || len(b.uses) == 0 {
		return false
	}
	for _, first := range a.uses {
		for _, second := range b.uses {
			if !before(first, second) {
				return false
			}
		}
	}
	return true
}

// alignedUp is the lowest multiple of align that is n or more, or the largest
// number there is.
func alignedUp(n, align int64) int64 {
	if rest := n % align; rest > 0 {
		if n > math.MaxInt64-(align-rest) {
			return math.MaxInt64
		}
		n += align - rest
	}
	return n
}
