package tensor

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
)

// Tensor is numbers in row-major order: the last axis is the fastest.
type Tensor struct {
	Shape []int64
	Data  []float64
}

// maxElements bounds tensors, so that a wrong size is an error and not the end of
// memory.
const maxElements = 1 << 30

// Count returns how many elements a shape has.
func Count(shape []int64) (int64, error) {
	n := uint64(1)
	for _, size := range shape {
		if size < 0 {
			return 0, fmt.Errorf("size %d of shape %v is negative", size, shape)
		}
		over, product := bits.Mul64(n, uint64(size))
		if over != 0 || product > maxElements {
			return 0, fmt.Errorf("shape %v has more than %d elements", shape, maxElements)
		}
		n = product
	}
	return int64(n), nil
}

// New returns a tensor of zeros.
func New(shape []int64) (*Tensor, error) {
	n, err := Count(shape)
	if err != nil {
		return nil, err
	}
	return &Tensor{slices.Clone(shape), make([]float64, n)}, nil
}

// Random returns a tensor of numbers between -span and span that the seed decides,
// rounded to the data type.
func Random(shape []int64, dtype string, seed uint64, span float64) (*Tensor, error) {
	t, err := New(shape)
	if err != nil {
		return nil, err
	}
	round, err := Rounding(dtype)
	if err != nil {
		return nil, err
	}
	r := rand.New(rand.NewPCG(seed, 0))
	for i := range t.Data {
		t.Data[i] = round(span * (2*r.Float64() - 1))
	}
	return t, nil
}

// Part returns the part of t of a shape that begins at an index.
func (t *Tensor) Part(first, shape []int64) (*Tensor, error) {
	p, err := New(shape)
	if err != nil {
		return nil, err
	}
	if err := t.overlay(first, shape, func(whole, part int64, n int64) {
		copy(p.Data[part:part+n], t.Data[whole:whole+n])
	}); err != nil {
		return nil, err
	}
	return p, nil
}

// SetPart writes a part of t that begins at an index.
func (t *Tensor) SetPart(first []int64, p *Tensor) error {
	return t.overlay(first, p.Shape, func(whole, part int64, n int64) {
		copy(t.Data[whole:whole+n], p.Data[part:part+n])
	})
}

// overlay tells the runs of elements that a part of t has: where they begin in t
// and in the part, and how many they are.
func (t *Tensor) overlay(first, shape []int64, run func(whole, part, n int64)) error {
	if len(first) != len(t.Shape) || len(shape) != len(t.Shape) {
		return fmt.Errorf("a part with axes %v from %v on is none of shape %v", shape, first, t.Shape)
	}
	for i, size := range t.Shape {
		if first[i] < 0 || shape[i] < 0 || shape[i] > size || first[i] > size-shape[i] {
			return fmt.Errorf("the part with axes %v from %v on lies outside shape %v", shape, first, t.Shape)
		}
	}
	var walk func(axis int, whole, part int64) int64 // returns where the part goes on
	walk = func(axis int, whole, part int64) int64 {
		switch len(shape) - axis {
		case 0:
			run(whole, part, 1)
			return part + 1
		case 1:
			run(whole+first[axis], part, shape[axis])
			return part + shape[axis]
		}
		stride := int64(1)
		for _, size := range t.Shape[axis+1:] {
			stride *= size
		}
		for i := range shape[axis] {
			part = walk(axis+1, whole+(first[axis]+i)*stride, part)
		}
		return part
	}
	walk(0, 0, 0)
	return nil
}
