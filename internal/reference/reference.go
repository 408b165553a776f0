// Package reference evaluates a document of ModelIR by the meaning of its ops and
// nothing else: plain loops, one op after the other, each result rounded to its
// data type. What a derived program computes is compared with it.
package reference

import (
	"fmt"
	"math"
	"slices"

	"plancheck/internal/tensor"
	"plancheck/ir/model"
)

// Result is the values of a model for some inputs.
type Result struct {
	Values map[string]*tensor.Tensor
	// scale has, for each element of a value, what it would be if no two terms of
	// any sum cancelled each other: rounding errors are in proportion to it.
	scale map[string]*tensor.Tensor
	// unit is the unit of rounding of the coarsest data type on the way to a value,
	// steps how many results are rounded on it, and terms how many numbers are
	// added up.
	unit         map[string]float64
	steps, terms map[string]int64
	// own and split have, for each element of a value, the variance of its error
	// where roundings are independent of each other: own that of roundings which
	// the reference does too, split, for each rank, that of terms of a sum which
	// ranks round before it is reduced.
	own, split map[string]*tensor.Tensor
}

// evaluation is a run of Evaluate.
type evaluation struct {
	*Result
	model   *model.Model
	values  map[string]*model.Value
	symbols map[string]int64
}

// Evaluate computes all values of a model from those that no op computes. Symbols
// get their values from the shapes of these. Errors say which value or op cannot
// be evaluated, and why.
func Evaluate(m *model.Model, inputs map[string]*tensor.Tensor) (*Result, error) {
	e := &evaluation{
		Result: &Result{
			Values: map[string]*tensor.Tensor{}, scale: map[string]*tensor.Tensor{}, unit: map[string]float64{},
			steps: map[string]int64{}, terms: map[string]int64{}, own: map[string]*tensor.Tensor{}, split: map[string]*tensor.Tensor{},
		},
		model: m, values: map[string]*model.Value{}, symbols: map[string]int64{},
	}
	computed := map[string]bool{}
	for _, op := range m.Ops {
		for _, v := range op.Outputs {
			computed[v] = true
		}
	}
	for i := range m.Values {
		v := &m.Values[i]
		e.values[v.ID] = v
		if computed[v.ID] {
			continue
		}
		if err := e.give(v, inputs[v.ID]); err != nil {
			return nil, fmt.Errorf("value %s: %w", v.ID, err)
		}
	}
	for i := range m.Ops {
		if err := e.op(&m.Ops[i]); err != nil {
			return nil, fmt.Errorf("op %s: %w", m.Ops[i].ID, err)
		}
	}
	return e.Result, nil
}

// give takes a value that no op computes.
func (e *evaluation) give(v *model.Value, t *tensor.Tensor) error {
	if t == nil {
		return fmt.Errorf("it is not given")
	}
	for i, size := range v.Type.Shape[:min(len(v.Type.Shape), len(t.Shape))] { // what is one symbol is known from now on
		if s := size.Symbols(); len(s) == 1 && size.String() == s[0] {
			if _, known := e.symbols[s[0]]; !known {
				e.symbols[s[0]] = t.Shape[i]
			}
		}
	}
	if err := e.shaped(v, t.Shape); err != nil {
		return err
	}
	round, err := tensor.Rounding(v.Type.DType)
	if err != nil {
		return err
	}
	rounded, scale := &tensor.Tensor{Shape: t.Shape}, &tensor.Tensor{Shape: t.Shape}
	for _, x := range t.Data {
		x = round(x)
		rounded.Data, scale.Data = append(rounded.Data, x), append(scale.Data, math.Abs(x))
	}
	e.Values[v.ID], e.scale[v.ID] = rounded, scale
	e.own[v.ID], e.split[v.ID] = zeros(t.Shape), zeros(t.Shape)
	return nil
}

// shaped compares a shape with the one that a value is of.
func (e *evaluation) shaped(v *model.Value, shape []int64) error {
	if len(shape) != len(v.Type.Shape) {
		return fmt.Errorf("it has %d axes, and shape %v has %d", len(v.Type.Shape), shape, len(shape))
	}
	for i, size := range v.Type.Shape {
		bound, err := size.Bind(e.symbols)
		if err != nil {
			return err
		}
		n, known := bound.Int()
		if !known {
			return fmt.Errorf("its size along axis %d is %s, which is not known", i, bound)
		}
		if n != shape[i] {
			return fmt.Errorf("its size along axis %d is %s, here %d, and not %d", i, size, n, shape[i])
		}
	}
	return nil
}

func (e *evaluation) op(op *model.Op) error {
	if len(op.Outputs) != 1 {
		return fmt.Errorf("it computes %d values, not one", len(op.Outputs))
	}
	out := e.values[op.Outputs[0]]
	round, err := tensor.Rounding(out.Type.DType)
	if err != nil {
		return err
	}
	var args, scales []*tensor.Tensor
	var unit float64
	steps, terms := int64(1), int64(1)
	for _, id := range op.Inputs {
		if e.Values[id] == nil {
			return fmt.Errorf("value %s is not computed before it", id)
		}
		args, scales = append(args, e.Values[id]), append(scales, e.scale[id])
		unit, steps, terms = max(unit, e.unit[id]), steps+e.steps[id], terms+e.terms[id]
	}
	var y, scale *tensor.Tensor
	switch op.Kind {
	case "model.linear":
		if len(args) != 2 || len(args[0].Shape) != 2 || len(args[1].Shape) != 2 || args[0].Shape[1] != args[1].Shape[0] {
			return fmt.Errorf("its inputs cannot be multiplied")
		}
		terms += args[0].Shape[1]
		y, scale = product(args[0], args[1]), product(scales[0], scales[1])
	case "model.relu", "model.gelu":
		if len(args) != 1 {
			return fmt.Errorf("it reads %d values, not one", len(args))
		}
		f := relu
		if op.Kind == "model.gelu" {
			f = gelu
		}
		y, scale = each(args[0], f), each(scales[0], func(x float64) float64 { return steepest * x })
	default:
		return fmt.Errorf("ops of kind %s are not evaluated", op.Kind)
	}
	if err := e.shaped(out, y.Shape); err != nil {
		return fmt.Errorf("value %s: %w", out.ID, err)
	}
	own, err := tensor.Unit(out.Type.DType)
	if err != nil {
		return err
	}
	e.Values[out.ID], e.scale[out.ID] = each(y, round), scale
	e.own[out.ID], e.split[out.ID] = e.variances(op, y, own)
	e.unit[out.ID], e.steps[out.ID], e.terms[out.ID] = max(unit, own), steps, terms
	return nil
}

// steepest is more than the largest slope of relu and gelu, by which what they
// are applied to grows or shrinks an error.
const steepest = 1.13

func relu(x float64) float64 {
	if x < 0 {
		return 0
	}
	return x
}

func gelu(x float64) float64 { return 0.5 * x * (1 + math.Erf(x*math.Sqrt2/2)) }

func each(t *tensor.Tensor, f func(float64) float64) *tensor.Tensor {
	out := &tensor.Tensor{Shape: slices.Clone(t.Shape), Data: make([]float64, len(t.Data))}
	for i, x := range t.Data {
		out.Data[i] = f(x)
	}
	return out
}

// product is that of x[M,N] and w[N,K]: y[M,K].
func product(x, w *tensor.Tensor) *tensor.Tensor {
	rows, inner, columns := x.Shape[0], x.Shape[1], w.Shape[1]
	y := &tensor.Tensor{Shape: []int64{rows, columns}, Data: make([]float64, rows*columns)}
	for i := range rows {
		for j := range columns {
			sum := 0.0
			for k := range inner {
				sum += x.Data[i*inner+k] * w.Data[k*columns+j]
			}
			y.Data[i*columns+j] = sum
		}
	}
	return y
}
