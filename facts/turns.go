package facts

import (
	"cmp"
	"slices"

	"plancheck/ir"
)

// turn is a buffer's place in the order in which the buffers of its region live.
type turn struct{ buffer, number int32 }

// piece is a range of bytes that a buffer takes over from the one that had it
// last.
type piece struct {
	buffer, before int32 // before is none if no buffer had it
	region         int32
	number         int32 // among the pieces that before, or the region, gives, by their bytes
	from, to       int64
}

const nobody = -1

// takeTurns lets the buffers of each region take their bytes from each other, in
// the order of their first accesses. Buffers that do not lie in their regions are
// reported for that, and left out. A buffer splits at most two pieces, so that
// there are at most three for each buffer.
func (e *exporter) takeTurns(l *lives, ranks []int64) {
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
		begin := func(b int32) int64 { // initialised buffers first
			if p.Buffers[b].Initialised || len(l.accesses[b]) == 0 {
				return -1
			}
			return ranks[l.accesses[b][0].command]
		}
		slices.SortStableFunc(buffers, func(a, b int32) int {
			return cmp.Or(cmp.Compare(begin(a), begin(b)), cmp.Compare(l.written(a), l.written(b)), cmp.Compare(l.end(a, ranks), l.end(b, ranks)))
		})
		l.takeRegion(p, int32(r), buffers)
	}
	numberPieces(l.pieces)
}

// takeRegion goes through the buffers of a region in the order of their lives.
func (l *lives) takeRegion(p *ir.Program, region int32, buffers []int32) {
	var cuts []int64
	for _, b := range buffers {
		cuts = append(cuts, p.Buffers[b].Offset, p.Buffers[b].Offset+p.Buffers[b].Size)
	}
	slices.Sort(cuts)
	cuts = slices.Compact(cuts)
	if len(cuts) == 0 {
		return
	}
	// Bytes have an owner from each mark to the next one.
	begins, owner := newMarks(len(cuts)), make([]int32, len(cuts))
	split := func(at int) {
		if b := begins.upTo(at); b < at {
			owner[at] = owner[b]
			begins.set(at)
		}
	}
	owner[0] = nobody
	begins.set(0)
	for number, b := range buffers {
		l.turns = append(l.turns, turn{b, int32(number)})
		from, _ := slices.BinarySearch(cuts, p.Buffers[b].Offset)
		to, _ := slices.BinarySearch(cuts, p.Buffers[b].Offset+p.Buffers[b].Size)
		split(from)
		split(to)
		for at := from; at < to; {
			next := begins.from(at + 1)
			l.pieces = append(l.pieces, piece{buffer: b, before: owner[at], region: region, from: cuts[at], to: cuts[next]})
			if at > from {
				begins.clear(at)
			}
			at = next
		}
		owner[from] = b
	}
}

// numberPieces counts the pieces that each buffer, or region, gives.
func numberPieces(pieces []piece) {
	order := make([]int32, len(pieces))
	for i := range order {
		order[i] = int32(i)
	}
	giver := func(i int32) [2]int32 { // the region only where there is no buffer
		if x := &pieces[i]; x.before != nobody {
			return [2]int32{x.before, 0}
		}
		return [2]int32{nobody, pieces[i].region}
	}
	slices.SortFunc(order, func(a, b int32) int {
		x, y := giver(a), giver(b)
		return cmp.Or(cmp.Compare(x[0], y[0]), cmp.Compare(x[1], y[1]), cmp.Compare(pieces[a].from, pieces[b].from))
	})
	for k := 1; k < len(order); k++ {
		if giver(order[k]) == giver(order[k-1]) {
			pieces[order[k]].number = pieces[order[k-1]].number + 1
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

// successions goes through the pairs of buffers that follow each other on some
// bytes.
func (l *lives) successions(visit func(a, b int)) {
	for i := range l.pieces {
		if x := &l.pieces[i]; x.before != nobody {
			visit(int(x.before), int(x.buffer))
		}
	}
}

func (e *exporter) bufferTurns(w *writer) {
	p := e.program()
	for _, t := range e.lives().turns {
		w.row(p.Buffers[t.buffer].At, p.Buffers[t.buffer].ID, e.num(int64(t.number)))
	}
}

func (e *exporter) piecesTaken(w *writer) {
	p := e.program()
	for i := range e.lives().pieces {
		if x := &e.lives().pieces[i]; x.before != nobody {
			w.row(p.Buffers[x.buffer].At, p.Buffers[x.buffer].ID, p.Buffers[x.before].ID, e.num(x.from), e.num(x.to), e.num(int64(x.number)))
		}
	}
}

func (e *exporter) piecesFresh(w *writer) {
	p := e.program()
	for i := range e.lives().pieces {
		if x := &e.lives().pieces[i]; x.before == nobody {
			w.row(p.Buffers[x.buffer].At, p.Buffers[x.buffer].ID, p.Regions[x.region].ID, e.num(x.from), e.num(x.to), e.num(int64(x.number)))
		}
	}
}
