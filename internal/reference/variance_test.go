package reference

import (
	"fmt"
	"math"
	"testing"

	"plancheck/internal/poly"
	"plancheck/internal/tensor"
	"plancheck/ir/model"
)

// byRanks is y = gelu(x up) down as ranks compute it that share the inner axis.
func byRanks(t *testing.T, v map[string]*tensor.Tensor, ranks, left int64, dtype string) *tensor.Tensor {
	round, err := tensor.Rounding(dtype)
	if err != nil {
		t.Fatal(err)
	}
	a := each(each(each(product(v["x"], v["up"]), round), gelu), round)
	return rounded(a, v["down"], ranks, left, round)
}

// rounded is a product as ranks compute it that share the inner axis: each rounds
// its term, but one, which counts for nothing where left is its number.
func rounded(x, w *tensor.Tensor, ranks, left int64, round func(float64) float64) *tensor.Tensor {
	rows, inner, columns := x.Shape[0], x.Shape[1], w.Shape[1]
	y := zeros([]int64{rows, columns})
	for i := range rows {
		for j := range columns {
			sum := 0.0
			for r := range ranks {
				term := 0.0
				for k := r * inner / ranks; k < (r+1)*inner/ranks; k++ {
					term += x.Data[i*inner+k] * w.Data[k*columns+j]
				}
				if r != left {
					sum += round(term)
				}
			}
			y.Data[i*columns+j] = round(sum)
		}
	}
	return y
}

// Inputs that are drawn show a term that was left out, in each data type: what
// rounding may do at worst is more than that in the coarser ones.
func TestCompareDrawn(t *testing.T) {
	const rows, n, inner, columns, ranks = 8, 128, 256, 32, 8
	for _, dtype := range []string{"bf16", "f16", "f32", "f64"} {
		for seed := range uint64(5) {
			size := func(r, c int64) []poly.Poly { return []poly.Poly{poly.Int(r), poly.Int(c)} }
			m := &model.Model{
				Values: []model.Value{value("x", "input", dtype, size(rows, n)...), value("up", "parameter", dtype, size(n, inner)...),
					value("h", "activation", dtype, size(rows, inner)...), value("a", "activation", dtype, size(rows, inner)...),
					value("down", "parameter", dtype, size(inner, columns)...), value("y", "output", dtype, size(rows, columns)...)},
				Ops: []model.Op{{ID: "first", Kind: "model.linear", Inputs: []string{"x", "up"}, Outputs: []string{"h"}},
					{ID: "act", Kind: "model.gelu", Inputs: []string{"h"}, Outputs: []string{"a"}},
					{ID: "second", Kind: "model.linear", Inputs: []string{"a", "down"}, Outputs: []string{"y"}}},
			}
			in := map[string]*tensor.Tensor{}
			for i, shape := range map[string][]int64{"x": {rows, n}, "up": {n, inner}, "down": {inner, columns}} {
				var err error
				if in[i], err = tensor.Random(shape, dtype, seed*31+uint64(len(i)), 1); err != nil {
					t.Fatal(err)
				}
			}
			r, err := Evaluate(m, in)
			if err != nil {
				t.Fatal(err)
			}
			right := byRanks(t, in, ranks, -1, dtype)
			c, err := r.CompareDrawn("y", right, ranks)
			if err != nil || !c.Within() {
				t.Errorf("%s, seed %d: what ranks compute is wrong: %+v, %v", dtype, seed, c, err)
			}
			if c, err = r.Compare("y", right); err != nil || !c.Within() {
				t.Errorf("%s, seed %d: what ranks compute is wrong for any inputs: %+v, %v", dtype, seed, c, err)
			}
			for left := range int64(ranks) {
				c, err := r.CompareDrawn("y", byRanks(t, in, ranks, left, dtype), ranks)
				if err != nil || c.Share < 2 {
					t.Errorf("%s, seed %d: without the term of rank %d: %+v, %v", dtype, seed, left, c, err)
				}
			}
		}
	}
}

// A wrong op of one layer still shows behind ten others.
func TestCompareDrawnDeep(t *testing.T) {
	const rows, n, layers, ranks = 4, 128, 10, 4
	m := &model.Model{Values: []model.Value{value("h0", "input", "bf16", poly.Int(rows), poly.Int(n))}}
	in := map[string]*tensor.Tensor{}
	draw := func(id string, shape []int64, seed uint64, span float64) {
		var err error
		if in[id], err = tensor.Random(shape, "bf16", seed, span); err != nil {
			t.Fatal(err)
		}
	}
	draw("h0", []int64{rows, n}, 7, 1)
	for k := range layers {
		x, w, l, h := fmt.Sprint("h", k), fmt.Sprint("w", k), fmt.Sprint("l", k), fmt.Sprint("h", k+1)
		m.Values = append(m.Values, value(w, "parameter", "bf16", poly.Int(n), poly.Int(n)),
			value(l, "activation", "bf16", poly.Int(rows), poly.Int(n)), value(h, "activation", "bf16", poly.Int(rows), poly.Int(n)))
		m.Ops = append(m.Ops, model.Op{ID: "mm" + l, Kind: "model.linear", Inputs: []string{x, w}, Outputs: []string{l}},
			model.Op{ID: "act" + h, Kind: "model.gelu", Inputs: []string{l}, Outputs: []string{h}})
		draw(w, []int64{n, n}, uint64(k), math.Sqrt(6./n))
	}
	r, err := Evaluate(m, in)
	if err != nil {
		t.Fatal(err)
	}
	round, err := tensor.Rounding("bf16")
	if err != nil {
		t.Fatal(err)
	}
	run := func(wrong int) *tensor.Tensor {
		h := in["h0"]
		for k := range layers {
			f := gelu
			if k == wrong {
				f = relu
			}
			h = each(each(rounded(h, in[fmt.Sprint("w", k)], ranks, -1, round), f), round)
		}
		return h
	}
	last := fmt.Sprint("h", layers)
	if c, err := r.CompareDrawn(last, run(-1), ranks); err != nil || !c.Within() {
		t.Errorf("what ranks compute is wrong: %+v, %v", c, err)
	}
	for wrong := range layers {
		if c, err := r.CompareDrawn(last, run(wrong), ranks); err != nil || c.Within() {
			t.Errorf("a wrong op in layer %d is right: %+v, %v", wrong, c, err)
		}
	}
}
