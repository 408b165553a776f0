package simulate

import (
	"cmp"
	"fmt"
	"slices"

	"plancheck/ir"
)

// program is a program of commands by number, as far as the simulator knows it.
type program struct {
	*ir.Program
	text func(ir.ID) string

	queue   []int32 // of each command; -1 for none
	runs    []int32 // the queue that each command occupies while it runs; -1 for none
	place   []int32 // among the commands of its queue
	idRank  []int32 // of each command, by the text of its id
	byID    map[ir.ID]int32
	buffers map[ir.ID]int32

	// chip is the spatial extension; nil where no command has a time by it.
	chip *chip

	// Commands that complete together are a unit, and so is every other one. Where
	// one of those that complete together has a cycle they begin apart: each is a
	// unit, and meetings tells the meeting of each, of which partners are the
	// commands.
	unit     []int32 // of each command
	units    lists   // the commands of each unit
	meetings map[int32]int32
	partners lists
	// listeners are receives by their send, which begin apart, and not before the
	// message has arrived.
	listeners map[int32]int32

	// followers are the commands that wait for a command, and edges, in the same
	// places, why.
	followers lists
	edges     []Edge
	waits     []edge

	// never says why a command never begins.
	never map[int32]string
}

// edge says that a command waits for another one.
type edge struct {
	command, on int32
	why         Edge
}

// lists are lists by number, one behind the other.
type lists struct{ start, all []int32 }

func (l *lists) of(i int32) []int32 { return l.all[l.start[i]:l.start[i+1]] }

func (l *lists) len() int { return max(len(l.start)-1, 0) }

func (l *lists) add(list ...int32) {
	if l.start == nil {
		l.start = []int32{0}
	}
	l.all = append(l.all, list...)
	l.start = append(l.start, int32(len(l.all)))
}

// newProgram finds out what commands wait for.
func newProgram(plan *ir.Plan) (*program, error) {
	n := len(plan.Program.Commands)
	p := &program{
		Program: plan.Program, text: plan.Text,
		queue: make([]int32, n), place: make([]int32, n), idRank: make([]int32, n), unit: make([]int32, n),
		byID: make(map[ir.ID]int32, n), buffers: map[ir.ID]int32{}, never: map[int32]string{},
		meetings: map[int32]int32{}, listeners: map[int32]int32{},
	}
	names, byText := make([]string, n), make([]int32, n)
	for i := range p.Commands {
		p.byID[p.Commands[i].ID] = int32(i)
		names[i], byText[i], p.unit[i] = p.name(int32(i)), int32(i), -1
	}
	slices.SortFunc(byText, func(a, b int32) int { return cmp.Compare(names[a], names[b]) })
	for rank, i := range byText {
		p.idRank[i] = int32(rank)
	}
	for i := range p.Buffers {
		p.buffers[p.Buffers[i].ID] = int32(i)
	}
	var err error
	if p.chip, err = newChip(p.Program, p.byID, p.text); err != nil {
		return nil, err
	}
	p.queues()
	p.runners()
	p.lists()
	p.channels()
	p.groups()
	p.barriers()
	for i := range int32(n) {
		if p.unit[i] < 0 {
			p.join(i)
		}
	}
	p.follow()
	return p, nil
}

// name is the id of a command.
func (p *program) name(i int32) string { return p.text(p.Commands[i].ID) }

func (p *program) wait(command, on int32, why Edge) {
	p.waits = append(p.waits, edge{command, on, why})
}

// stop says that a command never begins, and why: the first reason stays.
func (p *program) stop(command int32, format string, args ...any) {
	if p.never[command] == "" {
		p.never[command] = fmt.Sprintf(format, args...)
	}
}

// queues puts commands on their queues.
func (p *program) queues() {
	byID := map[ir.ID]int32{}
	for i, q := range p.Queues {
		byID[q.ID] = int32(i)
	}
	count, last := make([]int32, len(p.Queues)), make([]int32, len(p.Queues))
	for i := range p.Commands {
		q, on := byID[p.Commands[i].Queue]
		if !on {
			p.queue[i] = -1
			p.stop(int32(i), "is on no queue")
			continue
		}
		p.queue[i], p.place[i] = q, count[q]
		if !p.Queues[q].Unordered && count[q] > 0 {
			p.wait(int32(i), last[q], Queue)
		}
		count[q]++
		last[q] = int32(i)
	}
}

// lists reads dependencies and tokens. A wait for a token that is used up is for
// the signal of its number, any other one for all signals.
func (p *program) lists() {
	consuming := map[ir.ID]bool{}
	for _, t := range p.Tokens {
		consuming[t.ID] = t.Consuming
	}
	signals := map[ir.ID][]int32{}
	for i := range p.Commands {
		for _, t := range p.Commands[i].Signals {
			signals[t] = append(signals[t], int32(i))
		}
	}
	waited := map[ir.ID]int{}
	for i := range p.Commands {
		c := int32(i)
		for _, id := range p.Commands[i].After {
			if on, there := p.byID[id]; there {
				p.wait(c, on, Dependency)
			} else {
				p.stop(c, "depends on %s, which there is not", p.text(id))
			}
		}
		for _, t := range p.Commands[i].Waits {
			all := signals[t]
			if consuming[t] {
				nth := waited[t]
				waited[t]++
				all = all[min(nth, len(all)):min(nth+1, len(all))]
			}
			if len(all) == 0 {
				p.stop(c, "waits for token %s, which nothing signals", p.text(t))
			}
			for _, on := range all {
				p.wait(c, on, Token)
			}
		}
	}
}

// channels pairs sends and receives by their numbers.
func (p *program) channels() {
	sends, recvs := map[ir.ID][]int32{}, map[ir.ID][]int32{}
	for i := range p.Commands {
		c := &p.Commands[i]
		ends := sends
		switch c.Kind {
		case ir.KindRecv:
			ends = recvs
		case ir.KindSend:
		default:
			continue
		}
		if c.Channel == ir.NoID {
			p.stop(int32(i), "names no channel")
			continue
		}
		ends[c.Channel] = append(ends[c.Channel], int32(i))
	}
	for _, c := range p.Channels {
		out, in := sends[c.ID], recvs[c.ID]
		for n, recv := range in {
			switch {
			case n >= len(out):
				p.stop(recv, "receives on channel %s what nothing sends", p.text(c.ID))
			case c.Depth == 0:
				p.join(out[n], recv)
				if p.meetingOf(p.unit[recv]) >= 0 {
					p.listeners[out[n]] = recv
				}
			default:
				p.wait(recv, out[n], Message)
			}
		}
		for n, send := range out {
			behind := int64(n) - c.Depth
			switch {
			case behind < 0 || c.Depth == 0 && n < len(in):
			case behind >= int64(len(in)):
				p.stop(send, "sends on channel %s, which stays full", p.text(c.ID))
			default:
				p.wait(send, in[behind], Space)
			}
		}
	}
}

// groups lets the collectives of one number on all ranks of a group meet.
func (p *program) groups() {
	rank := p.ranks()
	type entry struct {
		group ir.ID
		rank  int64
	}
	entries := map[entry][]int32{}
	for i := range p.Commands {
		c := &p.Commands[i]
		switch {
		case c.Kind != ir.KindCollective || p.queue[i] < 0:
		case c.Group == ir.NoID:
			p.stop(int32(i), "names no group")
		default:
			k := entry{c.Group, rank[p.queue[i]]}
			entries[k] = append(entries[k], int32(i))
		}
	}
	for _, g := range p.Groups {
		var all [][]int32
		for _, r := range g.Ranks {
			all = append(all, entries[entry{g.ID, r}])
			delete(entries, entry{g.ID, r})
		}
		p.meet(all, func(i int) string {
			return fmt.Sprintf("meets nobody of rank %d in group %s", g.Ranks[i], p.text(g.ID))
		})
	}
	for k, list := range entries {
		for _, c := range list {
			p.stop(c, "has no rank of group %s", p.text(k.group))
		}
	}
}

// ranks are the ranks of the devices of queues, None where they have none.
func (p *program) ranks() []int64 {
	of := map[ir.ID]int64{}
	for _, d := range p.Devices {
		of[d.ID] = d.Rank
	}
	ranks := make([]int64, len(p.Queues))
	for i, q := range p.Queues {
		ranks[i] = of[q.Device]
	}
	return ranks
}

// barriers lets the arrivals of one number on all queues of a barrier meet.
func (p *program) barriers() {
	type entry struct{ barrier, queue ir.ID }
	entries := map[entry][]int32{}
	for i := range p.Commands {
		c := &p.Commands[i]
		switch {
		case c.Kind != ir.KindBarrier:
		case c.Barrier == ir.NoID:
			p.stop(int32(i), "names no barrier")
		default:
			k := entry{c.Barrier, c.Queue}
			entries[k] = append(entries[k], int32(i))
		}
	}
	for _, b := range p.Barriers {
		var all [][]int32
		for _, q := range b.Queues {
			all = append(all, entries[entry{b.ID, q}])
			delete(entries, entry{b.ID, q})
		}
		p.meet(all, func(i int) string {
			return fmt.Sprintf("meets nobody of queue %s at barrier %s", p.text(b.Queues[i]), p.text(b.ID))
		})
	}
	for k, list := range entries {
		for _, c := range list {
			p.stop(c, "arrives at barrier %s, which does not have its queue", p.text(k.barrier))
		}
	}
}

// meet lets the commands of one position in all lists meet; where a list is too
// short those of the others wait for ever.
func (p *program) meet(all [][]int32, missing func(list int) string) {
	longest := 0
	for _, l := range all {
		longest = max(longest, len(l))
	}
	for n := range longest {
		var there []int32
		absent := -1
		for i, l := range all {
			if n < len(l) {
				there = append(there, l[n])
			} else if absent < 0 {
				absent = i
			}
		}
		if absent < 0 {
			p.join(there...)
			continue
		}
		for _, c := range there {
			p.stop(c, "%s", missing(absent))
		}
	}
}

// join makes a unit of commands, or a meeting of units.
func (p *program) join(all ...int32) {
	if len(all) > 1 && slices.ContainsFunc(all, p.paced) {
		for _, i := range all {
			p.join(i)
			p.meetings[p.unit[i]] = int32(p.partners.len())
		}
		p.partners.add(all...)
		return
	}
	for _, i := range all {
		p.unit[i] = int32(p.units.len())
	}
	p.units.add(all...)
}

// follow sorts the waits by the command that is waited for.
func (p *program) follow() {
	n := len(p.Commands)
	start := make([]int32, n+1)
	for _, w := range p.waits {
		start[w.on+1]++
	}
	for i := range n {
		start[i+1] += start[i]
	}
	next := slices.Clone(start[:n])
	all := make([]int32, len(p.waits))
	p.edges = make([]Edge, len(p.waits))
	for _, w := range p.waits {
		at := next[w.on]
		next[w.on]++
		all[at], p.edges[at] = w.command, w.why
	}
	p.followers = lists{start, all}
}
