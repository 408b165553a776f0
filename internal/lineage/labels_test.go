package lineage

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestRanges(t *testing.T) {
	for want, ranks := range map[string][]int64{
		"":             nil,
		"3":            {3},
		"3,4":          {4, 3, 4},
		"0..3,6,8,9":   {9, 8, 6, 3, 2, 1, 0},
		"0..2,4..6,10": {0, 4, 1, 5, 2, 6, 10},
	} {
		if got := ranges(ranks); got != want {
			t.Errorf("%v: %q, want %q", ranks, got, want)
		}
	}
}

// A buffer is called like the value that it holds, wherever it is; one that holds
// none, such as a workspace, by its id.
func TestLabels(t *testing.T) {
	const workspace = `"lineage": {"kind": "lowered", "transform": "t", "sources": ["y0"]}},
  {"id": "scratch", "memory_region": "m", "offset_bytes": 16, "size_bytes": 16, "lineage": {"kind": "generated", "transform": "t", "sources": ["do"], "reason": "workspace"}}]`
	plan := strings.Replace(relu[planLevel], `"lineage": {"kind": "lowered", "transform": "t", "sources": ["y0"]}}]`, workspace, 1)
	x := opened(t, reread(t, "portable.json", []byte(relu[portableLevel])), reread(t, "tasks.json", []byte(relu[taskLevel])), reread(t, "plan.json", []byte(plan)))
	var got []string
	for _, e := range x.entities {
		if e.kind == Buffer || e.kind == PortableBuffer {
			got = append(got, x.words(e, false))
		}
	}
	want := []string{
		"%Y@0 = transient output : tensor<4xf32>",
		"%Y@0 in bytes [0, 16) of m",
		"%scratch@0 in bytes [16, 32) of m",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
