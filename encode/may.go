package encode

import (
	"plancheck/internal/search/schedule"
	"plancheck/internal/symbol"
	"plancheck/ir"
)

// Choice is a relation of facts of which solutions decide.
type Choice struct {
	Relation string
	// Rows are all that a solution may make, each once.
	Rows [][]symbol.Value
	// When says of each row which solutions make it: those of which all claims of
	// one of its lists are true.
	When [][][]schedule.Claim
}

// MostMay bounds how many rows the choices of one relation may have, about.
const MostMay = 300_000

// May says which facts of complete plans depend on the solution, and how; all
// other facts are the same for all solutions. Of the relations in unknown it says
// nothing but that they depend on stages, and cores of shares and forwards. Off are kinds of constraints that solutions may break.
func (m *Model) May(off []schedule.Kind) (choices []Choice, unknown []string) {
	b := &mayBuilder{Model: m, off: map[schedule.Kind]bool{}, rows: map[string]*choice{}}
	for _, k := range off {
		b.off[k] = true
	}
	b.placement()
	b.ranges()
	if !b.small() || !b.forwardIDs() {
		return b.choices(), append(unlisted(), transferRelations()...)
	}
	b.shares()
	b.residents()
	switch {
	case b.forwards():
		unknown = append(transferRelations(), "graph_digest", "graph_content_digest", "assignment_graph_digest", "op_rank", "repeated_edge")
	case !b.transfers():
		unknown = transferRelations()
	}
	return b.choices(), unknown
}

// unlisted are the relations that shares of ops and forwards make.
func unlisted() []string {
	return []string{
		"instance", "instance_stage", "instance_core", "instance_listed", "part", "part_stage", "part_core",
		"resident_listed", "resident_part_listed", "op", "op_lane", "op_kind", "op_forwards", "forward_cycles",
		"edge", "edge_value", "edge_named_value", "input_consumer", "repeated_edge", "op_rank",
		"graph_digest", "graph_content_digest", "assignment_graph_digest",
	}
}

type mayBuilder struct {
	*Model
	off   map[schedule.Kind]bool
	rows  map[string]*choice
	order []string
	ids   map[hop]ir.ID // of forwards that may be
}

// choice is a Choice in the making.
type choice struct {
	Choice
	at map[string]int
}

// add says that a row is made when all claims are true.
func (b *mayBuilder) add(relation string, row []symbol.Value, claims ...schedule.Claim) {
	c := b.rows[relation]
	if c == nil {
		c = &choice{Choice: Choice{Relation: relation}, at: map[string]int{}}
		b.rows[relation] = c
		b.order = append(b.order, relation)
	}
	key := make([]byte, 0, 4*len(row))
	for _, v := range row {
		key = append(key, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
	}
	i, known := c.at[string(key)]
	if !known {
		i = len(c.Rows)
		c.at[string(key)] = i
		c.Rows, c.When = append(c.Rows, row), append(c.When, nil)
	}
	c.When[i] = append(c.When[i], claims)
}

// declare makes a relation known that may have no rows.
func (b *mayBuilder) declare(relations ...string) {
	for _, r := range relations {
		if b.rows[r] == nil {
			b.rows[r] = &choice{Choice: Choice{Relation: r}, at: map[string]int{}}
			b.order = append(b.order, r)
		}
	}
}

func (b *mayBuilder) choices() []Choice {
	var list []Choice
	for _, name := range b.order {
		list = append(list, b.rows[name].Choice)
	}
	return list
}

func (b *mayBuilder) num(n int) symbol.Value { return b.plan.Symbols.Int(int64(n)) }

// small says whether there are not too many rows.
func (b *mayBuilder) small() bool {
	p, n := b.Problem, 0
	for i := range p.Ops {
		n += p.Ops[i].Shares()
	}
	for _, v := range p.Values {
		n += v.Forward
	}
	for _, r := range p.Reads { // of transfers
		n += p.Ops[r.To].Shares()
	}
	return n <= MostMay/p.Stages/p.Cores
}

func (b *mayBuilder) placement() {
	b.declare("placement")
	for core, given := range b.Problem.Places {
		for machine := range b.Problem.Machine {
			if given == schedule.Free || given == machine || b.off[schedule.Placed] {
				row := []symbol.Value{b.num(core), b.plan.Symbols.Int(b.plan.Target.Cores[machine].ID)}
				b.add("placement", row, schedule.Claim{What: schedule.PlacedOn, A: core, B: machine})
			}
		}
	}
}

// ranges: a stage has the cores from its first to before the first of the next.
func (b *mayBuilder) ranges() {
	p := b.Problem
	b.declare("stage_range")
	begins := func(stage int) (lo, hi int) {
		switch stage {
		case 0:
			return 0, 0
		case p.Stages:
			return p.Cores, p.Cores
		}
		return stage, p.Cores - p.Stages + stage
	}
	for s := range p.Stages {
		lo, hi := begins(s)
		_, last := begins(s + 1)
		for first := lo; first <= hi; first++ {
			least, _ := begins(s + 1)
			for end := max(first+1, least); end <= last; end++ {
				var claims []schedule.Claim
				if s > 0 {
					claims = append(claims, schedule.Claim{What: schedule.Begins, A: s, B: first})
				}
				if s+1 < p.Stages {
					claims = append(claims, schedule.Claim{What: schedule.Begins, A: s + 1, B: end})
				}
				b.add("stage_range", []symbol.Value{b.num(s), b.num(first), b.num(end - first)}, claims...)
			}
		}
	}
}

func inStage(op, stage int) schedule.Claim {
	return schedule.Claim{What: schedule.InStage, A: op, B: stage}
}

// shares are what the instances of ops make.
func (b *mayBuilder) shares() {
	p := b.Problem
	b.declare("instance", "instance_stage", "instance_core", "part", "part_stage", "part_core")
	for o := range p.Ops {
		op := &p.Ops[o]
		id := b.plan.Graph.Ops[o].ID
		for share := range op.Shares() {
			lane, part := b.num(share/op.Parts), b.num(share%op.Parts)
			for c := range p.Cores {
				if op.Pins != nil && op.Pins[share] != schedule.Free && op.Pins[share] != c && !b.off[schedule.CorePinned] {
					continue
				}
				on := schedule.Claim{What: schedule.OnCore, A: o, B: share, C: c}
				b.add("instance_core", []symbol.Value{id, lane, b.num(c)}, on)
				if b.split[o] {
					b.add("part_core", []symbol.Value{id, lane, part, b.num(c)}, on)
				}
				for s := range p.Stages {
					if !b.mayBeIn(o, s) || !b.off[schedule.InRange] && (c < s || c > p.Cores-p.Stages+s) {
						continue
					}
					b.add("instance", []symbol.Value{id, lane, b.num(s), b.num(c)}, inStage(o, s), on)
					if b.split[o] {
						b.add("part", []symbol.Value{id, lane, part, b.num(s), b.num(c)}, inStage(o, s), on)
					}
				}
			}
			for s := range p.Stages {
				if !b.mayBeIn(o, s) {
					continue
				}
				if share%op.Parts == 0 {
					b.add("instance_stage", []symbol.Value{id, lane, b.num(s)}, inStage(o, s))
				}
				if b.split[o] {
					b.add("part_stage", []symbol.Value{id, lane, part, b.num(s)}, inStage(o, s))
				}
			}
		}
	}
}

func (b *mayBuilder) mayBeIn(op, stage int) bool {
	o := &b.Problem.Ops[op]
	return b.off[schedule.StagePinned] || o.Lo <= stage && stage <= o.Hi
}

// residents are the slices that a list of residency has: those that shares use;
// a part only where the whole is not.
func (b *mayBuilder) residents() {
	b.declare("resident_listed", "resident_part_listed")
	if b.plan.Assignment.Residency == nil {
		return
	}
	p := b.Problem
	users := map[slice][]schedule.Claim{} // of whole slices
	each := func(use func(at slice, on schedule.Claim)) {
		for o := range p.Ops {
			op := &p.Ops[o]
			for share := range op.Shares() {
				for c := range p.Cores {
					for _, w := range op.Weights {
						use(slice{w, share / op.Parts, share % op.Parts, op.Parts, c}, schedule.Claim{What: schedule.OnCore, A: o, B: share, C: c})
					}
				}
			}
		}
	}
	each(func(at slice, on schedule.Claim) {
		if at.parts == 1 {
			users[at] = append(users[at], on)
			b.add("resident_listed", []symbol.Value{b.plan.Graph.Weights[at.weight].ID, b.num(at.lane), b.num(at.core)}, on)
		}
	})
	each(func(at slice, on schedule.Claim) {
		if at.parts == 1 {
			return
		}
		claims := []schedule.Claim{on}
		for _, whole := range users[at.whole()] {
			claims = append(claims, whole.Opposite())
		}
		b.add("resident_part_listed", []symbol.Value{
			b.plan.Graph.Weights[at.weight].ID, b.num(at.lane), b.num(at.part), b.num(at.parts), b.num(at.core),
		}, claims...)
	})
}
