package schedule

import "plancheck/internal/search/packing"

// Flow returns how many bytes of values go from each logical core to each other
// one for one result, and whether that is known: the size of every value that
// goes along an edge. The solution must be legal.
//
// A value lies in equal slices on the cores of the op that makes it, one a lane,
// and where lanes are split in equal parts of slices, the larger ones first.
// Every other core that runs an op that reads it there receives each slice or
// part once. Where a value is forwarded, an op reads it from its own op in that
// op's stage and the next one, and from the forward in the stage before in later
// ones; a forward reads it from the stage before too. What comes from outside
// has no core before its first forward.
func (p *Problem) Flow(s *Solution) (flow [][]int64, known bool) {
	if !p.sizesKnown(s) {
		return nil, false
	}
	flow = make([][]int64, p.Cores)
	cells := make([]int64, p.Cores*p.Cores)
	for i := range flow {
		flow[i] = cells[i*p.Cores : (i+1)*p.Cores : (i+1)*p.Cores]
	}
	p.deliver(s, func(from, to int, bytes int64) { flow[from][to] += bytes })
	return flow, true
}

// sizesKnown says whether all values that go along edges have a size: results of
// ops that are read, and what is forwarded.
func (p *Problem) sizesKnown(s *Solution) bool {
	for _, r := range p.Reads {
		if value := &p.Values[r.Value]; value.Bytes == Unknown && value.From != Outside {
			return false
		}
	}
	for _, f := range s.Forwards {
		if p.Values[f.Value].Bytes == Unknown {
			return false
		}
	}
	return true
}

// carrier makes a value, or hands it on.
type carrier struct {
	lanes, parts int
	cores        []int // of each share
	readers      []int // cores, with repetitions
}

// deliver calls to for every slice that goes from one logical core to another.
// The order is the same every time.
func (p *Problem) deliver(s *Solution, goes func(from, to int, bytes int64)) {
	carriers := p.carriers(s)
	last := make([]int, p.Cores) // the last carrier, counted from 1, with a reader on the core
	n := 0
	for v := range carriers {
		for i := range carriers[v] {
			c := &carriers[v][i]
			n++
			var readers []int
			for _, core := range c.readers {
				if last[core] != n {
					last[core] = n
					readers = append(readers, core)
				}
			}
			for share, from := range c.cores {
				slice := packing.PartBytes(p.Values[v].Bytes, share/c.parts, c.lanes)
				bytes := packing.PartBytes(slice, share%c.parts, c.parts)
				for _, to := range readers {
					if to != from {
						goes(from, to, bytes)
					}
				}
			}
		}
	}
}

// carriers returns what carries each value: its op, and then its forwards by
// stage. What comes from outside has a first carrier without cores.
func (p *Problem) carriers(s *Solution) [][]carrier {
	carriers := make([][]carrier, len(p.Values))
	for v := range carriers {
		first := carrier{lanes: 1, parts: 1}
		if op := p.Values[v].From; op != Outside {
			first = carrier{lanes: p.Ops[op].Lanes, parts: p.Ops[op].Parts, cores: s.Core[op]}
		}
		carriers[v] = []carrier{first}
	}
	for _, f := range s.Forwards {
		before := &carriers[f.Value][len(carriers[f.Value])-1]
		before.readers = append(before.readers, f.Core...)
		carriers[f.Value] = append(carriers[f.Value], carrier{lanes: len(f.Core), parts: 1, cores: f.Core})
	}
	for _, r := range p.Reads {
		// The carriers are in the stages from the value's own on, one each.
		from := max(0, s.Stage[r.To]-1-p.from(s, r.Value))
		c := &carriers[r.Value][from]
		c.readers = append(c.readers, s.Core[r.To]...)
	}
	return carriers
}
