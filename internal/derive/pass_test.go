package derive

import (
	"bytes"
	"context"
	"errors"
	"testing"

	"plancheck/facts"
	"plancheck/internal/example"
	"plancheck/ir/level"
	"plancheck/ir/model"
	"plancheck/ir/task"
)

// What a pass makes is judged like a stranger's, and nothing wrong is given out.
func TestFaultyPasses(t *testing.T) {
	m := built(t, "mlp", example.ModelSize{Hidden: 8, FFN: 16, DType: "f32"})
	made := func() *task.Distributed { return distributed(t, m, task.Strategy{TensorParallel: 2}) }
	turn := 0
	for _, c := range []struct {
		name string
		make func(parent *facts.Document) *task.Distributed
		want string
	}{
		{"it breaks a rule", func(*facts.Document) *task.Distributed {
			d := made()
			d.Digest, d.Tasks[0].Ranks = "", []int64{0}
			return d
		}, "ownership-invalid"},
		{"it breaks a rule of the transition", func(*facts.Document) *task.Distributed {
			d := made()
			d.Digest, d.Tasks[0].Lineage = "", nil
			return d
		}, "lineage-missing"},
		{"it is malformed", func(*facts.Document) *task.Distributed {
			d := made()
			d.Tasks[0].Inputs[0] = "nothing"
			return d
		}, "pass-output-malformed"},
		{"it changes its input", func(parent *facts.Document) *task.Distributed {
			parent.Body().(*model.Model).Outputs = nil
			return made()
		}, "pass-mutated-input"},
		{"it is never the same", func(*facts.Document) *task.Distributed {
			d := made()
			turn++
			d.Strategy.TensorParallel += int64(turn)
			return d
		}, "pass-nondeterministic"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := Pass{Name: "faulty", From: model.Schema, To: task.Schema, Make: func(_ context.Context, parent *facts.Document) (*facts.Document, error) {
				return facts.OfLevel(c.make(parent), nil), nil
			}}
			d, err := p.Apply(context.Background(), read(t, m))
			var fault *Fault
			if d != nil || !errors.As(err, &fault) || fault.Code != c.want {
				t.Errorf("%v, want code %s", err, c.want)
			}
		})
	}
	other := Pass{Name: "other", From: model.Schema, To: task.Schema, Make: func(_ context.Context, parent *facts.Document) (*facts.Document, error) { return parent, nil }}
	if _, err := other.Apply(context.Background(), read(t, m)); err == nil || err.Error() != "other: it made a document of schema plancheck.model/1 [schema-name-mismatch]: this is a fault of plancheck, report it with the document" {
		t.Errorf("%v", err)
	}
	var refused *Refused
	if _, err := Distribute(task.Strategy{TensorParallel: 2}).Apply(context.Background(), read(t, made())); !errors.As(err, &refused) || refused.Code != "schema-name-mismatch" {
		t.Errorf("%v", err)
	}
}

// The same model gives the same bytes, read from a file or not; names are for
// people only.
func TestSameBytes(t *testing.T) {
	m := built(t, "mlp", example.ModelSize{Hidden: 8, FFN: 16, DType: "f32"})
	s := task.Strategy{TensorParallel: 2}
	apply := func(m *model.Model) []byte {
		d, err := Distribute(s).Apply(context.Background(), facts.OfLevel(m, nil))
		if err != nil {
			t.Fatal(err)
		}
		return facts.Encode(d)
	}
	if a, b := apply(m), facts.Encode(facts.OfLevel(distributed(t, m, s), nil)); !bytes.Equal(a, b) {
		t.Errorf("%s\nand\n%s", a, b)
	}
	ids := func(m *model.Model) (all []string) {
		d := distributed(t, m, s)
		for _, v := range d.Values {
			all = append(all, v.ID)
		}
		for _, t := range d.Tasks {
			all = append(all, t.ID)
		}
		return all
	}
	renamed := built(t, "mlp", example.ModelSize{Hidden: 8, FFN: 16, DType: "f32"})
	renamed.Name = "another"
	for i := range renamed.Values {
		renamed.Values[i].Name = "v" + level.ID("x", renamed.Values[i].ID)
	}
	for i := range renamed.Ops {
		renamed.Ops[i].Name = ""
	}
	before, after := ids(m), ids(renamed)
	for i := range before {
		if before[i] != after[i] {
			t.Errorf("id %s became %s by renaming", before[i], after[i])
		}
	}
}
