package programtest

import (
	"slices"

	"plancheck/ir"
)

// reason is why a command waits for another one.
type reason int

const (
	byDependency reason = iota
	byToken
	byMessage
	bySpace
	byQueue
	byMeeting
)

// wait is a command that must have completed before another one begins, or, by a
// meeting, with it.
type wait struct {
	on  int
	why reason
}

// Order is what the words of docs/command-plan.md say about the order of the
// commands of a program, worked out by closure: for small programs only. Commands
// are numbered as the program lists them.
type Order struct {
	Program *ir.Program
	// Dead says that some command waits for itself; then the commands behind it
	// have no order.
	Dead bool

	index  map[ir.ID]int // of commands
	waits  [][]wait      // without those by a meeting
	event  []int         // which commands complete together: the number of their event
	mates  [][]int       // by event
	before []set         // by event: the commands that have completed when it begins
	never  []bool        // the command waits for what never comes, or comes behind one that does
}

// Analyse works out the order of a program. A meeting that somebody misses is
// none: its commands do not wait for each other.
func Analyse(p *ir.Program) *Order {
	n := len(p.Commands)
	o := &Order{Program: p, index: map[ir.ID]int{}, waits: make([][]wait, n), event: make([]int, n), never: make([]bool, n)}
	for i := range p.Commands {
		o.index[p.Commands[i].ID] = i
	}
	o.queues()
	o.lists()
	meetings := append(o.channels(), o.gatherings()...)
	for i := range o.event {
		o.event[i] = -1
	}
	for _, m := range meetings {
		for _, c := range m {
			o.event[c] = len(o.mates)
		}
		o.mates = append(o.mates, m)
	}
	for i := range o.event {
		if o.event[i] < 0 {
			o.event[i] = len(o.mates)
			o.mates = append(o.mates, []int{i})
		}
	}
	o.close()
	for range o.never { // at most so many steps away
		for i, ws := range o.waits {
			for _, m := range o.mates[o.event[i]] {
				o.never[i] = o.never[i] || o.never[m]
			}
			for _, w := range ws {
				o.never[i] = o.never[i] || o.never[w.on]
			}
		}
	}
	return o
}

func (o *Order) queues() {
	last := map[ir.ID]int{}
	ordered := map[ir.ID]bool{}
	for _, q := range o.Program.Queues {
		ordered[q.ID] = !q.Unordered
	}
	for i := range o.Program.Commands {
		q := o.Program.Commands[i].Queue
		if !ordered[q] {
			continue
		}
		if before, ok := last[q]; ok {
			o.waits[i] = append(o.waits[i], wait{before, byQueue})
		}
		last[q] = i
	}
}

func (o *Order) lists() {
	consuming := map[ir.ID]bool{}
	for _, t := range o.Program.Tokens {
		consuming[t.ID] = t.Consuming
	}
	signals := map[ir.ID][]int{}
	for i := range o.Program.Commands {
		for _, t := range o.Program.Commands[i].Signals {
			signals[t] = append(signals[t], i)
		}
	}
	count := map[ir.ID]int{}
	for i := range o.Program.Commands {
		c := &o.Program.Commands[i]
		for _, a := range c.After {
			o.waits[i] = append(o.waits[i], wait{o.index[a], byDependency})
		}
		for _, t := range c.Waits {
			o.never[i] = o.never[i] || len(signals[t]) == 0 || consuming[t] && count[t] >= len(signals[t])
			for k, s := range signals[t] {
				if !consuming[t] || k == count[t] {
					o.waits[i] = append(o.waits[i], wait{s, byToken})
				}
			}
			count[t]++
		}
	}
}

// channels adds waits for messages and for space, and returns the rendezvous.
func (o *Order) channels() (meetings [][]int) {
	for _, c := range o.Program.Channels {
		var sends, recvs []int
		for i := range o.Program.Commands {
			switch x := &o.Program.Commands[i]; {
			case x.Channel != c.ID:
			case x.Kind == ir.KindSend:
				sends = append(sends, i)
			case x.Kind == ir.KindRecv:
				recvs = append(recvs, i)
			}
		}
		for k, recv := range recvs {
			o.never[recv] = o.never[recv] || k >= len(sends)
		}
		for k, send := range sends {
			o.never[send] = o.never[send] || k >= int(c.Depth) && k-int(c.Depth) >= len(recvs)
		}
		for k := range min(len(sends), len(recvs)) {
			if c.Depth == 0 {
				meetings = append(meetings, []int{sends[k], recvs[k]})
				continue
			}
			o.waits[recvs[k]] = append(o.waits[recvs[k]], wait{sends[k], byMessage})
		}
		for k := int(c.Depth); c.Depth > 0 && k < len(sends) && k-int(c.Depth) < len(recvs); k++ {
			o.waits[sends[k]] = append(o.waits[sends[k]], wait{recvs[k-int(c.Depth)], bySpace})
		}
	}
	return meetings
}

// gatherings returns the collectives and arrivals of one number to which all come.
func (o *Order) gatherings() (meetings [][]int) {
	p := o.Program
	ranks := map[ir.ID]int64{} // by queue
	for _, q := range p.Queues {
		for _, d := range p.Devices {
			if d.ID == q.Device {
				ranks[q.ID] = d.Rank
			}
		}
	}
	all := func(lists [][]int) {
		for k := 0; len(lists) > 0; k++ {
			var m []int
			for _, l := range lists {
				if k < len(l) {
					m = append(m, l[k])
				}
			}
			if len(m) < len(lists) {
				return
			}
			meetings = append(meetings, m)
		}
	}
	for _, g := range p.Groups {
		var lists [][]int
		for _, rank := range g.Ranks {
			lists = append(lists, o.those(func(c *ir.Command) bool {
				r, ok := ranks[c.Queue]
				return c.Kind == ir.KindCollective && c.Group == g.ID && ok && r == rank
			}))
		}
		all(lists)
	}
	for _, b := range p.Barriers {
		var lists [][]int
		for _, q := range b.Queues {
			lists = append(lists, o.those(func(c *ir.Command) bool {
				return c.Kind == ir.KindBarrier && c.Barrier == b.ID && c.Queue == q
			}))
		}
		all(lists)
	}
	met := slices.Concat(meetings...)
	for i := range p.Commands {
		if c := &p.Commands[i]; c.Kind == ir.KindCollective && c.Group != ir.NoID || c.Kind == ir.KindBarrier && c.Barrier != ir.NoID {
			o.never[i] = o.never[i] || !slices.Contains(met, i)
		}
	}
	return meetings
}

func (o *Order) those(is func(*ir.Command) bool) (list []int) {
	for i := range o.Program.Commands {
		if is(&o.Program.Commands[i]) {
			list = append(list, i)
		}
	}
	return list
}

// close takes the events in an order in which they can happen, and gathers what
// has completed before each.
func (o *Order) close() {
	missing := make([]int, len(o.mates))
	followers := make([][]int, len(o.mates))
	for i, ws := range o.waits {
		for _, w := range ws {
			missing[o.event[i]]++
			followers[o.event[w.on]] = append(followers[o.event[w.on]], o.event[i])
		}
	}
	o.before = make([]set, len(o.mates))
	var ready []int
	for e := range o.mates {
		o.before[e] = newSet(len(o.event))
		if missing[e] == 0 {
			ready = append(ready, e)
		}
	}
	for k := 0; k < len(ready); k++ {
		e := ready[k]
		for _, f := range followers[e] {
			o.before[f].join(o.before[e])
			for _, m := range o.mates[e] {
				o.before[f].add(m)
			}
			if missing[f]--; missing[f] == 0 {
				ready = append(ready, f)
			}
		}
	}
	o.Dead = len(ready) < len(o.mates)
}

// Before says whether a command has always completed when another one begins.
func (o *Order) Before(first, second int) bool { return o.before[o.event[second]].has(first) }

// apart says that two commands may run at once.
func (o *Order) apart(a, b int) bool { return a != b && !o.Before(a, b) && !o.Before(b, a) }

// on returns the commands of a queue.
func (o *Order) on(queue ir.ID) []int {
	return o.those(func(c *ir.Command) bool { return c.Queue == queue })
}

// accesses returns the commands that read or write a buffer.
func (o *Order) accesses(buffer ir.ID) []int {
	return o.those(func(c *ir.Command) bool {
		return slices.Contains(c.Reads, buffer) || slices.Contains(c.Writes, buffer)
	})
}
