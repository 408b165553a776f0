package example

import (
	"bytes"
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/facts"
	"plancheck/ir/levels"
	modelir "plancheck/ir/model"
	"plancheck/rules"
)

// Built-in models are legal, and the same each time.
func TestModels(t *testing.T) {
	set, diags := rules.LoadFor(modelir.Schema, nil)
	if set == nil {
		t.Fatal(diags)
	}
	want := map[string][]string{
		"row-parallel": {"x[M 49152]", "w[49152 12288]", "y[M 12288]", "down=model.linear"},
		"mlp": {"x[M 12288]", "w_up[12288 49152]", "h[M 49152]", "a[M 49152]", "w_down[49152 12288]", "y[M 12288]",
			"up=model.linear", "act=model.gelu", "down=model.linear"},
	}
	for _, x := range Models() {
		m, err := BuildModel(x.Name, DefaultModelSize())
		if err != nil {
			t.Fatal(err)
		}
		again, _ := BuildModel(x.Name, DefaultModelSize())
		if !bytes.Equal(levels.Encode(m), levels.Encode(again)) {
			t.Errorf("%s differs from one run to the next", x.Name)
		}
		var got []string
		for _, v := range m.Values {
			var shape []string
			for _, s := range v.Type.Shape {
				shape = append(shape, s.String())
			}
			got = append(got, v.Name+"["+strings.Join(shape, " ")+"]")
		}
		for _, op := range m.Ops {
			got = append(got, op.Name+"="+op.Kind)
		}
		if diff := cmp.Diff(want[x.Name], got); diff != "" || x.Doc == "" {
			t.Errorf("%s (-want +got):\n%s", x.Name, diff)
		}
		v, err := set.JudgeDocument(context.Background(), facts.OfLevel(m, nil), rules.Options{})
		if err != nil || len(v.Findings) > 0 {
			t.Errorf("%s: %v %+v", x.Name, err, v)
		}
	}
}

func TestBuildModelRefuses(t *testing.T) {
	for _, c := range []struct {
		name string
		size ModelSize
		want string
	}{
		{"moe", DefaultModelSize(), `no built-in model "moe"; there are row-parallel and mlp`},
		{"mlp", ModelSize{Hidden: 4, DType: "f32"}, "a model has sizes of 1 or more, not hidden 4 and ffn 0"},
		{"mlp", ModelSize{Hidden: 4, FFN: 4, DType: "f8"}, `no data type "f8"`},
	} {
		if m, err := BuildModel(c.name, c.size); m != nil || err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}
