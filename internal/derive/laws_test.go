package derive

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"plancheck/facts"
	"plancheck/internal/poly"
	"plancheck/ir/level"
	"plancheck/ir/model"
	"plancheck/ir/task"
	"plancheck/rules"
)

// drawChain draws a chain of linear and elementwise ops on [M, n] in sizes that
// the degree mostly divides.
func drawChain(t *rapid.T, degree int64) *model.Model {
	m := &model.Model{Header: level.Header{Schema: model.Schema, Name: "chain"}, Symbols: []model.Symbol{{ID: "M"}}}
	size := func(label string) int64 {
		n := rapid.Int64Range(1, 6).Draw(t, label)
		if rapid.IntRange(0, 9).Draw(t, "odd") > 0 {
			n *= degree
		}
		return n
	}
	rows := poly.Symbol("M")
	if rapid.Bool().Draw(t, "more rows") {
		rows, _ = rows.Add(poly.Int(rapid.Int64Range(1, 5).Draw(t, "rows")))
	}
	dtype := rapid.SampledFrom([]string{"bf16", "f16", "f32", "f64", "i8", "i32", "i64"}).Draw(t, "dtype")
	value := func(role string, shape ...poly.Poly) string {
		id := fmt.Sprintf("v%d", len(m.Values))
		m.Values = append(m.Values, model.Value{ID: id, Role: role, Type: model.Type{Shape: shape, DType: dtype}})
		return id
	}
	n := size("width")
	x := value("input", rows, poly.Int(n))
	m.Inputs = []string{x}
	for i := range rapid.IntRange(1, 5).Draw(t, "ops") {
		op := model.Op{ID: fmt.Sprintf("op%d", i), Kind: rapid.SampledFrom([]string{model.Linear, model.Linear, model.ReLU, model.GELU}).Draw(t, "kind"), Inputs: []string{x}}
		if op.Kind == model.Linear {
			k := size("next width")
			op.Inputs = append(op.Inputs, value("parameter", poly.Int(n), poly.Int(k)))
			n = k
		}
		x = value("activation", rows, poly.Int(n))
		op.Outputs = []string{x}
		m.Ops = append(m.Ops, op)
	}
	m.Outputs = []string{x}
	return m
}

// drawStrategy draws which of the linear ops are cut how.
func drawStrategy(t *rapid.T, m *model.Model, degree int64) task.Strategy {
	s := task.Strategy{TensorParallel: degree}
	for _, op := range m.Ops {
		if cut := rapid.SampledFrom([]string{"", "", "", task.Row, task.Column}).Draw(t, "cut"); cut != "" && op.Kind == model.Linear {
			s.Linear = append(s.Linear, task.OpCut{Op: op.ID, Cut: cut})
		}
	}
	return s
}

// Whatever is distributed conserves the model: shards tile, the ranks' operations
// are those of the model, each sum is reduced once and with all its bytes; the
// rules say the same.
func TestConservation(t *testing.T) {
	set, err := rulesOf(task.Schema)
	if err != nil {
		t.Fatal(err)
	}
	made, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		degree := rapid.SampledFrom([]int64{1, 2, 3, 4, 8}).Draw(t, "degree")
		m := drawChain(t, degree)
		d, err := distribute(m, drawStrategy(t, m, degree))
		var no *Refused
		if errors.As(err, &no) && (no.Code == "tp-not-divisible" || no.Code == "reshard-unsupported") {
			refused++
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		made++
		if err := conserved(m, d); err != nil {
			t.Fatal(err)
		}
		verdict, err := set.JudgeDocument(context.Background(), facts.OfLevel(d, nil), rules.Options{Parent: facts.OfLevel(m, nil)})
		if err != nil || len(verdict.Findings) > 0 {
			t.Fatalf("%v %+v", err, verdict)
		}
	})
	if made == 0 || refused == 0 {
		t.Errorf("%d distributions and %d refusals", made, refused)
	}
}

// conserved states the laws by plain loops over ranks.
func conserved(m *model.Model, d *task.Distributed) error {
	times := func(p poly.Poly, n int) poly.Poly {
		q, err := p.Mul(poly.Int(int64(n)))
		if err != nil {
			panic(err)
		}
		return q
	}
	for _, v := range d.Values {
		for axis, whole := range v.Shape {
			parts := 1
			for _, c := range v.Sharding {
				if c.Dimension == int64(axis) {
					parts = len(v.Owners)
				}
			}
			if !times(v.Local[axis], parts).Equal(whole) {
				return fmt.Errorf("%d shards of %s do not tile axis %d of %s", parts, v.Local, axis, v.Source)
			}
		}
	}
	reduced := map[string]int{}
	for _, t := range d.Tasks {
		x, _ := d.Value(t.Inputs[0])
		if t.Body == level.Collective {
			reduced[x.ID]++
			each, _ := level.Bytes(x.DType)
			if bytes := times(x.Shape[0], int(each)); t.Reduction != task.Sum || len(x.Partial) != 1 || !mul(bytes, x.Shape[1]).Equal(t.MessageBytes) {
				return fmt.Errorf("%s gives %s bytes by %s", t.ID, t.MessageBytes, t.Reduction)
			}
			continue
		}
		var together poly.Poly // each rank's, where ranks do different work; once where they do the same
		ranks := t.Ranks[:1]
		for _, id := range t.Inputs {
			if v, _ := d.Value(id); v.Sharding != nil {
				ranks = t.Ranks
			}
		}
		for range ranks {
			together, _ = together.Add(t.Operations)
		}
		for _, op := range m.Ops {
			if op.ID != t.Lineage.Sources[0] {
				continue
			}
			var shapes [][]poly.Poly
			for _, id := range op.Inputs {
				v, _ := m.Value(id)
				shapes = append(shapes, v.Type.Shape)
			}
			factors, _ := model.Work(op.Kind, shapes)
			if whole := mul(factors...); !whole.Equal(together) {
				return fmt.Errorf("%s: %s operations, of %s", op.ID, together, whole)
			}
		}
	}
	for _, v := range d.Values {
		if want := len(v.Partial); reduced[v.ID] != want {
			return fmt.Errorf("%s is reduced %d times, want %d", v.ID, reduced[v.ID], want)
		}
	}
	return nil
}

func mul(factors ...poly.Poly) poly.Poly {
	p, err := poly.Int(1).Mul(factors...)
	if err != nil {
		panic(err)
	}
	return p
}
