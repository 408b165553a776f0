package chart

import (
	"maps"
	"slices"
)

// stages draws all stages, neighbours as one where there are many.
func (m *measure) stages() []Stage {
	m.list()
	perBlock := (len(m.order) + maxStages - 1) / maxStages
	var all []Stage
	if perBlock > 1 {
		for block := range slices.Chunk(m.order, perBlock) {
			all = append(all, m.block(block))
		}
	} else {
		perStage := maxCells / max(1, len(m.order))
		for _, index := range m.order {
			all = append(all, m.stage(index, perStage))
		}
	}
	if m.shares[None] != nil {
		all = append(all, m.stage(None, maxCells))
	}
	return all
}

// list finds the stages: those of the plan and those that instances name.
func (m *measure) list() {
	for _, s := range m.plan.Stages {
		if _, twice := m.ranges[s.Index]; !twice {
			m.ranges[s.Index] = s
		}
	}
	named := map[int64]bool{}
	for index := range m.ranges {
		named[index] = true
	}
	for index := range m.shares {
		if index != None {
			named[index] = true
		}
	}
	m.order = slices.Sorted(maps.Keys(named))
}

// stage draws one stage in at most cells cells, and one for what has no core.
func (m *measure) stage(index int64, cells int) Stage {
	s := Stage{Index: index, Last: index, First: None, Ops: len(m.inside[index])}
	listed, ok := m.ranges[index]
	s.Listed = ok || m.plan.Stages == nil && index != None
	if ok && listed.First >= 0 {
		s.First, s.Count = listed.First, listed.Count
		s.Cells = m.owned(index, s.First, s.Count, max(1, int64(cells)))
	}
	s.Cells = append(s.Cells, m.strangers(s, max(1, cells))...)
	for _, c := range s.Cells {
		if c.First != None {
			s.Cycles = max(s.Cycles, c.Cycles)
		}
	}
	return s
}

// owned draws the cores of a range. A range may claim more cores than there
// can be: all of it is drawn, in cells that are large enough.
func (m *measure) owned(index, first, count, cells int64) []Cell {
	if count <= 0 || first < 0 {
		return nil
	}
	each := (count-1)/cells + 1
	var all []Cell
	for at := int64(0); at < count; at += each {
		n := min(each, count-at)
		c := Cell{First: plus(first, at), Last: plus(first, at+n-1), Owned: true, Physical: None}
		if n == 1 {
			c.Physical = m.physical(c.First)
		}
		all = append(all, c)
		if at > count-each { // the next step may leave the integers
			break
		}
	}
	for core, l := range m.shares[index] {
		if core < first || core-first >= count {
			continue
		}
		c := &all[(core-first)/each]
		c.Shares += l.shares
		c.Cycles = max(c.Cycles, l.cycles)
	}
	return all
}

// strangers draws the cores outside of a stage's range that it uses, one by
// one as far as there is room, and last what has no core yet.
func (m *measure) strangers(s Stage, cells int) []Cell {
	var all []Cell
	for _, core := range slices.Sorted(maps.Keys(m.shares[s.Index])) {
		l := m.shares[s.Index][core]
		if core == None || s.First != None && core >= s.First && core-s.First < s.Count {
			continue
		}
		if len(all) == cells {
			last := &all[len(all)-1]
			last.Last, last.Physical = core, None
			last.Shares += l.shares
			last.Cycles = max(last.Cycles, l.cycles)
			continue
		}
		all = append(all, Cell{First: core, Last: core, Owned: s.First == None, Physical: m.physical(core), Shares: l.shares, Cycles: l.cycles})
	}
	if l := m.shares[s.Index][None]; l != nil {
		all = append(all, Cell{First: None, Last: None, Physical: None, Owned: true, Shares: l.shares, Cycles: l.cycles})
	}
	return all
}

// block draws several stages in one cell.
func (m *measure) block(order []int64) Stage {
	b := Stage{Index: order[0], Last: order[len(order)-1], First: None, Listed: true}
	cell := Cell{First: None, Last: None, Owned: true, Physical: None}
	for _, index := range order {
		s := m.stage(index, 1)
		b.Ops += s.Ops
		b.Listed = b.Listed && s.Listed
		b.Cycles = max(b.Cycles, s.Cycles)
		for _, c := range s.Cells {
			cell.Shares += c.Shares
			cell.Cycles = max(cell.Cycles, c.Cycles)
			if c.First != None {
				if cell.First == None {
					cell.First = c.First
				}
				cell.First, cell.Last = min(cell.First, c.First), max(cell.Last, c.Last)
			}
		}
	}
	b.Cells = []Cell{cell}
	return b
}

func (m *measure) physical(core int64) int64 {
	if p, ok := m.placed[core]; ok {
		return p
	}
	return None
}
