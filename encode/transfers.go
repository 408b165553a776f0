package encode

import (
	"slices"

	"plancheck/ir"
)

// Transfers returns a packed plan with a transfer for every edge of which
// something goes from one logical core to another, in the stage of the op that
// it leaves, and a synchronisation record for every op that receives something,
// in its own stage. Records that the plan had are replaced. The stages are those
// of the assignment, which stays as it is.
//
// A value that an op reads along several edges is transferred once.
func Transfers(p *ir.Plan) *ir.Plan {
	p = clone(p)
	p.Transfers, p.Syncs = nil, nil
	at := whereabouts(p)
	type way struct{ value, to ir.ID }
	done := map[way]bool{}
	used, receives := map[ir.ID]bool{}, map[ir.ID]bool{}
	for i := range p.Graph.Edges {
		e := &p.Graph.Edges[i]
		from, to := at[e.From], at[e.To]
		if w := (way{carried(e), e.To}); done[w] || stays(from.cores, to.cores) {
			continue
		} else {
			done[w] = true
		}
		id := unique(p, "transfer:"+p.Text(carried(e))+":"+p.Text(e.To), used)
		used[id] = true
		p.Transfers = append(p.Transfers, ir.Transfer{
			ID: id, From: e.From, To: e.To, Stage: from.stage, FromStage: from.stage, ToStage: to.stage,
		})
		receives[e.To] = true
	}
	for i := range p.Graph.Ops {
		if op := p.Graph.Ops[i].ID; receives[op] {
			p.Syncs = append(p.Syncs, ir.Sync{ID: p.Symbols.String("sync:" + p.Text(op)), Op: op, Stage: at[op].stage})
		}
	}
	return p
}

// whereabout is the stage of an op and the cores that it runs on, each once and
// sorted.
type whereabout struct {
	stage int64
	cores []int64
}

func whereabouts(p *ir.Plan) map[ir.ID]whereabout {
	at := map[ir.ID]whereabout{}
	for i := range p.Assignment.Instances {
		in := &p.Assignment.Instances[i]
		at[in.Op] = whereabout{in.Stage, append(at[in.Op].cores, in.Cores...)}
	}
	for op, w := range at {
		slices.Sort(w.cores)
		at[op] = whereabout{w.stage, slices.Compact(w.cores)}
	}
	return at
}

// stays says whether all that is on some cores is needed on one core only, the
// same.
func stays(from, to []int64) bool {
	return len(from) == 0 || len(to) == 0 || len(from) == 1 && len(to) == 1 && from[0] == to[0]
}
