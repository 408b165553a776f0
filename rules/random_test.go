package rules

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"plancheck/facts"
	"plancheck/internal/datalog"
	"plancheck/internal/symbol"
	"plancheck/ir"
)

// The main invariants find in random small plans, most of them wrong in many
// ways, what plain loops find.
func TestRandomPlans(t *testing.T) {
	s := builtin(t)
	goals := []string{
		"op_without_instance", "lanes_without_instance", "lane_unknown", "stage_unknown", "core_unknown",
		"lane_listed_twice", "lane_stage_disagree", "split_stage_disagree", "input_consumer_not_stage_zero", "edge_goes_backward", "edge_skips_stage",
		"stage_ranges_gap", "stage_ranges_overlap", "stage_range_out_of_bounds", "core_outside_stage_range",
		"resident_weights_exceed_core", "resident_weights_exceed_every_core", "resident_weights_countless",
		"weight_not_resident", "weight_part_not_resident", "resident_core_unknown", "resident_lane_unknown", "resident_weight_unused",
		"logical_core_count_disagrees", "placement_length_disagrees", "physical_core_shared", "physical_core_unknown",
		"stage_empty", "transfer_without_edge", "transfer_stage_wrong", "range_unordered", "range_order_wrong", "furthest_wrong",
	}
	given, _ := s.program.Reads(goals)
	rapid.Check(t, func(t *rapid.T) {
		p := drawPlan(t)
		f, err := facts.Export(p, among(given))
		if err != nil {
			t.Fatal(err)
		}
		db, err := s.program.Eval(context.Background(), p.Symbols, f.Tables, goals, datalog.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		got := []string{}
		for _, goal := range goals {
			for _, row := range db.Rows(goal) {
				got = append(got, p.Symbols.FormatAtom(goal, row))
			}
		}
		want := newModel(p).violations()
		slices.Sort(got)
		slices.Sort(want)
		if diff := cmp.Diff(slices.Compact(want), got); diff != "" {
			t.Fatalf("violations (-want +got):\n%s\nof\n%s", diff, ir.Encode(p))
		}
	})
}

// some draws a number below n, or now and then None.
func some(t *rapid.T, n int64, what string) int64 {
	v := rapid.Int64Range(-1, 4*n-1).Draw(t, what)
	if v < 0 {
		return ir.None
	}
	return v % n
}

// sized makes a size, now and then, one near the limits of what is counted.
func sized(t *rapid.T, size int64) int64 {
	if rapid.IntRange(0, 9).Draw(t, "is large") > 0 {
		return size
	}
	return rapid.SampledFrom([]int64{1<<46 - 1, 1 << 46, 1 << 62, math.MaxInt64 - 1, math.MaxInt64}).Draw(t, "large")
}

func drawPlan(t *rapid.T) *ir.Plan {
	p := &ir.Plan{Symbols: symbol.NewTable(), LogicalCores: ir.None}
	draw := func(lo, hi int64, what string) int64 { return rapid.Int64Range(lo, hi).Draw(t, what) }
	cores := draw(1, 5, "cores")
	p.Options.Nonempty = draw(0, 1, "no stage is empty") == 1
	if draw(0, 3, "states logical cores") == 0 {
		p.LogicalCores = draw(0, 6, "logical cores")
	}
	p.Target = &ir.Target{CoreCount: ir.None, BytesPerCycle: ir.None}
	for i := range cores {
		p.Target.Cores = append(p.Target.Cores, ir.Core{ID: i, Row: ir.None, Col: ir.None, Capacity: sized(t, some(t, 12, "capacity"))})
	}
	for i := range draw(0, 3, "weights") {
		p.Graph.Weights = append(p.Graph.Weights, ir.Weight{ID: p.Symbols.String(fmt.Sprint("w", i)), Size: sized(t, draw(0, 9, "size"))})
	}
	for i := range draw(1, 4, "ops") {
		op := ir.Op{ID: p.Symbols.String(fmt.Sprint("o", i)), Lanes: draw(1, 3, "lanes"), MaxParts: ir.None, Windows: ir.None, ForwardCycles: ir.None}
		if draw(0, 3, "is a forward") == 0 {
			op.Kind = ir.KindForward
		}
		for _, w := range p.Graph.Weights {
			if draw(0, 1, "uses") == 1 {
				op.Weights = append(op.Weights, w.ID)
			}
		}
		p.Graph.Ops = append(p.Graph.Ops, op)
		if parts := some(t, 3, "split"); parts > 0 && draw(0, 2, "is split") == 0 {
			p.Assignment.Splits = append(p.Assignment.Splits, ir.Split{Op: op.ID, Parts: parts})
		}
	}
	ops := p.Graph.Ops
	anyOp := func() ir.ID { return ops[draw(0, int64(len(ops)-1), "op")].ID }
	for range draw(0, 5, "edges") {
		p.Graph.Edges = append(p.Graph.Edges, ir.Edge{From: anyOp(), To: anyOp(), Size: ir.None})
	}
	p.Graph.Inputs = []ir.Input{
		{ID: p.Symbols.String("x"), Dynamic: true, Size: ir.None, ForwardCycles: ir.None, Consumers: []ir.ID{anyOp()}},
		{ID: p.Symbols.String("k"), Size: ir.None, ForwardCycles: ir.None, Consumers: []ir.ID{anyOp()}},
	}
	for i := range draw(1, 4, "stages") {
		st := ir.Stage{Index: i, First: draw(0, 5, "first"), Count: draw(0, 3, "count")}
		if draw(0, 19, "no range") == 0 {
			st.First, st.Count = ir.None, ir.None
		}
		p.Stages = append(p.Stages, st)
	}
	for _, op := range ops {
		drawInstances(t, p, op)
	}
	if draw(0, 2, "placed") > 0 {
		p.Assignment.Placement = []int64{}
		places := cores
		if draw(0, 3, "of another length") == 0 {
			places = draw(0, 6, "places")
		}
		for range places {
			p.Assignment.Placement = append(p.Assignment.Placement, some(t, cores+draw(0, 1, "beyond"), "physical"))
		}
	}
	for i := range draw(0, 2, "transfers") {
		p.Transfers = append(p.Transfers, ir.Transfer{ID: p.Symbols.String(fmt.Sprint("t", i)), From: anyOp(), To: anyOp(),
			Stage: draw(0, 3, "stage of transfer"), FromStage: ir.None, ToStage: ir.None})
	}
	if len(p.Graph.Weights) > 0 && draw(0, 2, "resident") == 0 {
		drawResidency(t, p, cores)
	}
	return p
}

func drawInstances(t *rapid.T, p *ir.Plan, op ir.Op) {
	stage := some(t, 5, "stage of op")
	for range rapid.IntRange(0, 3).Draw(t, "entries") {
		in := ir.Instance{Op: op.ID, Stage: stage, Part: ir.None}
		if rapid.IntRange(0, 5).Draw(t, "moves") == 0 {
			in.Stage = some(t, 5, "stage")
		}
		if len(p.Assignment.Splits) > 0 && rapid.Bool().Draw(t, "a part") {
			in.Part = some(t, 3, "part")
		}
		for range rapid.IntRange(1, 3).Draw(t, "lanes") {
			in.Lanes = append(in.Lanes, rapid.Int64Range(0, op.Lanes).Draw(t, "lane"))
			in.Cores = append(in.Cores, some(t, 6, "core"))
		}
		p.Assignment.Instances = append(p.Assignment.Instances, in)
	}
}

func drawResidency(t *rapid.T, p *ir.Plan, cores int64) {
	p.Assignment.Residency = []ir.Resident{}
	for range rapid.IntRange(0, 6).Draw(t, "residents") {
		r := ir.Resident{
			Weight: rapid.SampledFrom(p.Graph.Weights).Draw(t, "weight").ID,
			Lanes:  []int64{rapid.Int64Range(0, 2).Draw(t, "lane")},
			Cores:  []int64{rapid.Int64Range(0, cores).Draw(t, "core")},
			Part:   ir.None, Parts: ir.None,
		}
		if rapid.Bool().Draw(t, "a part") {
			r.Parts = rapid.Int64Range(1, 3).Draw(t, "parts")
			r.Part = rapid.Int64Range(0, r.Parts-1).Draw(t, "part")
		}
		p.Assignment.Residency = append(p.Assignment.Residency, r)
	}
}

// model is a plan as plain loops see it.
type model struct {
	*ir.Plan
	runs   []run
	parts  map[ir.ID]int64          // of ops that are split
	stages map[ir.ID]map[int64]bool // known stages of each op
	cores  int64                    // of the target
	most   int64                    // cores that the plan or its target has
	fewest int64
	found  []string
}

type run struct {
	op                      ir.ID
	lane, part, stage, core int64
}

func newModel(p *ir.Plan) *model {
	m := &model{Plan: p, parts: map[ir.ID]int64{}, stages: map[ir.ID]map[int64]bool{}, cores: int64(len(p.Target.Cores))}
	m.most, m.fewest = m.cores, m.cores
	if p.LogicalCores != ir.None {
		m.most, m.fewest = max(m.cores, p.LogicalCores), min(m.cores, p.LogicalCores)
	}
	for _, s := range p.Assignment.Splits {
		m.parts[s.Op] = s.Parts
	}
	for _, in := range p.Assignment.Instances {
		for i, lane := range in.Lanes {
			m.runs = append(m.runs, run{in.Op, lane, in.Part, in.Stage, in.Cores[i]})
			if 0 <= in.Stage && in.Stage < int64(len(p.Stages)) {
				if m.stages[in.Op] == nil {
					m.stages[in.Op] = map[int64]bool{}
				}
				m.stages[in.Op][in.Stage] = true
			}
		}
	}
	return m
}

func (m *model) tell(relation string, args ...any) {
	text := []string{}
	for _, a := range args {
		switch a := a.(type) {
		case ir.ID:
			text = append(text, m.Symbols.Format(a))
		case []int64:
			slices.Sort(a)
			text = append(text, strings.ReplaceAll(fmt.Sprint(slices.Compact(a)), " ", ", "))
		default:
			text = append(text, fmt.Sprint(a))
		}
	}
	m.found = append(m.found, relation+"("+strings.Join(text, ", ")+")")
}

// only is the one known stage of an op.
func (m *model) only(op ir.ID) (int64, bool) {
	for s := range m.stages[op] {
		return s, len(m.stages[op]) == 1
	}
	return 0, false
}

func (m *model) violations() []string {
	m.found = []string{}
	m.instances()
	m.together()
	m.graph()
	m.ranges()
	m.empty()
	m.weights()
	m.placement()
	m.transfers()
	return m.found
}

func (m *model) instances() {
	for _, op := range m.Graph.Ops {
		var missing []int64
		for lane := range op.Lanes {
			if !slices.ContainsFunc(m.runs, func(r run) bool { return r.op == op.ID && r.lane == lane }) {
				missing = append(missing, lane)
			}
		}
		if !slices.ContainsFunc(m.runs, func(r run) bool { return r.op == op.ID }) {
			m.tell("op_without_instance", op.ID)
		} else if missing != nil && !m.misnumbered(op) {
			m.tell("lanes_without_instance", op.ID, missing)
		}
		for _, r := range m.runs {
			if r.op != op.ID {
				continue
			}
			if r.lane >= op.Lanes {
				m.tell("lane_unknown", r.op, r.lane, op.Lanes)
			}
			if r.stage >= int64(len(m.Stages)) {
				m.tell("stage_unknown", r.op, r.stage)
			}
			if r.core >= m.most {
				m.tell("core_unknown", r.op, r.lane, r.core, m.most)
			}
			if m.twice(r) {
				m.tell("lane_listed_twice", r.op, r.lane)
			}
		}
	}
}

// empty tells of stages without work, unless some op may still come to be there.
func (m *model) empty() {
	working := map[int64]bool{}
	for _, op := range m.Graph.Ops {
		if op.Kind == ir.KindForward {
			continue
		}
		if len(m.stages[op.ID]) == 0 {
			return
		}
		for stage := range m.stages[op.ID] {
			working[stage] = true
		}
	}
	for _, s := range m.Stages {
		if m.Options.Nonempty && !working[s.Index] {
			m.tell("stage_empty", s.Index)
		}
	}
}

func (m *model) placement() {
	logical := m.LogicalCores
	if logical == ir.None {
		logical = m.cores
	}
	if logical != m.cores {
		m.tell("logical_core_count_disagrees", logical, m.cores)
	}
	places := int64(len(m.Assignment.Placement))
	if m.Assignment.Placement != nil && places != logical && places != m.cores {
		m.tell("placement_length_disagrees", places, logical)
	}
	for physical := int64(0); physical <= m.cores && places <= m.cores; physical++ {
		var on []int64
		for l, ph := range m.Assignment.Placement {
			if ph == physical {
				on = append(on, int64(l))
			}
		}
		switch {
		case on != nil && physical == m.cores:
			m.tell("physical_core_unknown", physical, on, on[0])
		case len(on) > 1:
			m.tell("physical_core_shared", physical, on, on[len(on)-1])
		}
	}
}

func (m *model) transfers() {
	for _, tr := range m.Transfers {
		from, ok1 := m.only(tr.From)
		to, ok2 := m.only(tr.To)
		switch {
		case !slices.ContainsFunc(m.Graph.Edges, func(e ir.Edge) bool { return e.From == tr.From && e.To == tr.To }):
			m.tell("transfer_without_edge", tr.ID, tr.From, tr.To)
		case ok1 && ok2 && tr.Stage != from && tr.Stage != to:
			m.tell("transfer_stage_wrong", tr.ID, tr.Stage, tr.From, from, tr.To, to)
		}
	}
}

// misnumbered says whether a run of the op has a lane that the op does not have
// or that another run has.
func (m *model) misnumbered(op ir.Op) bool {
	return slices.ContainsFunc(m.runs, func(r run) bool {
		return r.op == op.ID && (r.lane >= op.Lanes || m.twice(r))
	})
}

func (m *model) twice(r run) bool {
	n := 0
	for _, q := range m.runs {
		if q.op == r.op && q.lane == r.lane && q.part == r.part {
			n++
		}
	}
	return n > 1
}

// misnamed says whether the lane of a run, or the core that it has, is told of.
func (m *model) misnamed(r run) bool {
	if r.core >= m.most {
		return true
	}
	for _, q := range m.runs {
		if q.op != r.op || q.lane != r.lane {
			continue
		}
		outside := fmt.Sprintf("core_outside_stage_range(%s, %d, %d, %d)", m.Symbols.Format(r.op), r.lane, q.stage, r.core)
		if m.twice(q) || slices.Contains(m.found, outside) {
			return true
		}
	}
	i := slices.IndexFunc(m.Graph.Ops, func(o ir.Op) bool { return o.ID == r.op })
	return r.lane >= m.Graph.Ops[i].Lanes
}

// together judges ops in several stages. A lane or a part that is itself in
// several is listed twice, and says nothing about the others.
func (m *model) together() {
	for _, op := range m.Graph.Ops {
		if len(m.stages[op.ID]) < 2 {
			continue
		}
		var ofOp []int64
		parts := false
		for lane := range op.Lanes + 1 {
			stages := map[int64][]int64{} // of each part; of the whole lane at None
			var ofLane, ofParts []int64
			for _, r := range m.runs {
				if r.op != op.ID || r.lane != lane {
					continue
				}
				if r.part >= 0 && stages[r.part] == nil {
					stages[r.part] = []int64{}
				}
				if m.stages[op.ID][r.stage] {
					stages[r.part] = append(stages[r.part], r.stage)
					ofLane = append(ofLane, r.stage)
				}
			}
			torn := false
			for part, s := range stages {
				differ := len(s) > 0 && slices.Min(s) != slices.Max(s)
				switch {
				case part >= 0 && differ, part < 0 && differ && len(stages) == 1:
					torn = true
				case part >= 0:
					ofParts = append(ofParts, s...)
				}
			}
			if !torn {
				ofOp = append(ofOp, ofLane...)
			}
			if len(ofParts) > 0 && slices.Min(ofParts) != slices.Max(ofParts) {
				parts = true
				m.tell("split_stage_disagree", op.ID, lane, ofParts, slices.Max(ofParts))
			}
		}
		if !parts && len(ofOp) > 0 && slices.Min(ofOp) != slices.Max(ofOp) {
			m.tell("lane_stage_disagree", op.ID, ofOp, slices.Max(ofOp))
		}
	}
}

func (m *model) graph() {
	for _, op := range m.Graph.Inputs[0].Consumers {
		if s, ok := m.only(op); ok && s > 0 {
			m.tell("input_consumer_not_stage_zero", m.Graph.Inputs[0].ID, op, s)
		}
	}
	for _, e := range m.Graph.Edges {
		from, ok1 := m.only(e.From)
		to, ok2 := m.only(e.To)
		switch {
		case ok1 && ok2 && to < from:
			m.tell("edge_goes_backward", e.From, e.To, from, to)
		case ok1 && ok2 && to > from+1:
			m.tell("edge_skips_stage", e.From, e.To, from, to)
		}
	}
}

// owns says whether a stage owns a core that exists.
func (m *model) owns(s ir.Stage, core int64) bool {
	return s.First != ir.None && s.First <= core && core < min(s.First+s.Count, m.most)
}

func (m *model) ranges() {
	owners := make([][]int64, m.most)
	open, last := false, int64(-1) // the last core that is owned
	for _, s := range m.Stages {
		open = open || s.First == ir.None
		if s.First != ir.None && s.Count > 0 && s.First+s.Count > m.most {
			m.tell("stage_range_out_of_bounds", s.Index, s.First, s.Count, m.most)
		}
		for core := range m.most {
			if m.owns(s, core) {
				owners[core] = append(owners[core], s.Index)
				last = max(last, core)
			}
		}
	}
	for first := int64(0); first < m.most && last >= 0 && !open; first++ {
		end := first
		for end < m.most && owners[end] == nil {
			end++
		}
		if end > last {
			end = max(first, m.fewest)
		}
		if end > first {
			if first > 0 { // the first of the stages that end here
				m.tell("stage_ranges_gap", first, end-1, slices.Min(owners[first-1]))
			} else {
				m.tell("stage_ranges_gap", first, end-1, slices.Min(owners[end]))
			}
		}
		first = max(first, end)
	}
	m.overlaps()
	for _, r := range m.runs {
		if r.stage < 0 || r.stage >= int64(len(m.Stages)) || r.core < 0 || r.core >= m.most || len(m.stages[r.op]) > 1 {
			continue
		}
		s := m.Stages[r.stage]
		visible := s.First != ir.None && s.Count > 0 && s.First < m.most
		if visible && !m.owns(s, r.core) {
			m.tell("core_outside_stage_range", r.op, r.lane, r.stage, r.core)
		}
	}
}

// overlaps compares each range with that one which reaches furthest of those
// that begin before it.
func (m *model) overlaps() {
	for _, s := range m.Stages {
		var before *ir.Stage
		for i, u := range m.Stages {
			if !m.owns(u, u.First) || u.First > s.First || u.First == s.First && u.Index >= s.Index {
				continue
			}
			if before == nil || u.First+u.Count > before.First+before.Count {
				before = &m.Stages[i]
			}
		}
		var shared []int64
		for core := range m.most {
			if before != nil && m.owns(s, core) && m.owns(*before, core) {
				shared = append(shared, core)
			}
		}
		if shared != nil {
			m.tell("stage_ranges_overlap", before.Index, s.Index, shared[0], shared[len(shared)-1])
		}
	}
}

type slice struct {
	weight            ir.ID
	lane, part, parts int64
}

func (m *model) weights() {
	resident := map[int64]map[slice]bool{}
	add := func(core int64, s slice) {
		if resident[core] == nil {
			resident[core] = map[slice]bool{}
		}
		resident[core][s] = true
	}
	wrongly := map[ir.ID]bool{} // weights some slice of which is listed with a wrong number
	listed := m.Assignment.Residency != nil
	for _, r := range m.Assignment.Residency {
		if r.Part == ir.None {
			r.Part, r.Parts = 0, 1
		}
		add(r.Cores[0], slice{r.Weight, r.Lanes[0], r.Part, r.Parts})
		lanes := int64(0) // of the op with most of those that use the weight
		for _, op := range m.Graph.Ops {
			if slices.Contains(op.Weights, r.Weight) {
				lanes = max(lanes, op.Lanes)
			}
		}
		if lanes > 0 && r.Lanes[0] >= lanes {
			wrongly[r.Weight] = true
			m.tell("resident_lane_unknown", r.Weight, r.Lanes[0], lanes)
		}
		if r.Cores[0] >= m.most {
			wrongly[r.Weight] = true
			m.tell("resident_core_unknown", r.Weight, r.Lanes[0], r.Cores[0], m.most)
		}
		if lanes == 0 {
			m.tell("resident_weight_unused", r.Weight)
		}
	}
	for _, r := range m.runs {
		parts, split := m.parts[r.op]
		i := slices.IndexFunc(m.Graph.Ops, func(o ir.Op) bool { return o.ID == r.op })
		for _, w := range m.Graph.Ops[i].Weights {
			s := slice{w, r.lane, 0, 1}
			if split {
				s = slice{w, r.lane, r.part, parts}
			}
			switch {
			case r.core < 0 || split && (r.part < 0 || r.part >= parts):
			case !listed:
				add(r.core, s)
			case m.misnamed(r) || wrongly[w]:
			case split && !resident[r.core][s] && !resident[r.core][slice{w, r.lane, 0, 1}]:
				m.tell("weight_part_not_resident", r.op, w, r.lane, r.part, r.core)
			case !split && !resident[r.core][s]:
				m.tell("weight_not_resident", r.op, w, r.lane, r.core)
			}
		}
	}
	largest := int64(0)
	for _, c := range m.Target.Cores {
		largest = max(largest, c.Capacity)
	}
	if slices.ContainsFunc(m.Target.Cores, func(c ir.Core) bool { return c.Capacity == ir.None }) {
		largest = ir.None
	}
	for core, all := range resident {
		used := new(big.Int)
		for s := range all {
			if s.parts == 1 || !all[slice{s.weight, s.lane, 0, 1}] {
				used.Add(used, big.NewInt(m.bytes(s)))
			}
		}
		physical := int64(ir.None)
		if core < int64(len(m.Assignment.Placement)) {
			physical = m.Assignment.Placement[core]
		}
		capacity := largest
		if physical >= m.cores {
			continue
		} else if physical != ir.None {
			capacity = m.Target.Cores[physical].Capacity
		}
		switch {
		case capacity == ir.None || used.Cmp(big.NewInt(capacity)) <= 0 || physical == ir.None && core >= m.most:
		case !used.IsInt64():
			m.tell("resident_weights_countless", core)
		case physical == ir.None:
			m.tell("resident_weights_exceed_every_core", core, used, largest)
		default:
			m.tell("resident_weights_exceed_core", core, physical, used, capacity)
		}
	}
}

func (m *model) bytes(s slice) int64 {
	i := slices.IndexFunc(m.Graph.Weights, func(w ir.Weight) bool { return w.ID == s.weight })
	size := m.Graph.Weights[i].Size
	n := size / 1000 / s.parts * 1000
	for b := range size - n*s.parts { // deal the bytes out one by one, thousands all at once
		if b%s.parts == s.part {
			n++
		}
	}
	return n
}
