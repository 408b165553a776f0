package facts

import (
	"cmp"
	"slices"

	"plancheck/ir"
)

// access is a command that reads or writes a buffer.
type access struct {
	command int32
	epoch   int32 // how many writes of the buffer come before
	writes  bool
}

// lives holds how buffers are accessed, and which of them take turns on the same
// bytes.
type lives struct {
	accesses [][]access // by buffer, in an order in which they can happen
	turns    []turn     // of buffers, in the order of their lives
	pieces   []piece
}

// firsts are the accesses of a buffer that come before all others, if it is used
// as it should be, and lasts those that come behind all others.
func (l *lives) firsts(buffer int) []access {
	all := l.accesses[buffer]
	if len(all) == 0 || all[0].writes {
		return all[:min(1, len(all))]
	}
	n := 1
	for n < len(all) && !all[n].writes {
		n++
	}
	return all[:n]
}

func (l *lives) lasts(buffer int) []access {
	all := l.accesses[buffer]
	n := len(all)
	for n > 0 && !all[n-1].writes {
		n--
	}
	if n > 0 && n == len(all) {
		n--
	}
	return all[n:]
}

// lives orders accesses by the ranks of their commands. There are none where
// some command has no rank.
func (e *exporter) lives() *lives {
	if e.life != nil {
		return e.life
	}
	p := e.program()
	l := &lives{accesses: make([][]access, len(p.Buffers))}
	e.life = l
	ranks, order := e.commandOrder()
	if len(order) < len(ranks) {
		return l
	}
	index := e.positions(len(p.Buffers), func(i int) ir.ID { return p.Buffers[i].ID })
	for i := range p.Commands {
		c := &p.Commands[i]
		for _, id := range c.Writes {
			if b, ok := lookup(index, id); ok {
				l.accesses[b] = append(l.accesses[b], access{command: int32(i), writes: true})
			}
		}
		for _, id := range c.Reads {
			if b, ok := lookup(index, id); ok && !slices.Contains(c.Writes, id) {
				l.accesses[b] = append(l.accesses[b], access{command: int32(i)})
			}
		}
	}
	for _, all := range l.accesses {
		slices.SortFunc(all, func(a, b access) int {
			return cmp.Or(cmp.Compare(ranks[a.command], ranks[b.command]), cmp.Compare(a.command, b.command))
		})
		epoch := int32(0)
		for i := range all {
			all[i].epoch = epoch
			if all[i].writes {
				epoch++
			}
		}
	}
	e.takeTurns(l, ranks)
	return l
}

func (e *exporter) writeEpochs(w *writer) { e.epochs(w, true) }

func (e *exporter) readEpochs(w *writer) { e.epochs(w, false) }

func (e *exporter) epochs(w *writer, writes bool) {
	p := e.program()
	for b, all := range e.lives().accesses {
		for _, a := range all {
			if a.writes == writes {
				c := &p.Commands[a.command]
				w.row(c.At, p.Buffers[b].ID, e.num(int64(a.epoch)), c.ID)
			}
		}
	}
}

// neighbours goes through the pairs of accesses that must be ordered so that all
// are: each write and what reads it, and the next write; and each read and the
// next write.
func (l *lives) neighbours(all []access, need func(first, second int32)) {
	write, reads := int32(-1), []int32(nil)
	for _, a := range all {
		if write >= 0 {
			need(write, a.command)
		}
		if !a.writes {
			reads = append(reads, a.command)
			continue
		}
		for _, r := range reads {
			need(r, a.command)
		}
		write, reads = a.command, reads[:0]
	}
}
