package rules

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Faults that were met in real pipeline tools, and legal plans that stricter
// tools refused: each has exactly the findings listed, at the places listed.
func TestStaticCases(t *testing.T) {
	s := builtin(t)
	for _, c := range []struct {
		name string
		want []told
	}{
		// b5 is in no stage; its edges have no findings of their own.
		{"c01", []told{{"instance-without-core-or-stage", "/graph/ops/5", "op b5 is in no stage and on no core"}}},
		{"c04", []told{{"lane-stage-disagree", "/assignment/instances/2/stage", "op blk1 has lanes in stages 0 and 1"}}},
		{"c06", []told{{"edge-skips-stage", "/graph/edges/3", "edge p -> s skips from stage 0 to stage 2"}}},
		{"c08", []told{{"input-consumer-not-stage-zero", "/graph/inputs/1/consumers/0", "op loss reads dynamic input labels in stage 2"}}},
		// A static input may be read anywhere; a dynamic one reaches later stages through ops.
		{"c09", nil},
		{"c10", []told{{"resident-weights-exceed-core", "/target/cores/2/capacity_bytes",
			"105 bytes of weights are resident on core 2, but physical core 2 holds 100"}}},
		// A weight that two ops on one core use is there once.
		{"c11", nil},
		{"c13", []told{{"stage-ranges-gap", "/stages/0/cores", "no stage owns logical core 2"}}},
		// That physical core 1 is unused is the same mistake.
		{"c15", []told{{"placement-not-permutation", "/assignment/placement/3", "physical core 0 is the place of logical cores 1 and 3"}}},
		{"c51", []told{{"stale-revision", "/assignment/graph_digest", "the assignment was made for graph g-1111, but the graph is g-2222"}}},
		// The stage without ops is legal; the edge over it is not.
		{"c80", []told{{"edge-skips-stage", "/graph/edges/0", "edge a -> b skips from stage 0 to stage 2"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			data, err := os.ReadFile("../testdata/cases/static/" + c.name + ".json")
			if err != nil {
				t.Fatal(err)
			}
			v := judge(t, s, plan(t, c.name+".json", data), Options{})
			if diff := cmp.Diff(c.want, tell(v.Findings)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}
