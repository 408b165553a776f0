package encode

import (
	"plancheck/internal/search/schedule"
	"plancheck/internal/symbol"
	"plancheck/ir"
)

// transferRelations are what Transfers makes.
func transferRelations() []string {
	return []string{"transfer", "transfer_stage", "transfer_from_stage", "transfer_to_stage", "sync", "sync_stage"}
}

// transfers are what Transfers makes of a graph without forwards: an edge has a
// transfer unless all lanes of both ops are on one core. It says whether the ids
// are the same in every plan.
func (b *mayBuilder) transfers() bool {
	number := map[ir.ID]int{}
	for i := range b.plan.Graph.Ops {
		number[b.plan.Graph.Ops[i].ID] = i
	}
	type way struct{ value, to ir.ID }
	done, used := map[way]bool{}, map[string]bool{}
	for i := range b.plan.Graph.Edges {
		e := &b.plan.Graph.Edges[i]
		if w := (way{carried(e), e.To}); done[w] {
			continue
		} else {
			done[w] = true
		}
		text := "transfer:" + b.plan.Text(carried(e)) + ":" + b.plan.Text(e.To)
		if used[text] {
			return false
		}
		used[text] = true
	}
	b.declare(transferRelations()...)
	clear(done)
	for i := range b.plan.Graph.Edges {
		e := &b.plan.Graph.Edges[i]
		if w := (way{carried(e), e.To}); !done[w] {
			done[w] = true
			b.transfer(b.plan.Symbols.String("transfer:"+b.plan.Text(carried(e))+":"+b.plan.Text(e.To)), number[e.From], number[e.To])
		}
	}
	return true
}

// transfer is there when some share of the two ops is not where the first one of
// them is.
func (b *mayBuilder) transfer(id ir.ID, from, to int) {
	p := b.Problem
	ops := b.plan.Graph.Ops
	sync := b.plan.Symbols.String("sync:" + b.plan.Text(ops[to].ID))
	for c := range p.Cores {
		here := schedule.Claim{What: schedule.OnCore, A: from, B: 0, C: c}
		for _, o := range []int{from, to} {
			for share := range p.Ops[o].Shares() {
				if o == from && share == 0 {
					continue
				}
				away := schedule.Claim{What: schedule.OnCore, A: o, B: share, C: c, Not: true}
				b.add("transfer", []symbol.Value{id, ops[from].ID, ops[to].ID}, here, away)
				b.add("sync", []symbol.Value{sync, ops[to].ID}, here, away)
				for s := range p.Stages {
					if b.mayBeIn(from, s) {
						b.add("transfer_stage", []symbol.Value{id, b.num(s)}, here, away, inStage(from, s))
						b.add("transfer_from_stage", []symbol.Value{id, b.num(s)}, here, away, inStage(from, s))
					}
					if b.mayBeIn(to, s) {
						b.add("transfer_to_stage", []symbol.Value{id, b.num(s)}, here, away, inStage(to, s))
						b.add("sync_stage", []symbol.Value{sync, b.num(s)}, here, away, inStage(to, s))
					}
				}
			}
		}
	}
}
