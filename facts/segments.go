package facts

import (
	"cmp"
	"slices"

	"plancheck/ir"
)

// segment is a range of bytes of a region in which no buffer begins or ends, and
// the buffers that have it, in the order of their first accesses. The segments of
// a region follow each other without a gap.
type segment struct {
	region, number int32
	from, to       int64
	turns          []int32
}

// cutSegments cuts the regions at the ends of the buffers that live at some time.
// Buffers that do not lie in their regions are reported for that, and left out.
func (e *exporter) cutSegments(l *lives, ranks []int64) {
	p := e.program()
	regions := e.positions(len(p.Regions), func(i int) ir.ID { return p.Regions[i].ID })
	of := make([][]int32, len(p.Regions))
	for b := range p.Buffers {
		x := &p.Buffers[b]
		r, ok := lookup(regions, x.Region)
		if ok && x.Size > 0 && x.Size <= p.Regions[r].Capacity && x.Offset <= p.Regions[r].Capacity-x.Size &&
			(len(l.accesses[b]) > 0 || x.Initialised && x.Kept) {
			of[r] = append(of[r], int32(b))
		}
	}
	for r, buffers := range of {
		l.cutRegion(p, int32(r), buffers, ranks)
	}
}

func (l *lives) cutRegion(p *ir.Program, region int32, buffers []int32, ranks []int64) {
	var cuts []int64
	for _, b := range buffers {
		cuts = append(cuts, p.Buffers[b].Offset, p.Buffers[b].Offset+p.Buffers[b].Size)
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	base := len(l.segments)
	for i := 1; i < len(cuts); i++ {
		l.segments = append(l.segments, segment{region: region, number: int32(i - 1), from: cuts[i-1], to: cuts[i]})
	}
	begin := func(b int32) int64 { // initialised buffers first
		if p.Buffers[b].Initialised || len(l.accesses[b]) == 0 {
			return -1
		}
		return ranks[l.accesses[b][0].command]
	}
	slices.SortStableFunc(buffers, func(a, b int32) int {
		return cmp.Or(cmp.Compare(begin(a), begin(b)), cmp.Compare(l.written(a), l.written(b)), cmp.Compare(l.end(a, ranks), l.end(b, ranks)))
	})
	for _, b := range buffers {
		first, _ := slices.BinarySearch(cuts, p.Buffers[b].Offset)
		for s := base + first; s < len(l.segments) && l.segments[s].from < p.Buffers[b].Offset+p.Buffers[b].Size; s++ {
			l.segments[s].turns = append(l.segments[s].turns, b)
		}
	}
}

// written is 1 where the first access of a buffer writes it, else 0: what a command
// reads first comes before what it writes over that.
func (l *lives) written(b int32) int {
	if all := l.accesses[b]; len(all) > 0 && all[0].writes {
		return 1
	}
	return 0
}

// end is the rank of the last access of a buffer.
func (l *lives) end(b int32, ranks []int64) int64 {
	if all := l.accesses[b]; len(all) > 0 {
		return ranks[all[len(all)-1].command]
	}
	return -1
}

// successions goes through the pairs of buffers that follow each other on a
// segment, each once.
func (l *lives) successions(visit func(a, b int)) {
	done := map[[2]int32]bool{}
	for _, s := range l.segments {
		for i := 1; i < len(s.turns); i++ {
			if pair := [2]int32{s.turns[i-1], s.turns[i]}; !done[pair] {
				done[pair] = true
				visit(int(pair[0]), int(pair[1]))
			}
		}
	}
}

func (e *exporter) segments(w *writer) {
	p := e.program()
	for _, s := range e.lives().segments {
		r := &p.Regions[s.region]
		w.row(r.At, r.ID, e.num(int64(s.number)), e.num(s.from), e.num(s.to))
	}
}

func (e *exporter) segmentUses(w *writer) {
	p := e.program()
	for _, s := range e.lives().segments {
		for turn, b := range s.turns {
			x := &p.Buffers[b]
			w.row(x.At, p.Regions[s.region].ID, e.num(int64(s.number)), e.num(int64(turn)), x.ID)
		}
	}
}
