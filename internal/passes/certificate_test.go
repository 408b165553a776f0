package passes

import (
	"encoding/json"
	"testing"

	"plancheck/encode"
	"plancheck/internal/bench/solvecases"
	"plancheck/internal/search/schedule"
	"plancheck/ir"
)

// A clause on memory counts no cycles; one on load says those of each member.
func TestCoreClause(t *testing.T) {
	plan, err := solvecases.Cases()[0].Read("../../testdata/cases/solve")
	if err != nil {
		t.Fatal(err)
	}
	m, diags := encode.New(plan, encode.Options{ForwardCycles: ir.None})
	if m == nil {
		t.Fatal(diags)
	}
	p := m.Problem
	p.Ops[0].Cycles, p.Ops[1].Cycles, p.Kinds = []int64{3, 5}, []int64{2, 4}, 2
	p.Ops[1].Lanes, p.Ops[1].Parts = 2, 2
	p.Values[0].Cycles = []int64{7, 9}
	first, second, value := m.OpName(0), m.OpName(1), m.ValueName(0)
	load := schedule.Cover{
		Core: schedule.Core{Capacity: schedule.Unknown, Kind: 1}, Sum: 18,
		Members: []schedule.Member{{Op: 0}, {Op: 1, Share: 3}, {Op: schedule.Free, Value: 0, Stage: 1, Lane: 0}},
	}
	memory := schedule.Cover{
		Core: schedule.Core{Capacity: 10}, Sum: 11, Memory: true,
		Members: []schedule.Member{{Op: 1, Share: 2}}, Without: []schedule.Member{{Op: 0}},
	}
	for _, c := range []struct {
		cover schedule.Cover
		want  string
	}{
		{load, `{"core_kind":1,"on_one_core":[{"op":"` + first + `","lane":0,"cycles":5},{"op":"` + second + `","lane":1,"part":1,"cycles":4}],` +
			`"forwards_on_it":[{"value":"` + value + `","stage":1,"lane":0,"cycles":9}],"unit":"cycles","sum":18}`},
		{memory, `{"core_capacity_bytes":10,"on_one_core":[{"op":"` + second + `","lane":1,"part":0}],` +
			`"not_on_it":[{"op":"` + first + `","lane":0}],"unit":"bytes","sum":11}`},
	} {
		got, err := json.Marshal(words{m}.coreClause(&c.cover))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}
