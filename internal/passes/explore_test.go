package passes_test

import (
	"context"
	"os"
	"testing"
	"time"

	"plancheck/encode"
	"plancheck/internal/bench/dnn"
	"plancheck/internal/passes"
	"plancheck/ir"
)

// Ten schedules of a transformer's operators within 2 % of the best take less
// than 2 seconds: the time is held only where it is asked for, because other
// work on the machine counts in.
func TestExploreTransformer(t *testing.T) {
	folder := publicData(t)
	for _, c := range []struct {
		shape  dnn.Shape
		values int64
		apart  int
	}{
		{dnn.Shape{Stages: 4, Cores: 4}, 90163, 1},
		{dnn.Shape{Stages: 8, Cores: 8}, 90163, 5},
		{dnn.Shape{Stages: 4, Cores: 4, Forward: true}, 53512, 5},
		{dnn.Shape{Stages: 8, Cores: 8, Forward: true}, 34668, 1},
	} {
		plan, err := dnn.Plan(folder, "operator_bert_l-12_inference", c.shape)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		got, err := passes.Explore(context.Background(), plan, passes.Exploring{
			Options: passes.Options{Encode: encode.Options{ForwardCycles: ir.None}, Rules: builtin(t), Timeout: time.Minute},
			Count:   10, Within: passes.Percent{Num: 2, Den: 1}, Distance: c.apart,
		})
		took := time.Since(start)
		if err != nil {
			t.Fatal(err)
		}
		if len(got.Rows) != 10 || got.Rows[0].Interval != c.values || got.Limit != c.values+c.values*2/100 {
			t.Errorf("%+v: %d rows within %d, first %+v", c.shape, len(got.Rows), got.Limit, got.Rows[0].Measures)
		}
		for i, r := range got.Rows {
			if r.Interval > got.Limit || i > 0 && len(r.FromBest) < c.apart {
				t.Errorf("%+v: row %d: %+v, %d ops moved", c.shape, i, r.Measures, len(r.FromBest))
			}
		}
		t.Logf("%+v: %v", c.shape, took)
		if os.Getenv("PLANCHECK_TIMES") != "" && took > 2*time.Second {
			t.Errorf("%+v took %v", c.shape, took)
		}
	}
}
