package rules

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// derivedExamples are what bad plans are found guilty of that say what they were
// made from, each beside its parent where it has one.
var derivedExamples = []example{
	{"plan_parent_unnamed", "parent-digest-missing", "", `the plan does not name a plancheck.portable-plan/1 that it was made from, and is compared with one`},
	{"plan_parent_differs", "parent-digest-wrong", "/parents/0", `the plan was made from the plancheck.portable-plan/1 with digest sha256:0000000000000000000000000000000000000000000000000000000000000000, but the one that is given has sha256:9add5d1450b1bd750a63a32c5c7ca4758bd9b3f01fd4e478a3be482fbdb7379d`},
	{"identity_parent_differs", "parent-digest-wrong", "/program/identity/target_fingerprint", `the target_fingerprint of the identity is sha256:0000000000000000000000000000000000000000000000000000000000000000, but the plancheck.target/1 among the parents has digest sha256:bd0d4148041d7863442dcbc2843daf784f85d74162abaf3adc545e446ca1dbf6`},
	{"op_lineage_invalid", "lineage-kind-invalid", "/graph/ops/0/lineage/kind", `op relu is fused without a source`},
	{"op_transform_missing", "lineage-transform-undeclared", "/graph/ops/0/lineage/kind", `op relu is fused, and nothing says what made it`},
	{"buffer_lineage_invalid", "lineage-kind-invalid", "/program/buffers/9/lineage/kind", `buffer ws.act0 is generated without a reason`},
	{"buffer_transform_missing", "lineage-transform-undeclared", "/program/buffers/0/lineage/kind", `buffer x0 is lowered, and nothing says what made it`},
	{"command_lineage_invalid", "lineage-kind-invalid", "/program/commands/0/lineage/kind", `c.mm0 is root with a source`},
	{"command_transform_missing", "lineage-transform-undeclared", "/program/commands/0/lineage/kind", `c.mm0 is lowered, and nothing says what made it`},
	{"program_missing", "task-not-covered", "/parents/0", `the plan has no program, so that no command does the tasks of its portable plan`},
	{"task_without_command", "task-not-covered", "", `no command does task act0, a model.relu`},
	{"task_commanded_twice", "task-covered-twice", "/program/commands/4/lineage/sources/0", `again and c.act0 all do task act0 on device gpu0`},
	{"command_without_task", "command-without-task", "/program/commands/5", `log, a signal, is for no task of the portable plan`},
	{"command_source_unknown", "lineage-dangling", "/program/commands/0/lineage/sources/1", `c.mm0 was made from mm9, which the portable plan does not have`},
	{"buffer_source_unknown", "lineage-dangling", "/program/buffers/0/lineage/sources/0", `buffer x0 was made from x9, which the portable plan does not have`},
	{"op_source_unknown", "lineage-dangling", "/graph/ops/0/lineage/sources/0", `op relu was made from act9, which the portable plan does not have`},
	{"task_kind_changed", "command-kind-changed", "/program/commands/4", `c.act0 is a host_call, but task act0, which it does, is a compute task`},
	{"task_operation_changed", "command-operation-changed", "/program/commands/4/op", `c.act0 does kernels.pointwise, but task act0 is a model.relu`},
	{"task_group_differs", "collective-participants-mismatch", "/program/commands/2/lineage/sources/0", `task ar is done in groups both and other, and not among its ranks in the portable plan`},
	{"planned_rank_unplaced", "rank-unplaced", "", `no device has rank 1 of the portable plan`},
	{"command_of_other_rank", "command-rank-changed", "/program/commands/1/queue", `c.r1 is on a device of rank 0, but task r1, which it does, is of rank 1`},
	{"task_order_lost", "command-dependency-lost", "/program/commands/4", `the task of c.act0 depends on that of c.mm0 in the portable plan, and nothing lets c.act0 wait for it`},
	{"planned_buffer_missing", "intermediate-buffer-missing", "", `buffer x0 of the portable plan, of role input, has no place in the plan`},
	{"buffer_unexplained", "lineage-missing", "/program/buffers/9", `buffer ws.act0 is not in the portable plan, and does not say what it was made from`},
	{"buffer_shrunk", "buffer-shrunk", "/program/buffers/4", `buffer p0 has 32 bytes, but p0 has 64 in the portable plan`},
	{"buffer_alignment_weakened", "buffer-alignment-weakened", "/program/buffers/4", `buffer p0 does not ask for an alignment of 16 bytes, as p0 does in the portable plan`},
	{"buffer_life_too_short", "buffer-lifetime-too-short", "/program/buffers/2", `buffer w0 is not kept, but w0 is persistent in the portable plan`},
	{"buffer_given_unplanned", "buffer-role-changed", "/program/buffers/4/initialised", `buffer p0 is initialised, but p0 is of role value in the portable plan, and a task writes it`},
	{"task_access_lost", "command-access-changed", "/program/commands/0", `the task of c.mm0 reads buffer w0 in the portable plan, and c.mm0 does not`},
	{"task_access_added", "command-access-changed", "/program/commands/4", `c.act0 reads buffer w0, and its task does not in the portable plan`},
	{"binding_abi_changed", "implementation-abi-mismatch", "/program/identity/abi_revision", `the program uses cuda-11, but was bound for cuda-12`},
	{"implementation_changed", "implementation-changed", "/program/commands/4/implementation", `c.act0 is done by cublas.gemm, but task act0 was bound to kernels.pointwise`},
	{"implementation_dropped", "implementation-changed", "/program/commands/2", `nothing says what does c.ar0, whose task ar was bound to nccl.collective`},
	{"engine_changed", "engine-changed", "/program/commands/4/queue", `c.act0 is on engine gpu0.matrix, but task act0 was bound to engine vector of each device`},
	{"device_changed", "device-changed", "/program/devices/1/target_device", `device gpu1 of rank 1 is gpu9, but the rank was bound to gpu1`},
	{"reduction_of_other", "collective-attributes-lost", "/program/commands/4/reads/1", `c.ar0 is a part of the all-reduce ar, but reads buffer x0, which has none of its partials`},
	{"reduction_incomplete", "partial-consumed-unreduced", "/program/commands/4", `c.ar0 makes a result of the all-reduce ar without the partial of rank 1`},
	{"partial_repeated", "collective-attributes-lost", "/program/commands/5", `c.ar0 is a part of the all-reduce ar, and reads the partial of rank 1 several times: again and p1.core0`},
	{"reduced_otherwise", "reduction-kind-wrong", "/program/commands/4", `c.ar0 does max, but the partials of the all-reduce ar are reduced by sum`},
	{"reduction_without_rank", "task-not-covered", "", `the all-reduce ar is taken apart, and no launch makes its result on rank 1`},
	{"work_for_no_task", "command-without-task", "/program/commands/5", `again, a launch, does no task of the portable plan and no piece of one`},
	{"piece_writes_foreign", "command-access-changed", "/program/commands/5/writes/0", `again writes buffer a0, and the task that it does a piece of does not in the portable plan`},
	{"planned_written_twice", "task-covered-twice", "/program/buffers/8", `again and c.act0 all write buffer a0, which one task writes once in the portable plan`},
	{"buffer_of_several", "lineage-source-differs", "/program/buffers/0/lineage/kind", `buffer x0 is said to hold p0 and x0 of the portable plan, and can hold one of them`},
	{"copy_shrunk", "buffer-shrunk", "/program/commands/5/writes/0", `move copies x0, of 64 bytes in the portable plan, to buffer local, which has 16 bytes`},
	{"weights_understated", "graph-weight-changed", "/graph/ops/0", `op mm has 1 byte of weights on a lane, but on a rank its tasks read 128`},
	{"edge_changed", "graph-edge-changed", "/graph/ops/1", `the edge from mm to sum carries 1 byte, but tasks of sum read 128 that those of mm make`},
	{"latency_understated", "latency-understated", "/program/target_extension/spatial/slots/1", `unit core1.array takes 12 cycles, 12000 ps, for c.mm1, but task mm1 was bound to take 12433 ps`},
	{"work_changed_in_graph", "work-cycles-changed", "/graph/ops/0", `op mm has 1 cycle of work, but its lanes take 26 together`},
	{"clock_changed", "target-clock-changed", "/program/target_extension/spatial/clock_domains/0", `clock domain core has 1000000000000 hertz, but the clock of the target has 1000000000`},
	{"core_too_large", "target-memory-exceeded", "/target/cores/3/capacity_bytes", `core 3 has 4096 bytes for weights, but a device of the target has 1024 of sram`},
	{"region_too_large", "target-memory-exceeded", "/program/memory_regions/1", `region sram1 has 4096 bytes, but a device of the target has 1024 of sram`},
	{"regions_too_large", "target-memory-exceeded", "/program/devices/1", `the regions of device core1 have 1536 bytes together, but a device of the target has 1024 of sram`},
	{"mesh_changed", "target-mesh-changed", "/target/topology/mesh", `the cores are a mesh of 1 row and 4 columns, but those of the target of 2 rows and 2 columns`},
	{"bandwidth_changed", "target-link-changed", "/target/bytes_per_cycle", `a core passes on 4096 bytes in a cycle, but a link of the target carries 32`},
	{"link_latency_changed", "target-link-changed", "/program/target_extension/spatial/links/1", `link core1-core0 has a latency of 0 cycles, but a hop of the target has 4`},
	{"link_too_far", "target-link-changed", "/program/target_extension/spatial/links/2", `link far joins core1 and core2, which are not next to each other on the mesh of the target`},
	{"hop_too_short", "hop-too-short", "/program/target_extension/spatial/routes/1/hops/0", `hop 0 of t.p1 takes its link for 1 cycle, but 64 bytes at 32 a cycle need 2`},
	{"piece_too_quick", "latency-understated", "/program/target_extension/spatial/slots/5", `unit core1.vector takes 1 cycle, 1000 ps, for c.ar1, but memory needs 3000 ps for its 192 bytes`},
	{"copy_written_otherwise", "command-access-changed", "/program/commands/6/writes/0", `again writes buffer local, which holds a copy of x0, and does not copy that`},
	{"workspace_lacking", "workspace-changed", "/program/commands/4", `c.act0 has no workspace of 32 bytes, as was bound to task act0`},
}

// Each invariant of plans that were made from other documents has a plan that
// breaks it, and nothing else, and the same one mended, which is also legal without
// its parent.
func TestDerivedExamples(t *testing.T) {
	for _, e := range derivedExamples {
		t.Run(e.relation, func(t *testing.T) {
			checkParent(t, e)
			checkExample(t, e)
		})
	}
}

// Without its parent a plan is judged by itself: what is wrong only beside the
// parent is not found.
func TestDerivedWithoutParent(t *testing.T) {
	alone := map[string][]string{ // what the plan shows by itself
		"task_without_command": {"buffer-read-before-write"}, "reduction_without_rank": {"buffer-read-before-write"}, "task_order_lost": nil,
	}
	s := builtin(t)
	for _, e := range derivedExamples {
		x := Examples(e.relation)
		if x.Parent == nil {
			continue
		}
		var got []string
		for _, f := range judgeBeside(t, s, document(t, "bad.json", x.Bad), nil) {
			got = append(got, f.Code)
		}
		if diff := cmp.Diff(alone[e.relation], got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", e.relation, diff)
		}
	}
}
