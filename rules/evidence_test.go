package rules

import (
	"testing"

	"plancheck/ir/evidence"
	"plancheck/ir/observation"
)

// evidenceExamples are what bad profiles, revisions of evidence, bindings and
// observations are found guilty of, some of them beside a parent.
var evidenceExamples = []struct {
	schema   string // of a document that the rule file judges
	examples []example
}{
	{evidence.EvidenceSchema, []example{
		{"implementation_abi_foreign", "abi-mismatch", "/implementations/0", `lab.small has ABI lab-0, but the target has lab-1: it can do no task`},
		{"rate_curve_unordered", "efficiency-curve-invalid", "/compute/0/efficiency/1", `the efficiency of rate matrix.f16 has a threshold of 2048 operations behind one of 1024`},
		{"rate_curve_open", "efficiency-curve-invalid", "/compute/0/efficiency/0", `the efficiency of rate matrix.f16 is not known below 1024 operations`},
		{"rate_above_peak", "efficiency-curve-invalid", "/compute/0/efficiency/0", `from 1024 operations on 1100000 millionths of rate matrix.f16 are said to be reached, which is more than all of it`},
		{"bandwidth_curve_unordered", "efficiency-curve-invalid", "/memory_bandwidth/efficiency/0", `the efficiency of memory has a threshold of 4096 bytes behind one of 4096`},
		{"bandwidth_curve_open", "efficiency-curve-invalid", "/memory_bandwidth/efficiency/0", `the efficiency of memory is not known below 4096 bytes`},
		{"rate_missing", "rate-missing", "/implementations/0/dtypes/1", `lab.small works on bf16, but the target states no rate of engine matrix on it`},
		{"tier_size_repeated", "evidence-ambiguous", "/network_tiers/1", `two networks join 2 devices`},
		{"spatial_part_missing", "target-incomplete", "/family", `the target is spatial, and does not state its link`},
		{"tier_exceeds_mesh", "capacity-exceeded", "/network_tiers/0", `a network joins 2 devices, but the mesh has 1 row of 1`},
		{"tier_faster_than_links", "capacity-exceeded", "/network_tiers/0", `a network carries 100000000000 bytes a second, but links carry 64 bytes a cycle, 1000000000 cycles a second`},
		{"deployment_device_twice", "device-duplicate-target", "/devices/2", `the deployment lists device d0 more than once`},
		{"deployment_disconnected", "topology-disconnected", "/devices/1", `the deployment has several devices, among them d1, and does not say how they reach each other`},
		{"deployment_reserves_too_much", "capacity-exceeded", "/reserved_bytes", `4001 bytes are reserved on each device, of which 4000 are free`},
		{"deployment_exceeds_target", "capacity-exceeded", "/available_memory_bytes", `5000 bytes are said to be free on each device, but the target has 4096 of hbm`},
		{"evidence_parent_differs", "parent-digest-wrong", "/parents/0", `the document was made from the plancheck.target/1 with digest sha256:0000000000000000000000000000000000000000000000000000000000000000, but the one that is given has sha256:bbc7772e2d47eeeddb0ae82bc4ee1b38cb80732a230ad17c4af18e66d935dcbb`},
		{"records_ambiguous", "evidence-ambiguous", "/records/3", `record r3 from "run 2" and record r1 from "run 1" are about the same: no cost can be taken from them`},
		{"record_lost", "evidence-mutated-in-place", "/parents/1", `record r0 of the revision before is not there any more`},
		{"record_changed", "evidence-mutated-in-place", "/records/1", `record r1 is 2400 ps, but 2500 ps in the revision before`},
		{"record_turned", "evidence-mutated-in-place", "/records/1", `record r1 is about "linear dtype \"f16\" dims [8 4 8] participants 1", but about "linear dtype \"f16\" dims [8 4 8]" in the revision before`},
		{"factor_unexplained", "calibration-no-samples", "/factors/0", `the factor of linear is not that of the revision before, and no calibration says what it is from`},
		{"factor_lost", "evidence-mutated-in-place", "/parents/1", `the factor of linear, 337 / 310 in the revision before, is not there any more`},
		{"factor_repeated", "evidence-ambiguous", "/factors/2", `there are two factors of linear for the same data type, size and participants`},
		{"factor_without_samples", "calibration-no-samples", "/factors/0", `the factor of linear is from no observation`},
		{"calibration_untrained", "calibration-no-samples", "/calibration", `factors were found by median-ratio, but from no set of observations`},
		{"calibration_overlaps", "calibration-train-test-overlap", "/calibration/held_out/0", `observations sha256:1de146894680e58391e69f9fd974ab102c16701c02e9bec5e7ed9f3fb619d019 are held out, and factors are from them`},
		{"calibration_set_twice", "observation-duplicate", "/calibration/training/1", `factors are from observations sha256:1de146894680e58391e69f9fd974ab102c16701c02e9bec5e7ed9f3fb619d019 twice, which count more than others then`},
		{"calibration_parent_missing", "parent-digest-missing", "/calibration", `the calibration rests on the document with digest sha256:bde1979a3ee99813a1080a8bd885832b06b2a430cd79777f9875433db8e4b00f, which is not among the parents`},
		{"calibration_of_nothing", "replan-parent-evidence-missing", "/calibration", `the factors correct a revision of evidence, which is not among the parents`},
		{"calibration_worse", "calibration-heldout-worse", "/factors/0", `predictions of linear are 99000000 ps off on what was held out, and were 26000000 ps off before`},
	}},
	{evidence.BindingSchema, []example{
		{"binding_without", "binding-missing", "/target_abi", `the binding names no plancheck.evidence/1 that it was made from`},
		{"portable_changed", "portable-digest-changed", "/parents/0", `the binding is of the portable plan with digest sha256:0000000000000000000000000000000000000000000000000000000000000000, but the one that is given has sha256:4bba5c085350617c76fe3d649c7ab56a3765d3960ee73eaef2d72b78ec60cb93`},
		{"binding_parent_differs", "parent-digest-wrong", "/parents/1", `the binding was made from the plancheck.target/1 with digest sha256:0000000000000000000000000000000000000000000000000000000000000000, but the one that is given has sha256:bbc7772e2d47eeeddb0ae82bc4ee1b38cb80732a230ad17c4af18e66d935dcbb`},
		{"capability_unsupported", "capability-unsupported", "/tasks/0", `no implementation of the target can do task mm0, which is a linear`},
		{"collective_unsupported", "collective-unsupported", "/tasks/2", `no implementation of the target can do the collective all-reduce of task ar`},
		{"dtype_unsupported", "dtype-unsupported", "/tasks/0/query/dtype", `what can do task mm0 on the target does not work on f16`},
		{"shape_limit_exceeded", "shape-limit-exceeded", "/tasks/0/query/dims/2", `what can do task mm0 on the target takes no axis of 8`},
		{"abi_mismatch", "abi-mismatch", "/tasks/0", `what can do task mm0 on the target is not called by ABI lab-1`},
		{"choice_unrecorded", "binding-choice-unrecorded", "/tasks/0/implementation", `task mm0 is done by lab.gemm, and no candidate of this name was chosen`},
		{"choice_otherwise", "binding-choice-unrecorded", "/tasks/0/candidates/0", `for task mm0 candidate lab.small is said to be chosen, but lab.gemm does it`},
		{"evidence_ambiguous", "evidence-ambiguous", "/tasks/0/attempts/0", `what lab knows of the cost of task mm0 contradicts itself`},
		{"evidence_missing", "evidence-missing", "/tasks/0", `nobody knows the cost of task mm0`},
		{"evidence_out_of_domain", "evidence-out-of-domain", "/tasks/0/attempts/1", `what is known of task mm0 is 2000000 millionths of a doubling away, which is farther than the policy allows`},
		{"cost_too_far", "evidence-out-of-domain", "/tasks/0/cost/distance_millionths", `the cost of task mm0 is extrapolated by 1000001 millionths of a doubling, and the policy allows 1000000`},
		{"weight_outside", "evidence-out-of-domain", "/tasks/0/cost/weight", `the second record of task mm0 weighs 9 / 6, which is more than all`},
		{"match_refused", "evidence-match-refused", "/tasks/2/cost", `the cost of task ar is analytical, which the policy does not allow`},
		{"provider_refused", "evidence-provider-refused", "/tasks/2/cost", `the cost of task ar is from guess, which the policy does not name`},
		{"fallback_unrecorded", "evidence-fallback-unrecorded", "/tasks/2/cost", `the cost of task ar is from analytical, and nothing says why it is not from lab, which the policy asks first`},
		{"cost_unattempted", "evidence-fallback-unrecorded", "/tasks/2/cost", `no attempt found the analytical cost of task ar from analytical`},
		{"zero_cost", "zero-cost-without-evidence", "/tasks/2/cost", `task ar works and is said to take no time, by a cost that is analytical`},
		{"cost_without_record", "evidence-basis-missing", "/tasks/0/cost", `the cost of task mm0 is exact, and names no record`},
		{"cost_without_formula", "evidence-basis-missing", "/tasks/2/cost", `the cost of task ar is analytical, and does not say by which formula`},
		{"interpolation_unweighted", "evidence-basis-missing", "/tasks/0/cost", `the cost of task mm0 is interpolated, and does not say how its records weigh`},
		{"extrapolation_unmeasured", "evidence-basis-missing", "/tasks/0/cost", `the cost of task mm0 is extrapolated, and does not say how far`},
		{"formula_wrong", "estimate-formula-mismatch", "/tasks/2/cost", `task ar is said to take 5000 ps, but the parts of its cost make 2640`},
		{"task_unbound", "binding-missing", "/target_abi", `task mm1 of the portable plan is not bound`},
		{"task_invented", "reference-unknown", "/tasks/3", `task mm2 is bound, and the portable plan does not have it`},
		{"task_turned", "implementation-work-changed", "/tasks/0", `task mm0 is bound as a compute that does matmul, but the portable plan has a task that does linear`},
		{"work_changed", "implementation-work-changed", "/tasks/0", `task mm0 is bound with 128 operations, but the portable plan has 256`},
		{"capability_dropped", "implementation-work-changed", "/tasks/0", `task mm0 needs linear in the portable plan, and no implementation was asked for it`},
		{"participants_changed", "implementation-work-changed", "/tasks/0/query", `task mm0 is bound with 2 participants, but 1 rank do it in the portable plan`},
		{"dtype_changed", "implementation-work-changed", "/tasks/0/query/dtype", `task mm0 is bound for bf16, but works on f16 in the portable plan`},
		{"devices_understated", "requirement-understated", "/requirements", `the binding asks for 1 device, but the portable plan has rank 1, counted from 0`},
		{"bound_abi_differs", "abi-mismatch", "/target_abi", `the binding is for ABI lab-0, but the target has lab-1`},
		{"implementation_unknown", "reference-unknown", "/tasks/0/implementation", `task mm0 is done by lab.huge, which the target does not have`},
		{"chosen_incapable", "capability-unsupported", "/tasks/0/implementation", `lab.reduce does task mm0, but cannot do linear`},
		{"chosen_for_other_dtype", "dtype-unsupported", "/tasks/0/implementation", `lab.sgemm does task mm0, but does not work on f16`},
		{"chosen_too_small", "shape-limit-exceeded", "/tasks/0/implementation", `lab.small does task mm0, which has an axis of 8, but takes axes of up to 4`},
		{"chosen_on_other_engine", "capability-unsupported", "/tasks/0/implementation", `lab.mixed does task mm0, but runs on engine network, which is for collective only`},
		{"chosen_of_other_abi", "abi-mismatch", "/tasks/0/implementation", `lab.old does task mm0, but has ABI lab-0`},
		{"bound_engine_differs", "reference-unknown", "/tasks/0/engine", `task mm0 is bound to engine network, but lab.gemm runs on matrix`},
		{"bound_workspace_differs", "workspace-changed", "/tasks/0", `task mm0 is given 64 bytes of workspace, but lab.gemm needs 128`},
		{"candidate_missing", "binding-candidate-missing", "/tasks/0", `lab.reduce of the target was not looked at for task mm0`},
		{"verdict_wrong", "binding-verdict-wrong", "/tasks/0/candidates/0", `lab.small is said to be unable to do task mm0 by dtype-unsupported, which the target does not bear out`},
		{"collective_exceeds_tier", "collective-exceeds-tier", "/requirements/participants", `a collective has 4 participants, but no network of the target joins more than 2 devices`},
		{"memory_exceeds_target", "memory-below-minimum", "/requirements", `the plan needs 5000 bytes on each device, but the target has 4096 of hbm`},
		{"device_count_out_of_range", "device-count-out-of-range", "/requirements", `the plan needs 3 devices, but the deployment has 2`},
		{"memory_below_minimum", "memory-below-minimum", "/requirements", `the plan needs 3500 bytes on each device, but 4000 are free there, of which 1000 are reserved`},
		{"binding_environment_differs", "evidence-stale", "/environment_revision", `the plan is bound for environment lab-6, but the deployment has lab-7`},
		{"evidence_stale", "evidence-stale", "/environment_revision", `costs are of times from environment lab-6, but the plan is bound for lab-7`},
		{"record_unknown", "estimate-provenance-mismatch", "/tasks/0/cost/records/0", `the cost of task mm0 is from record r9, which the evidence does not have`},
		{"record_of_other_op", "estimate-provenance-mismatch", "/tasks/0/cost", `the cost of task mm0, a linear, is from record r3, which is about conv`},
		{"exact_differs", "estimate-provenance-mismatch", "/tasks/0/cost", `task mm0 is said to take 1499 ps by record r0, which is 1500 ps`},
		{"interpolated_outside", "estimate-provenance-mismatch", "/tasks/0/cost", `task mm0 is said to take 2600 ps, which is not between 1500 and 2500 ps, what its records have`},
		{"factor_unknown", "estimate-provenance-mismatch", "/tasks/0/cost/factor", `the cost of task mm0 is multiplied by 338 / 310, which the evidence does not have for it`},
		{"factor_left_out", "estimate-provenance-mismatch", "/tasks/0/cost", `the evidence multiplies durations of linear by 337 / 310, which the cost of task mm0 leaves out`},
		{"rank_device_shared", "device-duplicate-target", "/ranks/1", `ranks 0 and 1 are both on device d0`},
		{"rank_placed_twice", "device-duplicate-rank", "/ranks/2", `rank 1 is placed more than once`},
		{"rank_not_placed", "rank-unplaced", "/target_abi", `rank 1 of the portable plan is on no device`},
		{"formula_differs", "estimate-formula-mismatch", "/tasks/0/cost", `the cost of task mm0 is by the formula roofline, but the target's costs are by no_overlap`},
		{"dtype_dropped", "implementation-work-changed", "/tasks/0", `task mm0 works on f16 in the portable plan, and is bound for no data type`},
		{"dim_changed", "implementation-work-changed", "/tasks/0", `task mm0 is bound with 1 in dimension 0 (from 0 on), but has 4 there in the portable plan`},
		{"widest_changed", "requirement-understated", "/requirements", `the requirements speak of 1 participant, but the largest task of the portable plan has 2`},
		{"cost_beyond_formulas", "estimate-provenance-mismatch", "/tasks/0/cost", `the cost of task mm0 is analytical, but the target has no rates that give one`},
		{"cost_not_by_rates", "estimate-provenance-mismatch", "/tasks/0/cost", `task mm0 is said to take 9120 ps, but by the rates of the target it takes 912`},
		{"component_not_by_rates", "estimate-provenance-mismatch", "/tasks/0/cost", `compute of task mm0 is said to take 513 ps, which the rates of the target do not give`},
		{"component_missing", "estimate-provenance-mismatch", "/tasks/0/cost", `the cost of task mm0 does not list all parts that the formula no_overlap gives`},
		{"rank_device_unknown", "device-not-in-deployment", "/ranks/1", `rank 1 is on device d7, which the deployment does not have`},
	}},
	{observation.Schema, []example{
		{"observation_plan_unnamed", "parent-digest-missing", "/run", `the observations of run "run 1" name no plan that ran`},
		{"observation_of_other_plan", "observation-digest-mismatch", "/parents/0", `the observations are of the plan with digest sha256:0000000000000000000000000000000000000000000000000000000000000000, but the one that is given has sha256:b4b158439b4e1ab5d41fd828eb9bba3c4f58d425339fe6f67b26121d586a397e`},
		{"observation_of_other_timeline", "observation-digest-mismatch", "/parents/0", `the observations are of the plan with digest sha256:0000000000000000000000000000000000000000000000000000000000000000, but the timeline is of sha256:b4b158439b4e1ab5d41fd828eb9bba3c4f58d425339fe6f67b26121d586a397e`},
		{"observation_command_unknown", "observation-command-unknown", "/records/2", `c2 was observed, which is no command of the plan`},
		{"observation_interval_unknown", "observation-command-unknown", "/records/2", `c2 was observed, and the timeline does not say when it runs`},
		{"observation_repeated", "observation-duplicate", "/records/2", `repetition 0 of c1 is recorded twice`},
		{"observation_repetitions_missing", "observation-coverage-below", "/records/1", `c1 is recorded 1 times of 2`},
		{"observation_incomplete", "observation-coverage-below", "/level", `the observations are said to be exact, and c1 is not among them`},
	}},
}

// Each invariant has a document that breaks it, and nothing else, and the same
// document mended; both beside their parent, where they are compared with one. A
// good document is good without its parent too.
func TestEvidenceExamples(t *testing.T) {
	for _, file := range evidenceExamples {
		s := rulesOf(t, file.schema)
		has := map[string]bool{}
		for _, e := range file.examples {
			has[e.relation] = true
			t.Run(e.relation, func(t *testing.T) { checkExample(t, e) })
		}
		for _, inv := range s.Invariants() {
			if !has[inv.Relation] && !ofEveryLevel[inv.Relation] {
				t.Errorf("%s has no example", inv.Relation)
			}
		}
	}
}

// Where a document needs a parent to be found guilty, it is not without one.
func TestComparisonsNeedAParent(t *testing.T) {
	for _, file := range evidenceExamples {
		s := rulesOf(t, file.schema)
		for _, e := range file.examples {
			if x := Examples(e.relation); x.Parent != nil {
				for _, f := range judgeBeside(t, s, document(t, "bad.json", x.Bad), nil) {
					t.Errorf("%s: without a parent: %s", e.relation, f.Message)
				}
			}
		}
	}
}
