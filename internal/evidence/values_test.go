package evidence

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/costs"
	"plancheck/internal/poly"
	"plancheck/ir/evidence"
	"plancheck/ir/level"
	"plancheck/ir/portable"
)

// rowParallel is one rank's part of Y = X W, of P ranks: the product, and the
// reduction of its partial sums.
func rowParallel(m, n, k, ranks int64, dtype string) *portable.Plan {
	e, _ := level.Bytes(dtype)
	local := n / ranks
	buffer := func(id, role, storage string, shape ...int64) portable.Buffer {
		b := portable.Buffer{ID: id, DType: dtype, Role: role, Storage: storage, Align: 16}
		size := e
		for _, s := range shape {
			b.Shape = append(b.Shape, poly.Int(s))
			size *= s
		}
		b.Size = poly.Int(size)
		return b
	}
	var all []int64
	for r := range ranks {
		all = append(all, r)
	}
	return &portable.Plan{
		Header: level.Header{Schema: portable.Schema},
		Buffers: []portable.Buffer{
			buffer("x", "input", "transient", m, local), buffer("w", "constant", "persistent", local, k),
			buffer("p", "value", "transient", m, k), buffer("y", "output", "communication", m, k),
		},
		Tasks: []portable.Task{
			{ID: "mm", Body: "compute", Op: "linear", Ranks: []int64{0}, Inputs: []string{"x", "w"}, Outputs: []string{"p"},
				Work: portable.Work{Operations: poly.Int(2 * m * local * k), Read: poly.Int((m*local + local*k) * e), Write: poly.Int(m * k * e)}},
			{ID: "ar", Body: "collective", Op: "all-reduce", Ranks: all, After: []string{"mm"}, Inputs: []string{"p"}, Outputs: []string{"y"},
				Reduce: "sum", Work: portable.Work{Message: poly.Int(m * k * e)}},
		},
		Objectives: []portable.Objective{{Kind: "latency", Weight: 1}},
	}
}

func bindOn(t *testing.T, p *portable.Plan, target *evidence.Target, d *evidence.Deployment, e *evidence.Evidence) *evidence.Binding {
	t.Helper()
	b, err := Bind(Input{p, target, d, e, DefaultPolicy("measurements")})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The public case of a row-parallel linear on eight A100s.
func TestRowParallelOnA100(t *testing.T) {
	d := A100Deployment()
	b := bindOn(t, rowParallel(2048, 49152, 12288, 8, "bf16"), A100(), d, NoRecords(d))
	mm, ar := b.Tasks[0], b.Tasks[1]
	if diff := cmp.Diff(evidence.Query{
		Capabilities: []string{"linear"}, DType: "bf16", Dims: []int64{2048, 6144, 12288}, Participants: 1,
		Operations: 309237645312, Read: 25165824 + 150994944, Write: 50331648,
	}, mm.Query); diff != "" {
		t.Error(diff)
	}
	if ar.Query.Message != 50331648 || ar.Query.Participants != 8 {
		t.Errorf("the all-reduce is %+v", ar.Query)
	}
	// 1.0433118937651822 + 0.12288 = 1.166191893765182 ms, and 0.46169427692307693 ms.
	want := []*evidence.Resolution{
		{Duration: 1_166_191_894, Match: "analytical", Provider: "analytical", Method: "analytical", Formula: "no_overlap",
			Components: []evidence.Component{{Name: "compute", Duration: 1_043_311_894}, {Name: "memory", Duration: 122_880_000}}},
		{Duration: 461_694_277, Match: "analytical", Provider: "analytical", Method: "analytical", Formula: "volume",
			Components: []evidence.Component{{Name: "latency", Duration: 10_000_000}, {Name: "network", Duration: 451_694_277}}},
	}
	if diff := cmp.Diff(want, []*evidence.Resolution{mm.Cost, ar.Cost}); diff != "" {
		t.Error(diff)
	}
	if mm.Implementation != "cublas.gemm" || mm.Engine != "matrix" || ar.Implementation != "nccl.collective" {
		t.Errorf("chosen are %s on %s and %s", mm.Implementation, mm.Engine, ar.Implementation)
	}
	if diff := cmp.Diff([]evidence.Attempt{
		{Provider: "measurements", Match: "exact", Status: "unavailable", Reason: "no record is about this"},
		{Provider: "measurements", Match: "interpolated", Status: "unavailable", Reason: "no two records are around this on one axis"},
		{Provider: "measurements", Match: "extrapolated", Status: "unavailable", Reason: "no record differs from this on one axis only"},
		{Provider: "analytical", Match: "analytical", Status: "available"},
	}, mm.Attempts); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(evidence.Requirements{Devices: 8, Bytes: 150994944 + 2*50331648, Widest: 8}, b.Requires); diff != "" {
		t.Error(diff)
	}
}

// Peak rates alone: 312e12 operations take a costs.Second, 4096e9 bytes two.
func TestRooflineOfPeaks(t *testing.T) {
	target := A100()
	target.Formula = "roofline"
	for i := range target.Compute {
		target.Compute[i].Curve = nil
	}
	target.Bandwidth.Curve = nil
	task := &evidence.Bound{Body: "compute", Op: "linear", Engine: "matrix", Query: evidence.Query{DType: "bf16", Operations: 312_000_000_000_000, Read: 4_096_000_000_000}}
	a := analytical{target}.cost(task)
	if a.found == nil {
		t.Fatal(a.Reason)
	}
	n, _ := costs.Round(a.found.duration)
	if diff := cmp.Diff([]evidence.Component{{Name: "compute", Duration: costs.Second}, {Name: "memory", Duration: 2 * costs.Second}}, a.found.resolution.Components); diff != "" || n != 2*costs.Second {
		t.Error(n, diff)
	}
}
