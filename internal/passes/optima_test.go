package passes_test

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"plancheck/encode"
	"plancheck/internal/bench/dnn"
	"plancheck/internal/passes"
	"plancheck/internal/search/schedule"
	"plancheck/ir"
)

func publicData(t *testing.T) string {
	t.Helper()
	folder := os.Getenv(dnn.Env)
	if folder == "" {
		t.Skipf("%s does not name the folder of public workloads", dnn.Env)
	}
	if testing.Short() {
		t.Skip("takes long")
	}
	return folder
}

// Plans of the public workloads reach the values that are known, and prove
// them. Those that may take more than some seconds are left to make bench-solve.
func TestOptima(t *testing.T) {
	folder := publicData(t)
	set := builtin(t)
	for _, o := range dnn.Optima() {
		if o.Low != o.High || strings.Contains(o.Graph, "L-12") || o.Stages == 8 && strings.Contains(o.Graph, "training") {
			continue
		}
		t.Run(fmt.Sprintf("%s-%d-%t", o.Graph, o.Stages, o.Forward), func(t *testing.T) {
			plan, err := dnn.Plan(folder, o.Graph, o.Shape())
			if err != nil {
				t.Fatal(err)
			}
			out, err := passes.Run(context.Background(), plan, passes.Options{
				Encode: encode.Options{ForwardCycles: ir.None}, Rules: set, Timeout: time.Minute,
			})
			if err != nil {
				t.Fatal(err)
			}
			if out.Refused != nil || out.Plan == nil || out.Result.Cost.Interval != o.Low || out.Result.Bound != o.Low {
				t.Errorf("%v %v, bound %d, want %d (%v)", out.Status, out.Result.Cost, out.Result.Bound, o.Low, out.Refused)
			}
		})
	}
}

// Ranges that are chosen together with the stages reach the known value.
func TestUnevenRanges(t *testing.T) {
	folder := publicData(t)
	plan, err := dnn.Plan(folder, "layer_resnet50_inference", dnn.Uneven)
	if err != nil {
		t.Fatal(err)
	}
	out, err := passes.Run(context.Background(), plan, passes.Options{
		Encode: encode.Options{ForwardCycles: ir.None}, Rules: builtin(t), Timeout: 2 * time.Minute,
	})
	if err != nil {
		t.Fatal(err)
	}
	if out.Plan == nil || out.Status != schedule.Optimal || out.Result.Cost.Interval != dnn.UnevenInterval {
		t.Errorf("%v %v, want %d (%v)", out.Status, out.Result.Cost, dnn.UnevenInterval, out.Refused)
	}
}
