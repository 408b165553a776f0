package reference

import (
	"math"

	"plancheck/internal/tensor"
	"plancheck/ir/model"
)

// variances are those of the errors of an op's result y, as Result has them, from
// those of its inputs. A rounding to a data type of unit u changes x by anything
// up to u x either way: its variance is at most (u x)^2 / 3. A sum of n terms in 64
// bits, in whatever order it is made, is off by at most n units of the terms taken
// positive.
func (e *evaluation) variances(op *model.Op, y *tensor.Tensor, unit float64) (own, split *tensor.Tensor) {
	of := unit * unit / 3
	own, split = zeros(y.Shape), zeros(y.Shape)
	if op.Kind != "model.linear" {
		x := op.Inputs[0]
		for i, v := range y.Data {
			slope := 1.0 // of relu
			if op.Kind == "model.gelu" {
				slope = steepestNear(e.Values[x].Data[i], 3*math.Sqrt(e.own[x].Data[i]+e.split[x].Data[i]))
			}
			own.Data[i] = slope*slope*e.own[x].Data[i] + of*v*v
			split.Data[i] = slope * slope * e.split[x].Data[i]
		}
		return own, split
	}
	x, w := op.Inputs[0], op.Inputs[1]
	square := func(t *tensor.Tensor) *tensor.Tensor { return each(t, func(v float64) float64 { return v * v }) }
	xs, ws := square(e.Values[x]), square(e.Values[w])
	for _, part := range []struct {
		to *tensor.Tensor
		of map[string]*tensor.Tensor
	}{{own, e.own}, {split, e.split}} {
		from, and := product(part.of[x], ws), product(xs, part.of[w])
		for i := range part.to.Data {
			part.to.Data[i] = from.Data[i] + and.Data[i]
		}
	}
	widest, positive := widestPart(e.Values[x], e.Values[w]), product(each(e.Values[x], math.Abs), each(e.Values[w], math.Abs))
	terms := float64(e.Values[x].Shape[1])
	for i, v := range y.Data {
		sum := terms * 0x1p-53 * positive.Data[i]
		own.Data[i] += of*v*v + sum*sum
		split.Data[i] += of * widest.Data[i] * widest.Data[i]
	}
	return own, split
}

// steepestNear is the largest slope of gelu at the ends and in the middle of what
// is up to off away from x: it is steepest on one of the sides of a stretch as
// short as rounding makes it.
func steepestNear(x, off float64) float64 {
	slope := func(x float64) float64 {
		return math.Abs(0.5*(1+math.Erf(x/math.Sqrt2)) + x*math.Exp(-x*x/2)/math.Sqrt(2*math.Pi))
	}
	return max(slope(x-off), slope(x), slope(x+off))
}

// widestPart is, for each element of a product, the largest sum of terms that
// follow each other: no part of it that a rank computes is larger.
func widestPart(x, w *tensor.Tensor) *tensor.Tensor {
	rows, inner, columns := x.Shape[0], x.Shape[1], w.Shape[1]
	out := zeros([]int64{rows, columns})
	for i := range rows {
		for j := range columns {
			sum, low, high := 0.0, 0.0, 0.0
			for k := range inner {
				sum += x.Data[i*inner+k] * w.Data[k*columns+j]
				low, high = min(low, sum), max(high, sum)
			}
			out.Data[i*columns+j] = high - low
		}
	}
	return out
}

func zeros(shape []int64) *tensor.Tensor {
	n := int64(1)
	for _, size := range shape {
		n *= size
	}
	return &tensor.Tensor{Shape: shape, Data: make([]float64, n)}
}
