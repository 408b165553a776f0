package simulate

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/diag"
	"plancheck/internal/record"
	"plancheck/ir/evidence"
	"plancheck/ir/levels"
)

func evidenceOf(t *testing.T, records, factors string) *evidence.Evidence {
	t.Helper()
	text := `{"schema": "plancheck.evidence/1", "provider": "p", "records": [` + records + `], "factors": [` + factors + `]}`
	level, _ := levels.Of(evidence.EvidenceSchema)
	body, diags := level.Decode(diag.NewSource("evidence.json", []byte(text)))
	for _, d := range diags {
		t.Fatalf("%d:%d: %s", d.Pos.Line, d.Pos.Column, d.Message)
	}
	return body.(*evidence.Evidence)
}

func TestFromEvidence(t *testing.T) {
	const more, commands = `"groups": [{"id": "g", "ranks": [0, 1]}]`,
		`{"id": "a", "kind": "launch", "queue": "q0", "op": "mm"}, {"id": "k", "kind": "collective", "queue": "q0", "group": "g", "op": "all_reduce", "bytes": 64},
		 {"id": "l", "kind": "collective", "queue": "q1", "group": "g", "op": "all_reduce", "bytes": 64}, {"id": "t", "kind": "transfer", "queue": "q1"},
		 {"id": "b", "kind": "launch", "queue": "q1", "op": "mm"}`
	const rest = `, {"id": "t", "op": "transfer", "duration_ps": 7, "method": "measured"}`
	const mm = `{"id": "m", "op": "mm", "duration_ps": 5, "method": "measured"}` + rest
	const reduce = `, {"id": "r", "op": "all_reduce", "duration_ps": 9, "method": "measured"}`
	for _, c := range []struct {
		name, records, factors string
		want                   []int64
		records1               string // of the first resolution
		err                    string
	}{
		{name: "by op, and by kind where there is none", records: mm + reduce, want: []int64{5, 9, 9, 7, 5}, records1: "m"},
		{name: "the most specific wins",
			records: mm + reduce + `, {"id": "r2", "op": "all_reduce", "participants": 2, "duration_ps": 11, "method": "measured"},
				{"id": "r3", "op": "all_reduce", "participants": 2, "bytes": 64, "duration_ps": 13, "method": "measured"},
				{"id": "r4", "op": "all_reduce", "participants": 2, "bytes": 65, "duration_ps": 15, "method": "measured"}`,
			want: []int64{5, 13, 13, 7, 5}, records1: "m"},
		{name: "by implementation", records: `{"id": "m", "op": "linear", "implementation": "mm", "duration_ps": 6, "method": "measured"}` + rest + reduce,
			want: []int64{6, 9, 9, 7, 6}, records1: "m"},
		{name: "the median of repeated samples",
			records: `{"id": "m1", "op": "mm", "duration_ps": 1, "method": "measured"}, {"id": "m3", "op": "mm", "duration_ps": 3, "method": "measured"}` + rest + reduce,
			want:    []int64{2, 9, 9, 7, 2}, records1: "m1 m3"},
		{name: "factors, to the nearest picosecond",
			records: mm + reduce, factors: `{"group": "mm", "numerator": 3, "denominator": 2, "samples": 1}`, want: []int64{8, 9, 9, 7, 8}, records1: "m"},
		{name: "records of other methods disagree",
			records: mm + reduce + `, {"id": "n", "op": "mm", "duration_ps": 5, "method": "simulated"}`,
			err:     "command a: records m and n of the evidence are both of it, and neither is more specific; and 1 more"},
		{name: "nothing is known", records: mm, err: "command k: the evidence has no record of all_reduce, bytes 64, participants 2; and 1 more"},
		{name: "what a command does not say cannot agree",
			records: mm + `, {"id": "r", "op": "all_reduce", "dtype": "bf16", "duration_ps": 9, "method": "measured"}`,
			err:     "command k: the evidence has no record of all_reduce, bytes 64, participants 2; and 1 more"},
		{name: "beyond 64 bits", records: `{"id": "m", "op": "mm", "duration_ps": 9223372036854775807, "method": "measured"}` + rest + reduce,
			factors: `{"group": "mm", "numerator": 3, "denominator": 2, "samples": 1}`,
			err:     "command a: the median of its records by the factor 3 / 2 is beyond 64 bits of picoseconds; and 1 more"},
		{name: "two factors", records: mm + reduce,
			factors: `{"group": "mm", "numerator": 3, "denominator": 2, "samples": 1}, {"group": "mm", "numerator": 1, "denominator": 2, "samples": 1}`,
			err:     "the evidence has two factors of group mm"},
	} {
		t.Run(c.name, func(t *testing.T) {
			costs, err := FromEvidence(plan(t, more, commands), evidenceOf(t, c.records, c.factors))
			if c.err != "" || err != nil {
				if err == nil || err.Error() != c.err {
					t.Fatalf("%v, want %s", err, c.err)
				}
				return
			}
			if diff := cmp.Diff(c.want, costs.Durations); diff != "" {
				t.Errorf("durations (-want +got):\n%s", diff)
			}
			if got := strings.Join(costs.Resolutions[0].Records, " "); got != c.records1 || len(costs.Resolutions) != 3 {
				t.Errorf("%d resolutions, the first of records %s", len(costs.Resolutions), got)
			}
		})
	}
}

// The worked derivation: 0.442 ms, and 0.488 ms when what was observed has been
// learnt.
func TestWorkedDerivation(t *testing.T) {
	p := plan(t, "", `{"id": "c0", "kind": "launch", "queue": "q0", "op": "linear"}, {"id": "c1", "kind": "launch", "queue": "q0", "op": "all_reduce", "after": ["c0"]}`)
	const records = `{"id": "r0", "op": "linear", "duration_ps": 310000000, "method": "measured"}, {"id": "r1", "op": "all_reduce", "duration_ps": 132000000, "method": "measured"}`
	makespan := func(factors string) int64 {
		costs, err := FromEvidence(p, evidenceOf(t, records, factors))
		if err != nil {
			t.Fatal(err)
		}
		r, err := Run(Input{Plan: p, Durations: costs.Durations})
		if err != nil {
			t.Fatal(err)
		}
		return r.Makespan
	}
	if got := makespan(""); got != 442_000_000 {
		t.Errorf("the makespan is %d ps, want 0.442 ms", got)
	}
	if got := makespan(`{"group": "linear", "numerator": 337, "denominator": 310, "samples": 1}, {"group": "all_reduce", "numerator": 151, "denominator": 132, "samples": 1}`); got != 488_000_000 {
		t.Errorf("the new makespan is %d ps, want 0.488 ms", got)
	}
}

func TestFromTable(t *testing.T) {
	p := plan(t, `"tokens": [{"id": "t"}]`, `{"id": "a", "kind": "launch", "queue": "q0", "signals": ["t"]}, {"id": "w", "kind": "wait", "queue": "q1", "waits": ["t"]}, {"id": "b", "kind": "launch", "queue": "q1"}`)
	table := func(durations string) *Table {
		var x Table
		if diags := record.Decode(diag.NewSource("table.json", []byte(`{"schema": "plancheck.durations/1", "durations": [`+durations+`]}`)), &x); diags != nil {
			t.Fatal(diags[0].Message)
		}
		return &x
	}
	costs, err := FromTable(p, table(`{"id": "a", "duration_ps": 5}, {"id": "b", "duration_ps": 0}`))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]int64{5, 0, 0}, costs.Durations); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if costs.of(0) == "" || costs.of(1) != "" || costs.of(2) == "" || costs.of(0) == costs.of(2) {
		t.Errorf("resolutions %q, %q, %q", costs.of(0), costs.of(1), costs.of(2))
	}
	_, err = FromTable(p, table(`{"id": "a", "duration_ps": 5}`))
	want := &Unknown{[]UnknownCost{{2, "evidence-missing", "command b: the table has no duration of it"}}}
	got := &Unknown{}
	if !errors.As(err, &got) {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	_, err = FromTable(p, table(`{"id": "a", "duration_ps": 5}, {"id": "b", "duration_ps": 0}, {"id": "z", "duration_ps": 0}`))
	if err == nil || err.Error() != "the table has a duration of z, which is no command of the plan" {
		t.Errorf("%v", err)
	}
}
