package encode

import (
	"fmt"
	"slices"
	"strings"

	"plancheck/ir"
)

// kept is a slice, or part of one, that is listed as resident.
type kept struct {
	weight      ir.ID
	lane        int64
	part, parts int64 // 0 of 1 for a whole one
	core        int64
}

func (k kept) whole() kept { return kept{k.weight, k.lane, 0, 1, k.core} }

// elsewhere is the slice without the core.
func (k kept) elsewhere() kept { k.core = 0; return k }

// residency brings the list of what is resident into line, where there is one.
// What was there for a lane that has moved moves with it. What no lane uses stays
// as long as it fits.
func (m *mending) residency() {
	a := &m.plan.Assignment
	if a.Residency == nil {
		return
	}
	order := m.needed()
	needed, serves := map[kept]bool{}, map[kept]bool{}
	for _, k := range order {
		needed[k], serves[k], serves[k.whole()] = true, true, true // the whole serves for a part
	}
	used := m.usedBefore()
	most := m.mostLanes()
	listed := map[kept]bool{}
	m.eachResident(func(_, _ int, k kept) { listed[k] = true })
	missing := map[kept][]kept{} // by the slice
	for _, k := range order {
		if !listed[k] && !listed[k.whole()] {
			missing[k.elsewhere()] = append(missing[k.elsewhere()], k)
		}
	}
	over := m.overfull(needed, listed)
	type place struct{ entry, i int }
	to := map[place]kept{}
	drop := map[place]bool{}
	m.eachResident(func(entry, i int, k kept) {
		at := place{entry, i}
		exists := k.core < int64(m.Problem.Cores) && k.lane < most[k.weight] && k.part < k.parts
		switch wanted := missing[k.elsewhere()]; {
		case exists && serves[k]:
		case len(wanted) > 0:
			to[at], missing[k.elsewhere()] = wanted[0], wanted[1:]
		case !exists || used[k] || over[k.core]:
			drop[at] = true
		}
	})
	for e := range a.Residency {
		r := &a.Residency[e]
		var lanes, cores []int64
		for i := range r.Cores {
			k := residentAt(r, i)
			if is, moved := to[place{e, i}]; moved {
				m.add(ChangeRecord, false, fmt.Sprintf("residency of %s: core %d -> %d", m.slice(k), k.core, is.core), pointer("assignment", "residency", e, "cores", i))
				k = is
			}
			if drop[place{e, i}] {
				m.add(ChangeRecord, false, fmt.Sprintf("residency of %s on core %d: gone, nothing uses it", m.slice(k), k.core), pointer("assignment", "residency", e))
				continue
			}
			lanes, cores = append(lanes, k.lane), append(cores, k.core)
		}
		if r.Lanes != nil || !countUp(lanes) {
			r.Lanes = lanes
		}
		r.Cores = cores
	}
	a.Residency = slices.DeleteFunc(a.Residency, func(r ir.Resident) bool { return len(r.Cores) == 0 })
	m.addResidents(order, missing)
}

// addResidents lists what is still missing, an entry for each weight and part.
func (m *mending) addResidents(order []kept, missing map[kept][]kept) {
	a := &m.plan.Assignment
	type piece struct {
		weight      ir.ID
		part, parts int64
	}
	entry := map[piece]int{}
	for _, k := range order {
		if !slices.Contains(missing[k.elsewhere()], k) {
			continue
		}
		key := piece{k.weight, k.part, k.parts}
		i, known := entry[key]
		if !known {
			i = len(a.Residency)
			entry[key] = i
			r := ir.Resident{Weight: k.weight, Part: ir.None, Parts: ir.None}
			if k.parts > 1 {
				r.Part, r.Parts = k.part, k.parts
			}
			a.Residency = append(a.Residency, r)
		}
		r := &a.Residency[i]
		r.Lanes, r.Cores = append(r.Lanes, k.lane), append(r.Cores, k.core)
		m.add(ChangeRecord, false, fmt.Sprintf("residency of %s: is listed on core %d", m.slice(k), k.core), m.users(k.weight)...)
	}
}

// users are the instances of ops that use a weight.
func (m *mending) users(weight ir.ID) []string {
	var at []string
	for op := range m.Problem.Ops {
		if slices.Contains(m.plan.Graph.Ops[op].Weights, weight) {
			for _, e := range m.entries[op] {
				at = append(at, pointer("assignment", "instances", e))
			}
		}
	}
	return at
}

func (m *mending) slice(k kept) string {
	name := fmt.Sprintf("weight %s, lane %d", m.show(k.weight), k.lane)
	if k.parts > 1 {
		name += fmt.Sprintf(", part %d of %d", k.part, k.parts)
	}
	return name
}

// residentAt is what place i of an entry lists.
func residentAt(r *ir.Resident, i int) kept {
	k := kept{weight: r.Weight, lane: int64(i), parts: 1, core: r.Cores[i]}
	if r.Lanes != nil {
		k.lane = r.Lanes[i]
	}
	if r.Parts != ir.None {
		k.part, k.parts = r.Part, r.Parts
	}
	return k
}

func (m *mending) eachResident(visit func(entry, i int, k kept)) {
	for e := range m.plan.Assignment.Residency {
		r := &m.plan.Assignment.Residency[e]
		for i := range r.Cores {
			visit(e, i, residentAt(r, i))
		}
	}
}

// needed are the slices that lanes use on the cores where they are now; none that
// is part of a slice that is needed there as a whole.
func (m *mending) needed() []kept {
	all := map[kept]bool{}
	var order []kept
	m.eachSlice(m.s, func(s slice) {
		k := kept{m.plan.Graph.Weights[s.weight].ID, int64(s.lane), int64(s.part), int64(s.parts), int64(s.core)}
		if !all[k] {
			all[k] = true
			order = append(order, k)
		}
	})
	return slices.DeleteFunc(order, func(k kept) bool { return k.parts > 1 && all[k.whole()] })
}

// usedBefore are the slices that lanes used on the cores where they were.
func (m *mending) usedBefore() map[kept]bool {
	used := map[kept]bool{}
	for op := range m.Problem.Ops {
		o := &m.Problem.Ops[op]
		for share := range o.Shares() {
			if m.Wish.Core[op] == nil {
				continue
			}
			for _, w := range o.Weights {
				k := kept{m.plan.Graph.Weights[w].ID, int64(share / o.Parts), int64(share % o.Parts), int64(o.Parts), int64(m.Wish.Core[op][share])}
				used[k], used[k.whole()] = true, true
			}
		}
	}
	return used
}

// mostLanes is how many lanes the ops have that use a weight, at most.
func (m *mending) mostLanes() map[ir.ID]int64 {
	most := map[ir.ID]int64{}
	for op := range m.Problem.Ops {
		for _, w := range m.plan.Graph.Ops[op].Weights {
			most[w] = max(most[w], m.plan.Graph.Ops[op].Lanes)
		}
	}
	return most
}

// overfull are the cores on which what is listed does not fit beside what is
// needed.
func (m *mending) overfull(needed, listed map[kept]bool) map[int64]bool {
	size := map[ir.ID]int64{}
	for _, w := range m.plan.Graph.Weights {
		size[w.ID] = w.Size
	}
	here := map[kept]bool{}
	for k := range listed {
		here[k] = true
	}
	for k := range needed {
		here[k] = true
	}
	bytes := map[int64]int64{}
	for k := range here {
		if k.parts == 1 || !here[k.whole()] {
			bytes[k.core] = plus(bytes[k.core], ceil(size[k.weight], k.parts))
		}
	}
	over := map[int64]bool{}
	for core, n := range bytes {
		if core < int64(len(m.s.Place)) {
			if c := m.plan.Target.Cores[m.s.Place[core]].Capacity; c != ir.None && n > c {
				over[core] = true
			}
		}
	}
	return over
}

// records brings transfers and synchronisation records into line.
func (m *mending) records() {
	p := m.plan
	at := whereabouts(p)
	reads := map[[2]ir.ID]bool{}
	for _, e := range p.Graph.Edges {
		reads[[2]ir.ID{e.From, e.To}] = true
	}
	var led []ir.ID // forwards that transfers come from now
	p.Transfers = m.transfers(p.Transfers, at, reads, &led)
	m.feedTransfers(led, at)
	for i := range p.Syncs {
		s := &p.Syncs[i]
		m.record(fmt.Sprintf("synchronisation record %s: stage", m.show(s.ID)), &s.Stage, at[s.Op].stage, pointer("sync", i))
	}
}

// record sets a number of a record that is not what it should be.
func (m *mending) record(what string, n *int64, is int64, at string) {
	if *n == is {
		return
	}
	if *n == ir.None {
		m.add(ChangeRecord, false, fmt.Sprintf("%s %d", what, is), at)
	} else {
		m.add(ChangeRecord, false, fmt.Sprintf("%s %d -> %d", what, *n, is), at)
	}
	*n = is
}

func (m *mending) transfers(list []ir.Transfer, at map[ir.ID]whereabout, reads map[[2]ir.ID]bool, led *[]ir.ID) []ir.Transfer {
	var out []ir.Transfer
	for i, t := range list {
		where := pointer("transfers", i)
		was := t
		if !reads[[2]ir.ID{t.From, t.To}] {
			from, ok := m.instead(t.From, t.To)
			if !ok {
				m.add(ChangeRecord, false, fmt.Sprintf("transfer %s: gone, no edge goes from %s to %s", m.show(t.ID), m.show(t.From), m.show(t.To)), where)
				continue
			}
			m.add(ChangeRecord, false, fmt.Sprintf("transfer %s: comes from %s", m.show(t.ID), m.show(from)), where)
			t.From = from
			*led = append(*led, from)
		}
		name := "transfer " + m.show(t.ID) + ": "
		from, to := at[t.From].stage, at[t.To].stage
		if t.FromStage != ir.None {
			m.record(name+"from stage", &t.FromStage, from, where)
		}
		if t.ToStage != ir.None {
			m.record(name+"to stage", &t.ToStage, to, where)
		}
		switch {
		case t.Stage == from || t.Stage == to:
		case was.Stage != ir.None && was.Stage == m.stageBefore(t.To):
			m.record(name+"stage", &t.Stage, to, where)
		default:
			m.record(name+"stage", &t.Stage, from, where)
		}
		out = append(out, t)
	}
	if out == nil && list != nil {
		out = []ir.Transfer{}
	}
	return out
}

// instead is the forward from which an op reads what it read from another op.
func (m *mending) instead(from, to ir.ID) (ir.ID, bool) {
	if len(m.s.Forwards) == 0 && m.Reread == 0 {
		return ir.NoID, false
	}
	for j := range m.given.Graph.Edges {
		was, is := &m.given.Graph.Edges[j], &m.plan.Graph.Edges[j]
		if was.From == from && was.To == to && is.From != from {
			return is.From, true
		}
	}
	return ir.NoID, false
}

// stageBefore is the stage that an op was in.
func (m *mending) stageBefore(id ir.ID) int64 {
	return int64(m.Wish.Stage[m.index[id]])
}

// feedTransfers lists the transfers that carry values to forwards from which
// listed transfers come.
func (m *mending) feedTransfers(led []ir.ID, at map[ir.ID]whereabout) {
	p := m.plan
	used, listed := map[ir.ID]bool{}, map[[2]ir.ID]bool{}
	for _, t := range p.Transfers {
		used[t.ID], listed[[2]ir.ID{t.From, t.To}] = true, true
	}
	made, done := map[ir.ID]bool{}, map[ir.ID]bool{}
	for _, op := range p.Graph.Ops[len(m.Problem.Ops):] {
		made[op.ID] = true
	}
	for len(led) > 0 {
		id := led[0]
		if led = led[1:]; done[id] {
			continue
		}
		done[id] = true
		for _, e := range p.Graph.Edges {
			if e.To != id {
				continue
			}
			if made[e.From] {
				led = append(led, e.From)
			}
			from, to, way := at[e.From], at[e.To], [2]ir.ID{e.From, e.To}
			if listed[way] || stays(from.cores, to.cores) {
				continue
			}
			listed[way] = true
			t := ir.Transfer{
				ID: unique(p, "transfer:"+p.Text(carried(&e))+":"+p.Text(e.To), used), From: e.From, To: e.To,
				Stage: from.stage, FromStage: from.stage, ToStage: to.stage,
			}
			used[t.ID] = true
			p.Transfers = append(p.Transfers, t)
			m.add(ChangeRecord, false, fmt.Sprintf("transfer %s: is listed", m.show(t.ID)))
		}
	}
}

// digests renews what is recorded of contents.
func (m *mending) digests() {
	p := m.plan
	digest := ir.GraphDigest(p)
	const why = " digest: renewed"
	if strings.HasPrefix(p.Graph.Digest, "sha256:") && p.Graph.Digest != digest {
		m.add(ChangeRecord, false, "graph"+why, pointer("graph", "digest"))
		p.Graph.Digest = digest
	} else if p.Graph.Digest != "" && len(m.s.Forwards)+m.Reread > 0 && p.Graph.Digest != digest {
		m.add(ChangeRecord, false, "graph digest: gone, it names another graph", pointer("graph", "digest"))
		p.Graph.Digest = ""
	}
	revision := p.Graph.Digest
	if revision == "" {
		revision = digest
	}
	if a := &p.Assignment; a.GraphDigest != "" && a.GraphDigest != revision && a.GraphDigest != digest {
		m.add(ChangeRecord, false, "graph digest of the assignment: renewed, the assignment fits this graph", pointer("assignment", "graph_digest"))
		a.GraphDigest = revision
	}
	if content := ir.PlanDigest(p); strings.HasPrefix(p.Digest, "sha256:") && p.Digest != content {
		m.add(ChangeRecord, false, "document"+why, pointer("digest"))
		p.Digest = content
	}
}
