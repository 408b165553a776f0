package reference

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/poly"
	"plancheck/internal/tensor"
	"plancheck/ir/model"
)

func value(id, role, dtype string, shape ...poly.Poly) model.Value {
	return model.Value{ID: id, Role: role, Type: model.Type{Shape: shape, DType: dtype}}
}

// two is y = relu(x w) with an open number of rows.
func two(dtype string) *model.Model {
	M := poly.Symbol("M")
	return &model.Model{
		Symbols: []model.Symbol{{ID: "M"}},
		Values: []model.Value{value("x", "input", dtype, M, poly.Int(2)), value("w", "parameter", dtype, poly.Int(2), poly.Int(2)),
			value("h", "activation", dtype, M, poly.Int(2)), value("y", "output", dtype, M, poly.Int(2))},
		Ops: []model.Op{{ID: "mm", Kind: "model.linear", Inputs: []string{"x", "w"}, Outputs: []string{"h"}},
			{ID: "act", Kind: "model.relu", Inputs: []string{"h"}, Outputs: []string{"y"}}},
	}
}

func given() map[string]*tensor.Tensor {
	return map[string]*tensor.Tensor{
		"x": {Shape: []int64{3, 2}, Data: []float64{1, 2, 3, 4, -1, 0.25}},
		"w": {Shape: []int64{2, 2}, Data: []float64{1, -1, 0, 256}},
	}
}

func TestEvaluate(t *testing.T) {
	got, err := Evaluate(two("f32"), given())
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]*tensor.Tensor{
		"x": given()["x"], "w": given()["w"],
		"h": {Shape: []int64{3, 2}, Data: []float64{1, 511, 3, 1021, -1, 65}},
		"y": {Shape: []int64{3, 2}, Data: []float64{1, 511, 3, 1021, 0, 65}},
	}
	if diff := cmp.Diff(want, got.Values); diff != "" {
		t.Error(diff)
	}
	// With 8 bits of precision 511 and 1021 are rounded.
	if got, err = Evaluate(two("bf16"), given()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]float64{1, 512, 3, 1020, 0, 65}, got.Values["y"].Data); diff != "" {
		t.Error(diff)
	}
}

func TestGelu(t *testing.T) { // to the digits that tables have
	for x, want := range map[float64]float64{0: 0, 1: 0.8413447, -1: -0.1586553, 3: 2.9959503} {
		if got := gelu(x); math.Abs(got-want) > 5e-8 {
			t.Errorf("gelu(%v) is %v", x, got)
		}
	}
	for x := -10.0; x < 10; x += 0.001 { // the largest slope is what tolerances rest on
		if slope := (gelu(x+0.001) - gelu(x)) / 0.001; math.Abs(slope) > steepest {
			t.Fatalf("gelu has slope %v at %v", slope, x)
		}
	}
}

func TestEvaluateErrors(t *testing.T) {
	for _, c := range []struct {
		change func(*model.Model, map[string]*tensor.Tensor)
		want   string
	}{
		{func(_ *model.Model, in map[string]*tensor.Tensor) { delete(in, "w") }, "value w: it is not given"},
		{func(_ *model.Model, in map[string]*tensor.Tensor) { in["w"].Shape = []int64{4} }, "value w: it has 2 axes, and shape [4] has 1"},
		{func(_ *model.Model, in map[string]*tensor.Tensor) { in["w"].Shape = []int64{1, 4} }, "value w: its size along axis 0 is 2, here 2, and not 1"},
		{func(m *model.Model, _ map[string]*tensor.Tensor) {
			m.Values[3].Type.Shape[0] = poly.Symbol("N")
		}, "op act: value y: its size along axis 0 is N, which is not known"},
		{func(m *model.Model, _ map[string]*tensor.Tensor) { m.Values[3].Type.Shape[1] = poly.Int(3) }, "op act: value y: its size along axis 1 is 3, here 3, and not 2"},
		{func(m *model.Model, _ map[string]*tensor.Tensor) { m.Ops[1].Kind = "model.softmax" }, "op act: ops of kind model.softmax are not evaluated"},
		{func(m *model.Model, _ map[string]*tensor.Tensor) { m.Ops[0], m.Ops[1] = m.Ops[1], m.Ops[0] }, "op act: value h is not computed before it"},
		{func(m *model.Model, _ map[string]*tensor.Tensor) { m.Values[2].Type.DType = "i8" }, `op mm: type "i8" is not one of`},
		{func(m *model.Model, _ map[string]*tensor.Tensor) { m.Ops[0].Inputs = []string{"x", "x"} }, "op mm: its inputs cannot be multiplied"},
	} {
		m, in := two("f32"), given()
		c.change(m, in)
		_, err := Evaluate(m, in)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("the error is %v, want %q", err, c.want)
		}
	}
}

func TestCompare(t *testing.T) {
	r, err := Evaluate(two("f32"), given())
	if err != nil {
		t.Fatal(err)
	}
	got := &tensor.Tensor{Shape: []int64{3, 2}, Data: []float64{1, 511, 3, 1021, 0, 65}}
	c, err := r.Compare("y", got)
	if err != nil {
		t.Fatal(err)
	}
	if !c.Within() || c.Error != 0 || c.Share != 0 {
		t.Errorf("the same differs: %+v", c)
	}
	// 1021 is 3*-1 + 4*256; without cancelling it would be 1027, and steeper: two
	// roundings of 2^-24 on the way, four for each.
	got.Data[3] = 1021.0003
	if c, err = r.Compare("y", got); err != nil || !c.Within() || c.Worst != 3 {
		t.Errorf("%+v, %v", c, err)
	}
	got.Data[3] = 1021.002
	if c, err = r.Compare("y", got); err != nil || c.Within() || c.Worst != 3 || c.Got != 1021.002 || c.Reference != 1021 {
		t.Errorf("%+v, %v", c, err)
	}
	got.Data[3] = math.NaN()
	if c, err = r.Compare("y", got); err != nil || c.Within() {
		t.Errorf("%+v, %v", c, err)
	}
	r.Values["y"].Data[2] = math.Inf(1)
	if _, err := r.Compare("y", got); err == nil {
		t.Error("something is said of a value that overflows")
	}
	if _, err := r.Compare("z", got); err == nil {
		t.Error("the model has a value z")
	}
	got.Shape = []int64{2, 3}
	if _, err := r.Compare("y", got); err == nil {
		t.Error("shapes [2 3] and [3 2] are the same")
	}
}
