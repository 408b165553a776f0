package report

import (
	"io"
	"reflect"

	"plancheck/internal/strictjson"
)

// ExplorationSchema names the format of json lists of schedules. The number grows
// when a field changes its meaning or goes away; new fields may come without
// notice.
const ExplorationSchema = "plancheck.exploration/1"

type jsonAsked struct {
	Count    int    `json:"count"`
	Within   string `json:"within_percent"`
	Distance int    `json:"distance"`
	Pareto   bool   `json:"pareto"`
}

type jsonSchedule struct {
	Number int        `json:"number,omitempty"`
	File   string     `json:"file,omitempty"`
	Digest string     `json:"digest"`
	Costs  jsonPrices `json:"costs"`
	Front  bool       `json:"on_front"`
	Errors int        `json:"errors"`
	Best   []jsonMove `json:"differs_from_best"`
	// Current is there when the list has a current plan.
	Current *[]jsonMove `json:"differs_from_current,omitempty"`
}

// jsonPrices are the costs of a schedule; those that are not known are null.
type jsonPrices struct {
	Interval *int64 `json:"interval_cycles"`
	Forwards *int64 `json:"forwards"`
	Traffic  *int64 `json:"traffic_byte_hops"`
	Peak     *int64 `json:"peak_resident_bytes"`
	Busy     *int64 `json:"cores_used"`
}

type jsonMove struct {
	Op   string `json:"op"`
	From int    `json:"from_stage"`
	To   int    `json:"to_stage"`
}

// writeExploreJSON writes a schedule on one line each.
func writeExploreJSON(w io.Writer, x *Exploration, _ Options) error {
	out := newJSONWriter(w)
	out.open("", '{')
	out.value("schema", ExplorationSchema)
	out.value("tool", jsonTool{"plancheck", x.Version})
	out.value("plan", x.Name)
	out.open("rule_files", '[')
	for _, f := range x.RuleFiles {
		out.value("", jsonRuleFile{f.Name, f.Digest, f.Builtin, f.Rules})
	}
	out.close(']')
	out.value("invariants", x.Invariants)
	out.value("asked", jsonAsked{x.Count, x.Within, x.Distance, x.Pareto})
	out.value("bound_cycles", x.Bound)
	out.value("limit_cycles", x.Limit)
	out.value("found", x.Found)
	out.value("complete", x.All)
	if !x.All {
		out.value("ended", x.Ended)
	}
	out.value("left_out_by_rules", x.Broken)
	out.value("without_cores", x.Unpacked)
	if x.Current != nil {
		out.value("current", scheduleOf(x.Current, false))
	}
	out.open("schedules", '[')
	for i := range x.Schedules {
		out.value("", scheduleOf(&x.Schedules[i], x.Current != nil))
	}
	out.close(']')
	out.close('}')
	return out.finish()
}

func scheduleOf(s *Schedule, compared bool) jsonSchedule {
	j := jsonSchedule{Number: s.Number, File: s.File, Digest: s.Digest, Front: s.Front, Errors: s.Errors,
		Best: movesOf(s.FromBest)}
	if compared {
		moves := movesOf(s.FromCurrent)
		j.Current = &moves
	}
	for i, to := range []**int64{&j.Costs.Interval, &j.Costs.Forwards, &j.Costs.Traffic, &j.Costs.Peak, &j.Costs.Busy} {
		if s.Costs[i] != NotKnown {
			*to = &s.Costs[i]
		}
	}
	return j
}

func movesOf(moves []Move) []jsonMove {
	list := []jsonMove{}
	for _, m := range moves {
		list = append(list, jsonMove(m))
	}
	return list
}

// ExplorationJSONSchema describes the json lists of schedules of this version.
func ExplorationJSONSchema() *strictjson.Schema {
	b := &schemaBuilder{}
	name := text()
	name.Const = ExplorationSchema
	count := func() *strictjson.Schema {
		return &strictjson.Schema{Type: strictjson.Types{"integer"}, Minimum: ptr(0)}
	}
	row := b.of(reflect.TypeFor[jsonSchedule]())
	root := object("a list of schedules",
		field("schema", name), field("tool", b.of(reflect.TypeFor[jsonTool]())), field("plan", text()),
		field("rule_files", listOf(b.of(reflect.TypeFor[jsonRuleFile]()))), field("invariants", count()),
		field("asked", b.of(reflect.TypeFor[jsonAsked]())), field("bound_cycles", count()), field("limit_cycles", count()),
		field("found", count()), field("complete", boolean()), field("ended?", text()),
		field("left_out_by_rules", count()), field("without_cores", count()),
		field("current?", row), field("schedules", listOf(row)))
	root.Defs = b.defs
	for _, p := range b.defs.Get("prices").Properties {
		p.Schema.Minimum = ptr(0)
	}
	return root
}
