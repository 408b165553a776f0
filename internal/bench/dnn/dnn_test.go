package dnn

import (
	"bytes"
	"context"
	"os"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/search/partition"
)

// folder returns where the workloads are, or skips the test.
func folder(t *testing.T) string {
	t.Helper()
	f := os.Getenv(Env)
	if f == "" {
		t.Skipf("skipped: %s does not name a folder with workloads/dnn-partitioning", Env)
	}
	if testing.Short() {
		t.Skip("skipped with -short: real graphs take long under the race detector")
	}
	return f
}

// quick says which known optima are proven in well under a second.
func quick(o Optimum) bool {
	return o.Graph != "operator_bert_L-12_training" && (o.Graph != "layer_resnet50_training" || o.Stages == 4)
}

// TestKnownOptima proves the known values of the graphs that are quick. The
// timeout is there for a search that never ends, not as a measurement.
func TestKnownOptima(t *testing.T) {
	f := folder(t)
	for _, o := range Optima() {
		if !quick(o) {
			continue
		}
		g, err := Load(f, o.Graph)
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		r, err := partition.Solve(ctx, g.Problem(o.Stages, o.Forward), partition.Options{Seed: 1})
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		if r.Status != partition.Optimal || r.Value != o.Low || o.Low != o.High {
			t.Errorf("%+v: found %d, bound %d, %v", o, r.Value, r.Bound, r.Status)
		}
	}
}

// TestStepsDecideOnRealGraphs: with a budget of steps two searches agree in
// all that they return, also when the budget is too small.
func TestStepsDecideOnRealGraphs(t *testing.T) {
	f := folder(t)
	for _, name := range []string{"layer_resnet50_inference", "operator_bert_l-6_inference", "layer_bert24_training"} {
		g, err := Load(f, name)
		if err != nil {
			t.Fatal(err)
		}
		for _, steps := range []int64{10_000, 300_000} {
			o := partition.Options{Seed: 7, Steps: steps}
			a, errA := partition.Solve(t.Context(), g.Problem(8, true), o)
			b, errB := partition.Solve(t.Context(), g.Problem(8, true), o)
			if errA != nil || errB != nil {
				t.Fatal(errA, errB)
			}
			if diff := cmp.Diff(a, b); diff != "" {
				t.Errorf("%s, %d steps: -first +second\n%s", name, steps, diff)
			}
		}
	}
}

// TestCertifyKnownOptima finds certificates for values of real graphs and
// re-adds their covers.
func TestCertifyKnownOptima(t *testing.T) {
	f := folder(t)
	certified := 0
	for _, o := range Optima() {
		if !quick(o) || o.Stages == 4 {
			continue
		}
		g, err := Load(f, o.Graph)
		if err != nil {
			t.Fatal(err)
		}
		p := g.Problem(o.Stages, o.Forward)
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		c, better, err := partition.Certify(ctx, p, o.Low-1)
		cancel()
		if err != nil || better != nil {
			t.Fatalf("%+v: %v, %v", o, better, err)
		}
		if c == nil {
			continue // out of time; counted below
		}
		certified++
		if err := c.Check(p); err != nil {
			t.Errorf("%+v: %v", o, err)
		}
		var b bytes.Buffer
		if err := c.WriteDIMACS(&b, p); err != nil || b.Len() == 0 {
			t.Errorf("%+v: %d bytes, %v", o, b.Len(), err)
		}
	}
	if certified < 10 {
		t.Errorf("only %d certificates in time", certified)
	}
}

func TestLoadRefusesWhatIsNotThere(t *testing.T) {
	if _, err := Load(t.TempDir(), "none"); err == nil {
		t.Error("a missing workload loads")
	}
}

// TestKnownOptimaWithCores: 64 cores shared out together with the ops.
func TestKnownOptimaWithCores(t *testing.T) {
	f := folder(t)
	for _, c := range []struct {
		graph  string
		stages int
		value  int64
	}{
		{"layer_resnet50_inference", 8, 3132},
		{"operator_bert_l-12_inference", 4, 3167},
	} {
		g, err := Load(f, c.graph)
		if err != nil {
			t.Fatal(err)
		}
		p := g.Problem(c.stages, false)
		p.Cores = &partition.Cores{Total: 64}
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		r, err := partition.Solve(ctx, p, partition.Options{Seed: 1})
		cancel()
		if err != nil || r.Status != partition.Optimal || r.Value != c.value {
			t.Errorf("%s: %+v, %v; want %d", c.graph, r, err, c.value)
		}
	}
}
