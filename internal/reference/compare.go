package reference

import (
	"fmt"
	"math"
	"slices"

	"plancheck/internal/tensor"
)

// Comparison is how far a value is from the reference.
type Comparison struct {
	// Error is the largest difference of two elements, and Share the largest one as
	// a part of what is tolerated there: the value is right up to 1.
	Error, Share float64
	// Worst is the element that has Share: its place in row-major order, what it
	// is, and what the reference and the tolerance are.
	Worst                     int
	Got, Reference, Tolerance float64
}

// Within says whether all elements are as near as rounding explains.
func (c Comparison) Within() bool { return c.Share <= 1 }

// Compare compares a value that a program computed with the reference, for any
// inputs.
//
// An element may differ by (4 s u + 2 n d) a, where s counts the ops on the way
// to the value, u is the unit of rounding of the coarsest data type on it, n the
// terms of all sums, d the unit of rounding of 64 bits, in which sums are made,
// and a the element with all its terms taken positive. For each op the reference
// rounds once, and a program twice: terms of a sum that are reduced over ranks,
// and the sum; 4 instead of 3 leaves room for products of errors.
func (r *Result) Compare(id string, got *tensor.Tensor) (Comparison, error) {
	return r.compare(id, got, func(i int) float64 {
		return (4*float64(r.steps[id])*r.unit[id] + 2*float64(r.terms[id])*0x1p-53) * r.scale[id].Data[i]
	})
}

// CompareDrawn is Compare for inputs that were drawn at random, and for a program
// that cuts sums over at most so many ranks. Then roundings do not all go one way,
// and far smaller mistakes are found: an element may differ by eight standard
// deviations of the sum of all roundings, which of a thousand million elements
// none does by chance.
func (r *Result) CompareDrawn(id string, got *tensor.Tensor, ranks int64) (Comparison, error) {
	return r.compare(id, got, func(i int) float64 {
		return 8 * math.Sqrt(r.own[id].Data[i]+float64(ranks)*r.split[id].Data[i])
	})
}

func (r *Result) compare(id string, got *tensor.Tensor, tolerated func(i int) float64) (Comparison, error) {
	want := r.Values[id]
	if want == nil {
		return Comparison{}, fmt.Errorf("the model has no value %s", id)
	}
	if !slices.Equal(want.Shape, got.Shape) {
		return Comparison{}, fmt.Errorf("value %s has shape %v, and the reference %v", id, got.Shape, want.Shape)
	}
	for i, w := range want.Data {
		if far := w + tolerated(i); math.IsNaN(far) || math.IsInf(far, 0) {
			return Comparison{}, fmt.Errorf("element %d of value %s is beyond what its data type can hold: nothing can be said", i, id)
		}
	}
	c := Comparison{Worst: -1}
	for i, g := range got.Data {
		w := want.Data[i]
		off := math.Abs(g - w)
		tolerance := tolerated(i)
		share := 0.0
		if off > 0 {
			share = off / tolerance
		}
		if math.IsNaN(off) || math.IsNaN(share) {
			off, share = math.Inf(1), math.Inf(1)
		}
		c.Error = max(c.Error, off)
		if c.Worst < 0 || share > c.Share {
			c.Worst, c.Share, c.Got, c.Reference, c.Tolerance = i, share, g, w, tolerance
		}
	}
	return c, nil
}
