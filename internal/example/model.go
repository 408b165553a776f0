package example

import (
	"fmt"
	"slices"
	"strings"

	"plancheck/internal/poly"
	"plancheck/ir/level"
	modelir "plancheck/ir/model"
)

// ModelSize are the sizes of a model of the feed-forward part of a Transformer.
type ModelSize struct {
	Hidden int64  // the width of the layers around it
	FFN    int64  // its own width
	DType  string // of all values
}

// DefaultModelSize is that of GPT-3: hidden 12288, four times that inside (Brown
// and others, 2020, table 2.1), in bf16.
func DefaultModelSize() ModelSize { return ModelSize{Hidden: 12288, FFN: 49152, DType: "bf16"} }

// Model is a built-in model.
type Model struct {
	Name, Doc string
	build     func(*modelBuilder, ModelSize)
}

// Models lists the built-in models. The rows of their inputs are the symbol M.
func Models() []Model {
	return []Model{
		{"row-parallel", "A linear layer, y[M,hidden] = x[M,ffn] x w[ffn,hidden]: the second one of a feed-forward part, whose rows ranks share.", rowParallel},
		{"mlp", "The feed-forward part of a Transformer: a linear layer to ffn, GELU, and a linear layer back to hidden.", mlp},
	}
}

// BuildModel builds a built-in model. The same arguments give the same document.
func BuildModel(name string, size ModelSize) (*modelir.Model, error) {
	all := Models()
	i := slices.IndexFunc(all, func(m Model) bool { return m.Name == name })
	if i < 0 {
		var names []string
		for _, m := range all {
			names = append(names, m.Name)
		}
		return nil, fmt.Errorf("no built-in model %q; there are %s", name, strings.Join(names, " and "))
	}
	if size.Hidden < 1 || size.FFN < 1 {
		return nil, fmt.Errorf("a model has sizes of 1 or more, not hidden %d and ffn %d", size.Hidden, size.FFN)
	}
	if _, known := level.Bytes(size.DType); !known {
		return nil, fmt.Errorf("no data type %q", size.DType)
	}
	b := &modelBuilder{dtype: size.DType, about: name, out: &modelir.Model{
		Header: level.Header{Schema: modelir.Schema, Name: name}, Symbols: []modelir.Symbol{{ID: "M", Axis: "batch"}}, Values: []modelir.Value{}, Ops: []modelir.Op{},
	}}
	all[i].build(b, size)
	return b.out, nil
}

func rowParallel(b *modelBuilder, s ModelSize) {
	rows := poly.Symbol("M")
	x := b.input("input", "x", rows, poly.Int(s.FFN))
	w := b.value("weight", "w", "parameter", poly.Int(s.FFN), poly.Int(s.Hidden))
	y := b.value("result", "y", "output", rows, poly.Int(s.Hidden))
	b.op("down", modelir.Linear, y, x, w)
	b.out.Outputs = []string{y}
}

func mlp(b *modelBuilder, s ModelSize) {
	rows := poly.Symbol("M")
	x := b.input("input", "x", rows, poly.Int(s.Hidden))
	up := b.value("first weight", "w_up", "parameter", poly.Int(s.Hidden), poly.Int(s.FFN))
	h := b.value("first result", "h", "activation", rows, poly.Int(s.FFN))
	b.op("up", modelir.Linear, h, x, up)
	a := b.value("activation", "a", "activation", rows, poly.Int(s.FFN))
	b.op("act", modelir.GELU, a, h)
	down := b.value("second weight", "w_down", "parameter", poly.Int(s.FFN), poly.Int(s.Hidden))
	y := b.value("result", "y", "output", rows, poly.Int(s.Hidden))
	b.op("down", modelir.Linear, y, a, down)
	b.out.Outputs = []string{y}
}

// modelBuilder writes a model down.
type modelBuilder struct {
	out   *modelir.Model
	dtype string
	about string
}

// value adds a value. Its id is made from what it is in the model, so that its
// name can be another one.
func (b *modelBuilder) value(is, name, role string, shape ...poly.Poly) string {
	id := level.ID("value", b.about, is)
	b.out.Values = append(b.out.Values, modelir.Value{ID: id, Name: name, Type: modelir.Type{Shape: shape, DType: b.dtype}, Role: role})
	return id
}

func (b *modelBuilder) input(is, name string, shape ...poly.Poly) string {
	id := b.value(is, name, "input", shape...)
	b.out.Inputs = append(b.out.Inputs, id)
	return id
}

func (b *modelBuilder) op(name, kind, result string, operands ...string) {
	id := level.ID("op", append([]string{kind, result}, operands...)...)
	b.out.Ops = append(b.out.Ops, modelir.Op{ID: id, Name: name, Kind: kind, Inputs: operands, Outputs: []string{result}})
}
