package passes

import (
	"slices"
	"strings"

	"plancheck/encode"
	"plancheck/internal/diag"
	"plancheck/internal/symbol"
)

// attribute finds the violations that each change cures: those whose proof rests
// on a fact of what the change is about, at the place where the change is.
// The table has the values in the proofs.
func (out *Mended) attribute(changes []encode.Change, of *symbol.Table) {
	cured := make([]bool, len(out.Before))
	near := newNearby(out.Before, of)
	for _, c := range changes {
		cure := Cure{Change: c}
		for _, i := range near.under(&c) {
			cure.Cures = append(cure.Cures, out.Before[i])
			cured[i] = true
		}
		out.Changes = append(out.Changes, cure)
	}
	for i, is := range cured {
		if !is {
			out.Cured = append(out.Cured, out.Before[i])
		}
	}
}

// nearby finds findings by the places of the facts that they rest on: there may
// be as many changes as findings, and not every pair can be looked at.
type nearby struct {
	at     map[string][]rest // by the place of a fact
	within map[string][]rest // and by every place around it
}

// rest says that a finding rests on a fact.
type rest struct {
	finding int
	on      ground
}

func newNearby(findings []diag.Diagnostic, of *symbol.Table) *nearby {
	n := &nearby{at: map[string][]rest{}, within: map[string][]rest{}}
	for i := range findings {
		for _, g := range grounds(&findings[i], of) {
			r := rest{i, g}
			n.at[g.pointer] = append(n.at[g.pointer], r)
			for _, p := range outer(g.pointer) {
				n.within[p] = append(n.within[p], r)
			}
		}
	}
	return n
}

// under are the findings that rest on a fact that a change changes, in order.
func (n *nearby) under(c *encode.Change) []int {
	var list []int
	add := func(rests []rest) {
		for _, r := range rests {
			if r.on.changedBy(c) {
				list = append(list, r.finding)
			}
		}
	}
	for _, p := range c.Pointers {
		add(n.at[p])
		add(n.within[p])
		for _, q := range outer(p) {
			add(n.at[q])
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// outer are the places around a JSON pointer. Sections of the document are too
// large to tell anything.
func outer(pointer string) []string {
	var list []string
	for i := strings.LastIndexByte(pointer, '/'); i > 0; i = strings.LastIndexByte(pointer, '/') {
		if pointer = pointer[:i]; strings.Count(pointer, "/") < 2 {
			break
		}
		list = append(list, pointer)
	}
	return list
}

// ground is a fact that a finding rests on. Where it is about a lane, one of
// several at one place, lane is its number; else -1.
type ground struct {
	relation, pointer string
	lane              int64
}

// laneOf is the lane that a fact is about: the second argument of facts on where
// lanes run.
func laneOf(p *diag.Proof, of *symbol.Table) int64 {
	if slices.Contains(relations(encode.ChangeCore), p.Pred) && len(p.Args) > 1 {
		if lane, ok := of.Number(p.Args[1]); ok {
			return lane
		}
	}
	return -1
}

// grounds are the facts in the proof of a finding.
func grounds(d *diag.Diagnostic, of *symbol.Table) []ground {
	seen := map[ground]bool{}
	var list []ground
	var visit func(p *diag.Proof)
	visit = func(p *diag.Proof) {
		if p == nil {
			return
		}
		if p.Kind == diag.Fact && p.Row >= 0 {
			if g := (ground{p.Pred, p.Pos.Pointer, laneOf(p, of)}); !seen[g] {
				seen[g] = true
				list = append(list, g)
			}
		}
		for _, q := range p.Premises {
			visit(q)
		}
		for _, q := range p.Rows {
			visit(q)
		}
	}
	visit(d.Proof)
	return list
}

// changedBy says whether a change, which is where the fact is, changes it, or
// fills a hole there.
func (g ground) changedBy(c *encode.Change) bool {
	if about := relations(c.Kind); about != nil && !c.Filled && !slices.Contains(about, g.relation) {
		return false
	}
	return c.Kind != encode.ChangeCore || g.lane < 0 || g.lane == c.Lane
}

// relations are those that a kind of change changes; nil for all.
func relations(k encode.ChangeKind) []string {
	switch k {
	case encode.ChangeStage:
		return []string{"instance", "instance_stage", "part", "part_stage"}
	case encode.ChangeCore:
		return []string{"instance", "instance_core", "part", "part_core"}
	case encode.ChangeRange:
		return []string{"stage_range", "range_order"}
	case encode.ChangePlace:
		return []string{"placement", "placement_count"}
	}
	return nil
}
