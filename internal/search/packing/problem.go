package packing

import (
	"errors"
	"fmt"
	"math/bits"
)

// Free is the pin of an item that may be on any core.
const Free = -1

// Unlimited is the capacity of a core on which everything fits.
const Unlimited = -1

// Problem asks for a core of every item so that the largest core load is as
// small as possible and the slices on each core fit. Items, cores, kinds of
// cores and units are numbered from 0.
type Problem struct {
	Items []Item
	Cores []Core
	Sizes []int64 // bytes of each unit: the slice of one lane of one weight
}

// Item is a share of an op, or of a forward.
type Item struct {
	// Cycles on a core of each kind, not negative. One number alone is that of
	// all kinds.
	Cycles []int64
	// Slices that have to be on the item's core. Repeated ones count once.
	Slices []Slice
	// Pin is the item's core, or Free.
	Pin int
}

// Slice is part Part of the Parts about equal parts of a unit; part 0 of 1 is
// the whole unit.
type Slice struct{ Unit, Part, Parts int }

// Core is a core.
type Core struct {
	Capacity int64 // bytes; Unlimited
	Kind     int
}

// PartBytes returns the bytes of a part of a slice: sizes of parts differ by at
// most one, and the first parts are the larger ones.
func PartBytes(slice int64, part, parts int) int64 {
	bytes := slice / int64(parts)
	if int64(part) < slice%int64(parts) {
		bytes++
	}
	return bytes
}

// ErrProblem is returned, wrapped, for a problem that is not well-formed.
var ErrProblem = errors.New("ill-formed packing problem")

// ErrPacking is returned, wrapped, for a packing that is not legal.
var ErrPacking = errors.New("illegal packing")

// maxSum bounds the sums of all cycles and of all bytes, so that no sum of the
// search wraps.
const maxSum = 1 << 60

// check says whether the problem is well-formed.
func (p *Problem) check() error {
	if len(p.Cores) == 0 {
		return fmt.Errorf("no cores: %w", ErrProblem)
	}
	for k, c := range p.Cores {
		if c.Capacity < 0 && c.Capacity != Unlimited || c.Kind < 0 {
			return fmt.Errorf("core %d has capacity %d and kind %d: %w", k, c.Capacity, c.Kind, ErrProblem)
		}
	}
	for u, bytes := range p.Sizes {
		if bytes < 0 {
			return fmt.Errorf("unit %d has %d bytes: %w", u, bytes, ErrProblem)
		}
	}
	kinds := p.kinds()
	var cycles, bytes uint64
	for i, it := range p.Items {
		if it.Pin != Free && (it.Pin < 0 || it.Pin >= len(p.Cores)) {
			return fmt.Errorf("item %d is pinned to core %d of %d: %w", i, it.Pin, len(p.Cores), ErrProblem)
		}
		if len(it.Cycles) != 1 && len(it.Cycles) < kinds {
			return fmt.Errorf("item %d has cycles for %d kinds of %d: %w", i, len(it.Cycles), kinds, ErrProblem)
		}
		most := int64(0)
		for _, c := range it.Cycles {
			if c < 0 {
				return fmt.Errorf("item %d has %d cycles: %w", i, c, ErrProblem)
			}
			most = max(most, c)
		}
		var carry uint64
		if cycles, carry = bits.Add64(cycles, uint64(most), 0); carry != 0 || cycles > maxSum {
			return fmt.Errorf("all cycles pass 2^60: %w", ErrProblem)
		}
		for _, s := range it.Slices {
			if s.Unit < 0 || s.Unit >= len(p.Sizes) || s.Parts < 1 || s.Part < 0 || s.Part >= s.Parts {
				return fmt.Errorf("item %d has part %d of %d of unit %d of %d: %w", i, s.Part, s.Parts, s.Unit, len(p.Sizes), ErrProblem)
			}
			part := PartBytes(p.Sizes[s.Unit], s.Part, s.Parts)
			if bytes, carry = bits.Add64(bytes, uint64(part), 0); carry != 0 || bytes > maxSum {
				return fmt.Errorf("the bytes of all items pass 2^60: %w", ErrProblem)
			}
		}
	}
	return nil
}

// kinds is how many kinds of cores there are.
func (p *Problem) kinds() int {
	kinds := 1
	for _, c := range p.Cores {
		kinds = max(kinds, c.Kind+1)
	}
	return kinds
}

// cyclesOn returns the cycles of the item on a core of a kind.
func (it *Item) cyclesOn(kind int) int64 {
	if len(it.Cycles) == 1 {
		return it.Cycles[0]
	}
	return it.Cycles[kind]
}

// Loads returns the load in cycles and the bytes of weights of every core under
// a packing, the core of each item; or an error that wraps ErrPacking when an
// item is not where it is pinned or weights do not fit, or ErrProblem. It is the
// definition that every part of the search is held to.
//
// A slice that items on a core need is there once. Parts of a unit need no room
// where the whole unit is.
func (p *Problem) Loads(cores []int) (cycles, bytes []int64, err error) {
	if err := p.check(); err != nil {
		return nil, nil, err
	}
	if len(cores) != len(p.Items) {
		return nil, nil, fmt.Errorf("%d cores for %d items: %w", len(cores), len(p.Items), ErrPacking)
	}
	type place struct {
		core int
		s    Slice
	}
	there := map[place]bool{}
	cycles, bytes = make([]int64, len(p.Cores)), make([]int64, len(p.Cores))
	for i, k := range cores {
		it := &p.Items[i]
		if k < 0 || k >= len(p.Cores) || it.Pin != Free && k != it.Pin {
			return nil, nil, fmt.Errorf("item %d, pinned to %d, on core %d of %d: %w", i, it.Pin, k, len(p.Cores), ErrPacking)
		}
		cycles[k] += it.cyclesOn(p.Cores[k].Kind)
		for _, s := range it.Slices {
			there[place{k, s}] = true
		}
	}
	for at := range there { // sums do not depend on the order
		if at.s.Parts == 1 || !there[place{at.core, Slice{at.s.Unit, 0, 1}}] {
			bytes[at.core] += PartBytes(p.Sizes[at.s.Unit], at.s.Part, at.s.Parts)
		}
	}
	for k, c := range p.Cores {
		if c.Capacity != Unlimited && bytes[k] > c.Capacity {
			return nil, nil, fmt.Errorf("%d bytes on core %d of %d: %w", bytes[k], k, c.Capacity, ErrPacking)
		}
	}
	return cycles, bytes, nil
}

// Value returns the largest core load of a packing, with the errors of Loads.
func (p *Problem) Value(cores []int) (int64, error) {
	cycles, _, err := p.Loads(cores)
	if err != nil {
		return 0, err
	}
	value := int64(0)
	for _, c := range cycles {
		value = max(value, c)
	}
	return value, nil
}
