package rules

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/facts"
	"plancheck/ir"
)

// twoStages is a plan from its graph down to its program: two stages, two
// microbatches, and an order of everything that moves between them.
const twoStages = `{"schema": "plancheck.concrete-plan/1",
	"target": {"cores": [{"id": 0}, {"id": 1}]},
	"graph": {"ops": [{"id": "embed", "work_cycles": 800}, {"id": "mlp", "work_cycles": 700}], "edges": [{"from": "embed", "to": "mlp", "size_bytes": 64}]},
	"stages": [{"index": 0, "cores": {"first": 0, "count": 1}}, {"index": 1, "cores": {"first": 1, "count": 1}}],
	"assignment": {"instances": [{"op": "embed", "stage": 0, "cores": [0]}, {"op": "mlp", "stage": 1, "cores": [1]}], "placement": [0, 1]},
	"program": {
		"devices": [{"id": "d0"}, {"id": "d1"}],
		"queues": [{"id": "q0", "device": "d0"}, {"id": "q1", "device": "d1"}],
		"channels": [{"id": "c", "depth": 1}],
		"memory_regions": [{"id": "m", "device": "d0", "capacity_bytes": 64}],
		"buffers": [{"id": "x", "memory_region": "m", "offset_bytes": 0, "size_bytes": 8}, {"id": "y", "memory_region": "m", "offset_bytes": 8, "size_bytes": 8}],
		"commands": [
			{"id": "E0", "kind": "launch", "queue": "q0", "op": "embed", "writes": ["x"], "stage": 0, "microbatch": 0},
			{"id": "S0", "kind": "send", "queue": "q0", "reads": ["x"], "channel": "c", "stage": 0, "microbatch": 0},
			{"id": "E1", "kind": "launch", "queue": "q0", "op": "embed", "writes": ["y"], "stage": 0, "microbatch": 1},
			{"id": "S1", "kind": "send", "queue": "q0", "reads": ["y"], "channel": "c", "stage": 0, "microbatch": 1},
			{"id": "R0", "kind": "recv", "queue": "q1", "channel": "c", "stage": 1, "microbatch": 0},
			{"id": "M0", "kind": "launch", "queue": "q1", "op": "mlp", "stage": 1, "microbatch": 0},
			{"id": "R1", "kind": "recv", "queue": "q1", "channel": "c", "stage": 1, "microbatch": 1},
			{"id": "M1", "kind": "launch", "queue": "q1", "op": "mlp", "stage": 1, "microbatch": 1}]}}`

// Stages and microbatches that do not fit are found once, and what may be so is
// not found.
func TestStagesOfPrograms(t *testing.T) {
	s := builtin(t)
	const (
		m1 = `,
			{"id": "M1", "kind": "launch", "queue": "q1", "op": "mlp", "stage": 1, "microbatch": 1}`
		s0 = `"channel": "c", "stage": 0, "microbatch": 0}`
		r1 = `
			{"id": "R1", "kind": "recv", "queue": "q1", "channel": "c", "stage": 1, "microbatch": 1},`
	)
	noStage := told{"stage-inferred-from-core", "/program/commands/1", `S0, a send, does not say to which stage it belongs`}
	for _, c := range []struct {
		name  string
		edits []string
		want  []told
	}{
		{"as it is", nil, nil},
		{"stages on other cores", []string{`"placement": [0, 1]`, `"placement": [1, 0]`}, nil},
		{"a send without a stage", []string{s0, `"channel": "c", "microbatch": 0}`}, []told{noStage}},
		{"a send without a stage, placed elsewhere", []string{s0, `"channel": "c", "microbatch": 0}`, `"placement": [0, 1]`, `"placement": [1, 0]`}, []told{noStage}},
		{"not all launches say their stage", []string{s0, `"channel": "c", "microbatch": 0}`, `"op": "mlp", "stage": 1, "microbatch": 0`, `"op": "mlp", "microbatch": 0`,
			`"op": "mlp", "stage": 1, "microbatch": 1`, `"op": "mlp", "microbatch": 1`}, nil},
		{"the stages of both ops the other way round", []string{`"op": "embed", "stage": 0, "cores": [0]`, `"op": "embed", "stage": 1, "cores": [1]`,
			`"op": "mlp", "stage": 1, "cores": [1]`, `"op": "mlp", "stage": 0, "cores": [0]`}, []told{
			{"edge-goes-backward", "/graph/edges/0", `edge embed -> mlp goes back from stage 1 to stage 0`},
			{"command-stage-disagrees", "/program/commands/0/stage", `E0 works for stage 0, but it launches embed, which is in stage 1`},
			{"command-stage-disagrees", "/program/commands/2/stage", `E1 works for stage 0, but it launches embed, which is in stage 1`},
			{"command-stage-disagrees", "/program/commands/5/stage", `M0 works for stage 1, but it launches mlp, which is in stage 0`},
			{"command-stage-disagrees", "/program/commands/7/stage", `M1 works for stage 1, but it launches mlp, which is in stage 0`}}},
		{"a stage that the plan does not have", []string{`"op": "mlp", "stage": 1, "cores": [1]`, `"op": "mlp", "stage": 7, "cores": [1]`}, []told{
			{"instance-without-core-or-stage", "/assignment/instances/1/stage", `op mlp is in stage 7, which the plan does not have`}}},
		{"a launch that says another stage", []string{`"writes": ["x"], "stage": 0`, `"writes": ["x"], "stage": 1`}, []told{
			{"command-stage-disagrees", "/program/commands/0/stage", `E0 works for stage 1, but it launches embed, which is in stage 0`}}},
		{"a launch that says another stage, and is in no graph", []string{`"op": "embed", "writes": ["x"], "stage": 0`, `"op": "embed.fused", "writes": ["x"], "stage": 1`,
			`"op": "embed", "writes": ["y"]`, `"op": "embed.fused", "writes": ["y"]`}, []told{
			{"command-stage-disagrees", "/program/commands/1/stage", `S0, a send, works for stage 0, but what it moves is of stage 1`}}},
		{"a send that says another stage", []string{s0, `"channel": "c", "stage": 1, "microbatch": 0}`}, []told{
			{"command-stage-disagrees", "/program/commands/1/stage", `S0, a send, works for stage 1, but what it moves is of stage 0`}}},
		{"receives in another order", []string{`"channel": "c", "stage": 1, "microbatch": 0`, `"channel": "c", "stage": 1, "microbatch": 9`}, []told{
			{"p2p-unmatched", "/program/commands/4/microbatch", `S0 sends microbatch 0 on channel c, but R0, which receives it, is for microbatch 9`}}},
		{"a launch of no op of the graph", []string{`"op": "mlp", "stage": 1, "microbatch": 0`, `"op": "mlp.fused", "stage": 1, "microbatch": 0`,
			`"op": "mlp", "stage": 1, "microbatch": 1`, `"op": "mlp.fused", "stage": 1, "microbatch": 1`}, nil},
		{"a microbatch that a stage does not do", []string{m1, ``}, []told{
			{"microbatch-missing", "/program/commands/5", `stage 1 does mlp, as in M0, but not for microbatch 1`}}},
		{"a microbatch whose message is lost as well", []string{r1, ``, m1, ``}, []told{
			{"p2p-unmatched", "/program/commands/3/channel", `S1 sends on channel c, and nothing receives its message`}}},
		{"a launch for the wrong microbatch", []string{`"op": "mlp", "stage": 1, "microbatch": 1`, `"op": "mlp", "stage": 1, "microbatch": 0`}, []told{
			{"microbatch-missing", "/program/commands/5", `stage 1 does mlp, as in M0, but not for microbatch 1`}}},
		{"a microbatch twice", []string{m1, m1 + strings.Replace(m1, `M1`, `N1`, 1)}, []told{
			{"microbatch-repeated", "/program/commands/8", `device d1 launches mlp of stage 1 2 times for microbatch 1, but 1 time for others`}}},
		{"a microbatch on two devices", []string{m1, m1 + strings.NewReplacer(`M1`, `N1`, `"queue": "q1"`, `"queue": "q0"`).Replace(m1)}, nil},
		{"one that names none", []string{m1, m1 + strings.NewReplacer(`M1`, `N1`, `, "microbatch": 1`, ``).Replace(m1)}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := twoStages
			for i := 0; i < len(c.edits); i += 2 {
				if strings.Count(text, c.edits[i]) != 1 {
					t.Fatalf("%q is there %d times", c.edits[i], strings.Count(text, c.edits[i]))
				}
				text = strings.Replace(text, c.edits[i], c.edits[i+1], 1)
			}
			v := judge(t, s, plan(t, "plan.json", []byte(text)), Options{})
			if diff := cmp.Diff(c.want, tell(v.Findings)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}

// Commands have their stages from nowhere else: when stages are placed on other
// cores, no command changes its stage.
func TestPlacementChangesNoStage(t *testing.T) {
	stages := func(text string) (all []string) {
		p := plan(t, "plan.json", []byte(text))
		f, err := facts.Export(p, func(relation string) bool { return relation == "command_stage" })
		if err != nil {
			t.Fatal(err)
		}
		cols := f.Table("command_stage").Cols
		for i := range cols[0] {
			all = append(all, p.Text(ir.ID(cols[0][i]))+" "+p.Symbols.Text(cols[1][i]))
		}
		return all
	}
	want := stages(twoStages)
	got := stages(strings.Replace(twoStages, `"placement": [0, 1]`, `"placement": [1, 0]`, 1))
	if diff := cmp.Diff(want, got); diff != "" || len(got) != 8 {
		t.Errorf("%d stages (-want +got):\n%s", len(got), diff)
	}
}
