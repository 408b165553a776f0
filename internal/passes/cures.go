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
	facts := make([][]ground, len(out.Before))
	for i := range out.Before {
		facts[i] = grounds(&out.Before[i], of)
	}
	for _, c := range changes {
		cure := Cure{Change: c}
		for i := range out.Before {
			if slices.ContainsFunc(facts[i], func(g ground) bool { return g.under(&c) }) {
				cure.Cures = append(cure.Cures, out.Before[i])
				cured[i] = true
			}
		}
		out.Changes = append(out.Changes, cure)
	}
	for i, is := range cured {
		if !is {
			out.Cured = append(out.Cured, out.Before[i])
		}
	}
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

// under says whether a change changes the fact, or fills a hole where it is.
func (g ground) under(c *encode.Change) bool {
	if about := relations(c.Kind); about != nil && !c.Filled && !slices.Contains(about, g.relation) {
		return false
	}
	if c.Kind == encode.ChangeCore && g.lane >= 0 && g.lane != c.Lane {
		return false
	}
	return slices.ContainsFunc(c.Pointers, func(p string) bool { return around(p, g.pointer) })
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

// around says whether one JSON pointer leads to the value of the other, or into
// it. Sections of the document are too large to tell anything.
func around(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	return a == b || strings.Count(a, "/") > 1 && strings.HasPrefix(b, a) && b[len(a)] == '/'
}
