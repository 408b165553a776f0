package derive

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/facts"
	"plancheck/internal/diag"
	"plancheck/internal/evidence"
	target "plancheck/ir/evidence"
	"plancheck/ir/portable"
)

// bodies has a task of each body: rank 0 computes, its result is copied to rank 1,
// both meet, and rank 1 computes and tells its host.
const bodies = `{"schema": "plancheck.portable-plan/1", "name": "bodies", "strategy_fingerprint": "sha256:1111111111111111111111111111111111111111111111111111111111111111", "planner_revision": "1",
 "buffers": [
 {"id": "u", "rank": 0, "shape": ["4"], "dtype": "f16", "size_bytes": "8", "role": "input", "storage_class": "transient", "consumers": ["first"]},
 {"id": "v", "rank": 0, "shape": ["4"], "dtype": "f16", "size_bytes": "8", "role": "value", "storage_class": "transient", "producer": "first", "consumers": ["move"]},
 {"id": "w", "rank": 1, "shape": ["4"], "dtype": "f16", "size_bytes": "8", "role": "value", "storage_class": "transient", "producer": "move", "consumers": ["second"]},
 {"id": "y", "rank": 1, "shape": ["4"], "dtype": "f16", "size_bytes": "8", "role": "output", "storage_class": "transient", "producer": "second", "consumers": ["tell"]}],
 "tasks": [
 {"id": "first", "body": "compute", "op": "model.relu", "logical_ranks": [0], "inputs": ["u"], "outputs": ["v"], "workload": {"operations": "4", "read_bytes": "8", "write_bytes": "8"}, "capabilities": ["relu"]},
 {"id": "move", "body": "transfer", "op": "transfer", "logical_ranks": [0, 1], "dependencies": ["first"], "inputs": ["v"], "outputs": ["w"], "workload": {"message_bytes": "8"}, "capabilities": ["transfer"]},
 {"id": "meet", "body": "barrier", "op": "barrier", "logical_ranks": [0, 1], "dependencies": ["move"], "workload": {}},
 {"id": "second", "body": "compute", "op": "model.relu", "logical_ranks": [1], "dependencies": ["move", "meet"], "inputs": ["w"], "outputs": ["y"], "workload": {"operations": "4", "read_bytes": "8", "write_bytes": "8"}, "capabilities": ["relu"]},
 {"id": "tell", "body": "host", "op": "log", "logical_ranks": [1], "dependencies": ["second"], "inputs": ["y"], "workload": {}, "capabilities": ["log"]},
 {"id": "last", "body": "host", "op": "log", "logical_ranks": [0], "dependencies": ["tell"], "workload": {}, "capabilities": ["log"]}],
 "objectives": [{"kind": "latency", "weight": 1}], "inputs": ["u"], "outputs": ["y"]}`

// Tasks of all bodies become commands of the kinds that do them, on queues of
// their engines.
func TestScheduleBodies(t *testing.T) {
	d, diags := facts.Decode(diag.NewSource("portable.json", []byte(bodies)))
	if d == nil {
		t.Fatal(diags)
	}
	if _, err := (Pass{Name: "schedule"}).legal(context.Background(), d, nil); err != nil {
		t.Fatal(err)
	}
	on := evidence.A100()
	on.Kernels = append(on.Kernels, target.Implementation{ID: "libc.log", Namespace: "libc", Name: "log", Version: "2", ABI: on.ABI, Engine: "host", Capabilities: []string{"log"}, DTypes: []string{"f16"}})
	s := rebound(t, &scheduling{Scheduling: Scheduling{Portable: d.Body().(*portable.Plan), Target: on, Deployment: evidence.A100Deployment()}})
	p, err := s.forQueues(s.binding) // nobody knows what a call of the host costs
	if err != nil {
		t.Fatal(err)
	}
	for _, parent := range []*facts.Document{nil, d, read(t, s.binding)} {
		if found := judgedPlan(t, facts.OfPlan(copied(t, p)), parent); found != nil {
			t.Error(found)
		}
	}
	for i := range s.Portable.Buffers {
		s.Portable.Buffers[i].Name = s.Portable.Buffers[i].ID
	}
	for i := range s.Portable.Tasks {
		s.Portable.Tasks[i].Name = s.Portable.Tasks[i].ID
	}
	want := []string{
		"u gpu0.hbm 0+8 given true kept true",
		"v gpu0.hbm 16+8 given false kept false",
		"w gpu1.hbm 0+8 given false kept false",
		"y gpu1.hbm 16+8 given false kept true",
		"first|gpu0: launch model.relu by kernels.pointwise on gpu0.vector, u -> v, after , 0 waits, 1 signals",
		"move|gpu0: transfer transfer by  on gpu0.copy, v -> w, after first|gpu0, 1 waits, 1 signals",
		"meet|gpu0: barrier barrier by  on gpu0.matrix,  -> , after move|gpu0, 1 waits, 0 signals",
		"meet|gpu1: barrier barrier by  on gpu1.matrix,  -> , after move|gpu0, 1 waits, 1 signals",
		"second|gpu1: launch model.relu by kernels.pointwise on gpu1.vector, w -> y, after move|gpu0,meet|gpu1, 2 waits, 1 signals",
		"tell|gpu1: host_call log by libc.log on gpu1.host, y -> , after second|gpu1, 1 waits, 1 signals",
		"last|gpu0: host_call log by libc.log on gpu0.host,  -> , after tell|gpu1, 1 waits, 0 signals",
	}
	if diff := cmp.Diff(want, s.lines(p)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
