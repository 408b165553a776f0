package rules

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/ir/timeline"
)

// timelineExamples are what the bad timelines are found guilty of, beside their
// plans.
var timelineExamples = []example{
	{"timeline_plan_unnamed", "timeline-concrete-digest-unknown", "/makespan_ps", `the timeline names no plan that it is of`},
	{"timeline_of_other_plan", "timeline-concrete-digest-unknown", "/parents/0", `the timeline is of the plan with digest sha256:0000000000000000000000000000000000000000000000000000000000000000, but the plan that is given has sha256:c67d347e66d75d5aa20aa05e69c667f9520373586189078c083c2ea8dc97e862`},
	{"interval_negative", "interval-negative", "/intervals/5", `v starts at 60 ps and ends at 55`},
	{"makespan_mismatch", "makespan-mismatch", "/makespan_ps", `the makespan is 70 ps, but the last command ends at 60`},
	{"timeline_evidence_missing", "timeline-evidence-missing", "/intervals/4", `nothing says why u takes as long as it does`},
	{"timeline_evidence_unnamed", "parent-digest-missing", "/evaluation_evidence", `durations are from the evidence with digest sha256:732f97bd3262fa2f34fab6e94b439cd3be0560410e4fc46674e30b257800ded1, which is not among the parents`},
	{"cost_of_other_evidence", "estimate-provenance-mismatch", "/cost_resolutions/0/source", `resolution sha256:b853c115c51805418cb3b6f5c67b2209b861a465f562580736708453c65e10e3 is from evidence sha256:1111111111111111111111111111111111111111111111111111111111111111, but durations are said to be from sha256:732f97bd3262fa2f34fab6e94b439cd3be0560410e4fc46674e30b257800ded1`},
	{"interval_duration_mismatch", "interval-duration-mismatch", "/intervals/4", `u runs for 25 ps, but takes 30 by evidence`},
	{"interval_overlap", "interval-overlap-on-resource", "/intervals/5", `v starts at 30 ps on e, but u, whose turn comes before, ends at 35`},
	{"utilization_mismatch", "utilization-mismatch", "/resources/2", `resource e is said to be occupied for 50 ps, but its commands run for 55`},
	{"turn_missing", "interval-resource-wrong", "/intervals/5", `v has no turn on queue e, which issues it`},
	{"turn_extra", "interval-resource-wrong", "/resources/2/commands/1", `v has a turn too many on resource e`},
	{"timeline_command_missing", "timeline-command-missing", "/makespan_ps", `the timeline does not say when v runs`},
	{"timeline_command_extra", "timeline-command-extra", "/intervals/6", `the timeline says when z runs, which is no command of the plan`},
	{"interval_before_predecessor", "interval-before-predecessor", "/intervals/5", `v starts at 0 ps, but waits for a, which ends at 30`},
	{"meeting_interval_differs", "meeting-interval-differs", "/intervals/2", `s and r complete together, but do not run at the same time`},
	{"critical_path_not_contiguous", "critical-path-not-contiguous", "/critical_path/1", `b starts at 40 ps, but a, the step of the critical path before it, ends at 30`},
	{"critical_path_length_mismatch", "critical-path-length-mismatch", "/makespan_ps", `the critical path is 30 ps long, but from the first start to the last end there are 60`},
	{"critical_edge_wrong", "critical-path-edge-wrong", "/critical_path/2", `step 2 of the critical path, b, does not wait by token for the step before`},
	{"slack_wrong", "slack-wrong", "/intervals/4/slack_ps", `u is said to have a slack of 9 ps, and has less`},
	{"delay_wrong", "queue-delay-wrong", "/intervals/5/queue_delay_ps", `v is said to have waited 7 ps for a resource, but was not ready then`},
	{"slot_early", "interval-before-slot", "/intervals/1", `F1 starts at 1900 ps, but its cycle is at 2000`},
	{"slot_missed", "slot-missed", "/intervals/2", `T0 can begin only at 9500 ps, 1500 ps behind its cycle, which the chip does not wait for`},
	{"message_early", "interval-before-predecessor", "/intervals/4", `R0 starts at 20000 ps, but the message of S0 arrives at 21000`},
	{"issue_missing", "interval-resource-wrong", "/intervals/1", `F1 is not among the issues of unit mxm0, in slot 0 of which the plan has it`},
	{"issue_wrong", "interval-resource-wrong", "/units/0/issues/1", `unit mxm0 does not issue F1 in slot 0 at the time that is said`},
	{"issue_overlap", "interval-overlap-on-resource", "/units/0/issues/1", `F0 has slot 0 of unit mxm0 from 0 ps, but F1, whose turn comes before, has slot 0 to 3000`},
	{"payload_missing", "interval-resource-wrong", "/intervals/3", `S0 is not among the payloads of link east, which hop 0 (from 0 on) of its route takes`},
	{"payload_wrong", "interval-resource-wrong", "/links/0/payloads/1", `link east does not carry hop 0 (from 0 on) of S0 at the time that is said`},
	{"payload_overlap", "interval-overlap-on-resource", "/links/0/payloads/1", `the payload of T0 takes link east at 10000 ps, but that of S0, whose turn comes before, has it to 16000`},
	{"high_water_exceeds", "memory-high-water-exceeds-capacity", "/memory_high_water/0", `101 bytes of region m0 live at once, which leaves 100 to buffers`},
	{"high_water_too_low", "memory-high-water-too-low", "/memory_high_water/1", `at most 63 bytes of region m1 are said to live at once, but a command uses 64 of them`},
	{"high_water_missing", "memory-high-water-missing", "/makespan_ps", `the timeline does not say how many bytes of region m1 live at once`},
	{"high_water_extra", "memory-high-water-extra", "/memory_high_water/2", `the timeline has a high water of m9, which is no memory region of the plan`},
	{"high_water_below", "memory-high-water-too-low", "/memory_high_water/0", `at most 64 bytes of region m0 are said to live at once, but 96 do`},
	{"high_water_above", "memory-high-water-too-high", "/memory_high_water/0", `97 bytes of region m0 are said to live at once, but no more than 96 ever do`},
	{"event_time_wrong", "event-time-wrong", "/events/5", `a has the event end at 29 ps, but by its interval at 30`},
	{"event_out_of_order", "event-out-of-order", "/events/1", `event 1 (from 0 on) is at 0 ps, and the one before it at 60`},
	{"timeline_costs_unnamed", "parent-digest-missing", "/makespan_ps", `the timeline names no plancheck.evidence/1 that its durations are from, and is compared with one`},
	{"timeline_costs_differ", "parent-digest-wrong", "/parents/1", `durations are from the plancheck.evidence/1 with digest sha256:0000000000000000000000000000000000000000000000000000000000000000, but the one that is given has sha256:498fe0d91ed23cc71b3a4d006550e8f619bc0ad0310f5f643425ad477d8b2ee2`},
	{"timeline_evidence_not_binding", "estimate-provenance-mismatch", "/evaluation_evidence", `durations are said to be from evidence sha256:498fe0d91ed23cc71b3a4d006550e8f619bc0ad0310f5f643425ad477d8b2ee2, and not from the binding sha256:670e508c6467b961837150af369937c27e7f82606327a3ef2688f7af9cf302b2, which is given`},
	{"cost_of_no_task", "estimate-provenance-mismatch", "/cost_resolutions/0", `resolution c0 names no task of which the binding has a cost`},
	{"cost_not_as_bound", "estimate-provenance-mismatch", "/cost_resolutions/0", `resolution c0 is 3000 ps for task mm0, but the binding has 1500`},
	{"cost_basis_differs", "estimate-provenance-mismatch", "/cost_resolutions/0", `resolution c0 does not name the records and the factor that the binding has for task mm0`},
	{"cost_of_other_task", "estimate-provenance-mismatch", "/intervals/0/cost_resolution", `a is said to take as long as task mm1, which it was not made from`},
	{"cost_record_unknown", "estimate-provenance-mismatch", "/cost_resolutions/0/records/0", `resolution c0 is from record r9, which the evidence does not have`},
	{"cost_without_records", "evidence-basis-missing", "/cost_resolutions/0", `resolution c0 names no record of the evidence`},
	{"cost_factor_differs", "estimate-provenance-mismatch", "/cost_resolutions/0", `resolution c0 has factor 1 / 1, but the evidence has 337 / 310 for its records`},
	{"cost_not_by_records", "estimate-provenance-mismatch", "/cost_resolutions/0", `resolution c0 is 3262 ps, but its records give 1631`},
	{"duration_beyond_plan", "estimate-provenance-mismatch", "/intervals/0/cost_resolution", `a is said to take 1500 ps by the plan, which does not say how long it takes`},
	{"duration_not_by_plan", "estimate-provenance-mismatch", "/intervals/1/cost_resolution", `F1 is said to take 9000 ps by the plan, which says 8000`},
}

// Each invariant of timelines has one that breaks it, and nothing else, and the
// same timeline mended, both beside their plan.
func TestTimelineExamples(t *testing.T) {
	s := rulesOf(t, timeline.Schema)
	shown := map[string]bool{}
	for _, e := range timelineExamples {
		shown[e.relation] = true
		t.Run(e.relation, func(t *testing.T) {
			checkParent(t, e)
			checkExample(t, e)
		})
	}
	for _, inv := range s.Invariants() {
		if !shown[inv.Relation] && !ofEveryLevel[inv.Relation] {
			t.Errorf("%s has no example", inv.Relation)
		}
	}
}

// Of a timeline alone only that is judged which needs no plan.
func TestTimelinesWithoutTheirPlan(t *testing.T) {
	s := rulesOf(t, timeline.Schema)
	alone := map[string]bool{}
	for _, relation := range strings.Fields(`timeline_plan_unnamed interval_negative makespan_mismatch timeline_evidence_missing
		timeline_evidence_unnamed cost_of_other_evidence interval_duration_mismatch interval_overlap utilization_mismatch turn_extra
		critical_path_not_contiguous critical_path_length_mismatch issue_overlap payload_overlap event_time_wrong event_out_of_order`) {
		alone[relation] = true
	}
	// Without the plan these two are seen by what follows from them.
	others := map[string]told{
		"turn_missing":             {"utilization-mismatch", "/resources/2", "resource e is said to be occupied for 55 ps, but its commands run for 30"},
		"meeting_interval_differs": {"critical-path-not-contiguous", "/critical_path/1", "r starts at 31 ps, but a, the step of the critical path before it, ends at 30"},
	}
	for _, e := range timelineExamples {
		var want []told
		if alone[e.relation] {
			want = []told{{e.code, e.pointer, e.message}}
		} else if other, there := others[e.relation]; there {
			want = []told{other}
		}
		got := judgeBeside(t, s, document(t, "bad.json", Examples(e.relation).Bad), nil)
		if diff := cmp.Diff(want, tell(got)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", e.relation, diff)
		}
	}
}
