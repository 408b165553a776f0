package programtest

import (
	"slices"

	"plancheck/ir"
)

// Played is what was seen in all orders in which a program can run.
type Played struct {
	Stuck    bool              // some order ends before the program does
	Together map[[2]ir.ID]bool // pairs of commands that were seen to run at once, the lower id first
	Live     map[[2]ir.ID]bool // pairs of buffers that were seen to live at once, the lower id first
}

// Pair is the key of a pair in Played.
func Pair(a, b ir.ID) [2]ir.ID { return [2]ir.ID{min(a, b), max(a, b)} }

// player runs a program one step at a time: what is done is done, and nothing
// else is known. It shares nothing with Analyse, nor with facts and rules: it
// counts messages and signals as they come.
type player struct {
	program *ir.Program
	rank    map[ir.ID]int64 // by queue
	seen    map[string]bool
	done    map[ir.ID]bool
	result  Played
}

// Play runs a program in all orders. It takes time and memory exponential in the
// number of queues, and of commands on unordered ones. A program is stuck also
// where somebody waits for what never comes.
func Play(p *ir.Program) *Played {
	pl := &player{program: p, rank: map[ir.ID]int64{}, seen: map[string]bool{}, done: map[ir.ID]bool{}}
	pl.result.Together, pl.result.Live = map[[2]ir.ID]bool{}, map[[2]ir.ID]bool{}
	for _, q := range p.Queues {
		d := slices.IndexFunc(p.Devices, func(d ir.Device) bool { return d.ID == q.Device })
		pl.rank[q.ID] = p.Devices[d].Rank
	}
	pl.from()
	return &pl.result
}

// turn says whether it is a command's turn: what its queue and its lists ask for
// is done.
func (pl *player) turn(c *ir.Command) bool {
	if pl.done[c.ID] {
		return false
	}
	for i := range pl.program.Queues {
		q := &pl.program.Queues[i]
		if q.ID == c.Queue && !q.Unordered && pl.head(q.ID) != c {
			return false
		}
	}
	for _, a := range c.After {
		if !pl.done[a] {
			return false
		}
	}
	for _, t := range c.Waits {
		if !pl.signalled(c, t) {
			return false
		}
	}
	return true
}

// head is the first command of a queue that is not done; nil where all are.
func (pl *player) head(queue ir.ID) *ir.Command {
	for i := range pl.program.Commands {
		if c := &pl.program.Commands[i]; c.Queue == queue && !pl.done[c.ID] {
			return c
		}
	}
	return nil
}

// count counts the commands that are done, or all, and satisfy a condition.
func (pl *player) count(done bool, is func(*ir.Command) bool) int64 {
	n := int64(0)
	for i := range pl.program.Commands {
		if c := &pl.program.Commands[i]; is(c) && (!done || pl.done[c.ID]) {
			n++
		}
	}
	return n
}

// signalled says whether a command's wait for a token is over: all signals of the
// token have come or, if waits use them up, one that no wait has used.
func (pl *player) signalled(c *ir.Command, token ir.ID) bool {
	signals := func(d *ir.Command) bool { return slices.Contains(d.Signals, token) }
	waits := func(d *ir.Command) bool { return slices.Contains(d.Waits, token) }
	t := slices.IndexFunc(pl.program.Tokens, func(t ir.Token) bool { return t.ID == token })
	if pl.program.Tokens[t].Consuming {
		return pl.count(true, signals) > pl.count(true, waits)
	}
	all := pl.count(false, signals)
	return all > 0 && pl.count(true, signals) == all
}

// company returns the commands that complete together with a command; nil while
// it cannot complete.
func (pl *player) company(c *ir.Command) []*ir.Command {
	if !pl.turn(c) {
		return nil
	}
	// next is the first command to come that satisfies a condition.
	next := func(is func(*ir.Command) bool) *ir.Command {
		for i := range pl.program.Commands {
			if d := &pl.program.Commands[i]; is(d) && !pl.done[d.ID] {
				return d
			}
		}
		return nil
	}
	var all []*ir.Command
	switch c.Kind {
	case ir.KindSend, ir.KindRecv:
		k := slices.IndexFunc(pl.program.Channels, func(x ir.Channel) bool { return x.ID == c.Channel })
		end := func(kind string) func(*ir.Command) bool {
			return func(d *ir.Command) bool { return d.Kind == kind && d.Channel == c.Channel }
		}
		inside := pl.count(true, end(ir.KindSend)) - pl.count(true, end(ir.KindRecv))
		switch depth := pl.program.Channels[k].Depth; {
		case depth == 0:
			all = []*ir.Command{next(end(ir.KindSend)), next(end(ir.KindRecv))}
		case c.Kind == ir.KindSend && inside >= depth, c.Kind == ir.KindRecv && inside <= 0:
			return nil
		}
	case ir.KindCollective:
		k := slices.IndexFunc(pl.program.Groups, func(g ir.Group) bool { return g.ID == c.Group })
		for _, rank := range pl.program.Groups[k].Ranks {
			all = append(all, next(func(d *ir.Command) bool {
				return d.Kind == ir.KindCollective && d.Group == c.Group && pl.rank[d.Queue] == rank
			}))
		}
	case ir.KindBarrier:
		k := slices.IndexFunc(pl.program.Barriers, func(b ir.Barrier) bool { return b.ID == c.Barrier })
		for _, queue := range pl.program.Barriers[k].Queues {
			all = append(all, next(func(d *ir.Command) bool {
				return d.Kind == ir.KindBarrier && d.Barrier == c.Barrier && d.Queue == queue
			}))
		}
	}
	if all == nil {
		all = []*ir.Command{c}
	}
	for _, d := range all {
		if d == nil || !pl.turn(d) {
			return nil
		}
	}
	if !slices.Contains(all, c) { // an outsider, or not the next of its kind
		return nil
	}
	return all
}

// from goes on from what is done.
func (pl *player) from() {
	key := make([]byte, len(pl.program.Commands))
	for i := range pl.program.Commands {
		if pl.done[pl.program.Commands[i].ID] {
			key[i] = 1
		}
	}
	if pl.seen[string(key)] {
		return
	}
	pl.seen[string(key)] = true
	var running []*ir.Command
	var companies [][]*ir.Command
	for i := range pl.program.Commands {
		c := &pl.program.Commands[i]
		company := pl.company(c)
		if company == nil {
			continue
		}
		for _, d := range running {
			pl.result.Together[Pair(c.ID, d.ID)] = true
		}
		running = append(running, c)
		if company[0] == c {
			companies = append(companies, company)
		}
	}
	pl.look(running)
	pl.result.Stuck = pl.result.Stuck || len(running) == 0 && len(pl.done) < len(pl.program.Commands)
	for _, company := range companies {
		for _, c := range company {
			pl.done[c.ID] = true
		}
		pl.from()
		for _, c := range company {
			delete(pl.done, c.ID)
		}
	}
}

// look notes which buffers live while all that can run does.
func (pl *player) look(running []*ir.Command) {
	bs := pl.program.Buffers
	for i := range bs {
		for j := range i {
			if pl.live(&bs[i], &bs[j], running) && pl.live(&bs[j], &bs[i], running) {
				pl.result.Live[Pair(bs[i].ID, bs[j].ID)] = true
			}
		}
	}
}

// live says whether a buffer lives, seen from another one: where a command writes
// it in place over the other, and is the last to use that, it lives once the
// command is done.
func (pl *player) live(b, other *ir.Buffer, running []*ir.Command) bool {
	uses := func(c *ir.Command, b *ir.Buffer) bool {
		return slices.Contains(c.Reads, b.ID) || slices.Contains(c.Writes, b.ID)
	}
	still := pl.count(false, func(c *ir.Command) bool { return uses(c, other) && !pl.done[c.ID] })
	begun, going, used := b.Initialised, b.Kept, false
	for i := range pl.program.Commands {
		c := &pl.program.Commands[i]
		if !uses(c, b) {
			continue
		}
		used = true
		over := still == 1 && !other.Kept && slices.Contains(c.InPlace, ir.InPlace{Read: other.ID, Write: b.ID}) && b.Offset == other.Offset && b.Size == other.Size
		begun = begun || pl.done[c.ID] || slices.Contains(running, c) && !over
		going = going || !pl.done[c.ID]
	}
	going = going || b.FreedBy != ir.NoID && !pl.done[b.FreedBy] // it gives the bytes back
	return begun && going && (used || b.Initialised && b.Kept)
}

// Races lists the pairs of commands that were seen to run at once and use a
// buffer that one of them writes.
func (r *Played) Races(p *ir.Program) (pairs [][2]ir.ID) {
	meet := func(x, y []ir.ID) bool {
		return slices.ContainsFunc(x, func(id ir.ID) bool { return slices.Contains(y, id) })
	}
	for i := range p.Commands {
		a := &p.Commands[i]
		for j := range i {
			b := &p.Commands[j]
			if r.Together[Pair(a.ID, b.ID)] && (meet(a.Writes, b.Writes) || meet(a.Writes, b.Reads) || meet(a.Reads, b.Writes)) {
				pairs = append(pairs, Pair(a.ID, b.ID))
			}
		}
	}
	return pairs
}

// Overlaps lists the pairs of buffers that were seen to live at once and share
// bytes.
func (r *Played) Overlaps(p *ir.Program) (pairs [][2]ir.ID) {
	for i := range p.Buffers {
		a := &p.Buffers[i]
		for j := range i {
			b := &p.Buffers[j]
			if r.Live[Pair(a.ID, b.ID)] && a.Region == b.Region && a.Offset < b.Offset+b.Size && b.Offset < a.Offset+a.Size {
				pairs = append(pairs, Pair(a.ID, b.ID))
			}
		}
	}
	return pairs
}
