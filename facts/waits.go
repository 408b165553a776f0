package facts

import (
	"slices"

	"plancheck/ir"
)

// why a command waits for another one.
type why uint8

const (
	dependency why = iota
	token
	message
	space
	queued
	meeting
)

// reasons say the reasons in facts, between the two commands.
var reasons = [...]string{"depends on", "waits for a token of", "waits for the message of", "waits for a place from", "is behind", "completes only together with"}

// waits is what the commands of a program wait for. Commands are numbered in
// document order; -1 is none.
type waits struct {
	index []int32 // by dense id: the command
	// chain is the queue of a command, by its position, for commands on ordered
	// queues; each other command has a chain of its own, with a number from
	// queues on.
	chain  []int32
	queues int
	place  []int32 // on the chain, from 0 on
	before []int32 // the command right before it on its chain

	// declared says that dependencies are no waits, but what waits have to bring
	// about. They are among steps: they may not run against each other.
	declared bool

	// steps[start[i]:start[i+1]] are what command i waits for, besides before.
	start []int32
	steps []wait
	// realStart and realSteps are likewise without dependencies that are only
	// declared.
	realStart []int32
	realSteps []wait

	// meet is the first command of the meeting that a command takes part in:
	// those that complete together with it. members are the others and itself, by
	// the first.
	meet    []int32
	members map[int32][]int32
}

// wait is a command that must have completed, and why.
type wait struct {
	on  int32
	why why
}

// stepList gathers what commands wait for, in any order of commands.
type stepList struct {
	of    []int32
	waits []wait
}

func (l *stepList) add(command int32, w wait) {
	l.of, l.waits = append(l.of, command), append(l.waits, w)
}

// without is the list without the waits that have a reason.
func (l *stepList) without(reason why) *stepList {
	var rest stepList
	for i, w := range l.waits {
		if w.why != reason {
			rest.add(l.of[i], w)
		}
	}
	return &rest
}

// byCommand sorts the steps by their commands, of which there are n; those of a
// command stay in their order. Command i has the steps from start[i] to before
// start[i+1].
func (l *stepList) byCommand(n int) (start []int32, steps []wait) {
	start = make([]int32, n+1)
	for _, i := range l.of {
		start[i+1]++
	}
	for i := range n {
		start[i+1] += start[i]
	}
	next, steps := slices.Clone(start), make([]wait, len(l.waits))
	for k, i := range l.of {
		steps[next[i]] = l.waits[k]
		next[i]++
	}
	return start, steps
}

// ordered says that a command is on a queue with an order.
func (s *waits) ordered(i int) bool { return int(s.chain[i]) < s.queues }

// of returns what a command waits for, besides the one before it on its queue.
func (s *waits) of(i int32) []wait { return s.steps[s.start[i]:s.start[i+1]] }

// real returns what a command really waits for, besides the one before it on its
// queue: not what it is only declared to depend on.
func (s *waits) real(i int32) []wait { return s.realSteps[s.realStart[i]:s.realStart[i+1]] }

// mates returns the commands that complete together with a command, with itself;
// nil where there are none.
func (s *waits) mates(i int32) []int32 {
	if s.meet[i] < 0 {
		return nil
	}
	return s.members[s.meet[i]]
}

// waits finds out what commands wait for, once.
func (e *exporter) waits() *waits {
	if e.waiting != nil {
		return e.waiting
	}
	commands := e.program().Commands
	n := len(commands)
	s := &waits{
		chain: make([]int32, n), place: make([]int32, n), before: make([]int32, n), meet: make([]int32, n),
		members: map[int32][]int32{}, queues: len(e.program().Queues), declared: e.program().Declared,
	}
	s.index = e.positions(n, func(i int) ir.ID { return commands[i].ID })
	e.chains(s)
	var steps stepList
	e.stepsOfLists(s, &steps)
	e.stepsOfChannels(s, &steps)
	e.meetings(s)
	s.start, s.steps = steps.byCommand(n)
	s.realStart, s.realSteps = s.start, s.steps
	if s.declared {
		s.realStart, s.realSteps = steps.without(dependency).byCommand(n)
	}
	e.waiting = s
	return s
}

// chains puts the commands in the order in which their queues issue them.
func (e *exporter) chains(s *waits) {
	queues := map[ir.ID]int32{}
	for i, q := range e.program().Queues {
		if !q.Unordered {
			queues[q.ID] = int32(i)
		}
	}
	last := make([]int32, s.queues)
	for i := range last {
		last[i] = -1
	}
	for _, i := range e.issued() {
		s.before[i], s.meet[i] = -1, -1
		q, ordered := queues[e.program().Commands[i].Queue]
		if !ordered {
			s.chain[i] = int32(s.queues) + i
			continue
		}
		s.chain[i] = q
		if last[q] >= 0 {
			s.before[i], s.place[i] = last[q], s.place[last[q]]+1
		}
		last[q] = i
	}
}

// stepsOfLists adds dependencies, and tokens: a wait for one that consumes waits
// for the signal of its number, any other for all signals.
func (e *exporter) stepsOfLists(s *waits, steps *stepList) {
	p := e.program()
	commands := p.Commands
	tokens := e.tokenIndex()
	first := make([]int32, len(p.Tokens)+1) // signals of token t are signals[first[t]:first[t+1]]
	for _, i := range e.issued() {
		for _, id := range commands[i].After {
			if on, ok := lookup(s.index, id); ok {
				steps.add(i, wait{int32(on), dependency})
			}
		}
		for _, id := range commands[i].Signals {
			if t, ok := lookup(tokens, id); ok {
				first[t+1]++
			}
		}
	}
	for t := range p.Tokens {
		first[t+1] += first[t]
	}
	next, signals := slices.Clone(first), make([]int32, first[len(p.Tokens)])
	for _, i := range e.issued() {
		for _, id := range commands[i].Signals {
			if t, ok := lookup(tokens, id); ok {
				signals[next[t]] = i
				next[t]++
			}
		}
	}
	waited := make([]int32, len(p.Tokens))
	for _, i := range e.issued() {
		for _, id := range commands[i].Waits {
			t, ok := lookup(tokens, id)
			if !ok {
				continue
			}
			all := signals[first[t]:first[t+1]]
			if p.Tokens[t].Consuming {
				nth := int(waited[t])
				waited[t]++
				all = all[min(nth, len(all)):min(nth+1, len(all))]
			}
			for _, on := range all {
				steps.add(int32(i), wait{on, token})
			}
		}
	}
}

// stepsOfChannels adds messages, and space in channels.
func (e *exporter) stepsOfChannels(s *waits, steps *stepList) {
	sends, recvs := e.ends()
	for _, c := range e.program().Channels {
		if c.Depth == 0 {
			continue
		}
		for i, recv := range recvs[c.ID] {
			if i < len(sends[c.ID]) {
				steps.add(recv, wait{sends[c.ID][i], message})
			}
		}
		for i, send := range sends[c.ID] {
			if behind := int64(i) - c.Depth; behind >= 0 && behind < int64(len(recvs[c.ID])) {
				steps.add(send, wait{recvs[c.ID][behind], space})
			}
		}
	}
}

// ends returns the sends and the receives of channels.
func (e *exporter) ends() (sends, recvs map[ir.ID][]int32) {
	sends, recvs = map[ir.ID][]int32{}, map[ir.ID][]int32{}
	for _, i := range e.issued() {
		switch c := &e.program().Commands[i]; {
		case c.Channel == ir.NoID:
		case c.Kind == ir.KindSend:
			sends[c.Channel] = append(sends[c.Channel], i)
		case c.Kind == ir.KindRecv:
			recvs[c.Channel] = append(recvs[c.Channel], i)
		}
	}
	return sends, recvs
}

// meetings finds what completes together: both ends of a rendezvous, the
// collectives and the arrivals of one number.
func (e *exporter) meetings(s *waits) {
	sends, recvs := e.ends()
	for _, c := range e.program().Channels {
		if c.Depth > 0 {
			continue
		}
		for i, send := range sends[c.ID] {
			if i < len(recvs[c.ID]) {
				s.join(send, []int32{send, recvs[c.ID][i]})
			}
		}
	}
	type entry struct {
		of, queue ir.ID // a group, or a barrier and a queue of it
		rank      int64
	}
	entries := map[entry][]int32{}
	for _, i := range e.issued() {
		c := &e.program().Commands[i]
		rank, ranked := e.rankOf(c)
		switch {
		case c.Kind == ir.KindCollective && c.Group != ir.NoID && ranked:
			k := entry{of: c.Group, rank: rank}
			entries[k] = append(entries[k], i)
		case c.Kind == ir.KindBarrier && c.Barrier != ir.NoID && c.Queue != ir.NoID:
			k := entry{of: c.Barrier, queue: c.Queue, rank: ir.None}
			entries[k] = append(entries[k], i)
		}
	}
	for _, g := range e.program().Groups {
		var lists [][]int32
		for _, rank := range g.Ranks {
			lists = append(lists, entries[entry{of: g.ID, rank: rank}])
		}
		s.joinAll(lists)
	}
	for _, b := range e.program().Barriers {
		var lists [][]int32
		for _, q := range b.Queues {
			lists = append(lists, entries[entry{of: b.ID, queue: q, rank: ir.None}])
		}
		s.joinAll(lists)
	}
}

// joinAll lets the commands of one position in several lists meet, as far as the
// first list goes.
func (s *waits) joinAll(lists [][]int32) {
	if len(lists) == 0 {
		return
	}
	for i, first := range lists[0] {
		var all []int32
		for _, l := range lists {
			if i < len(l) {
				all = append(all, l[i])
			}
		}
		s.join(first, all)
	}
}

func (s *waits) join(first int32, all []int32) {
	s.members[first] = all
	for _, i := range all {
		s.meet[i] = first
	}
}

// commandOrder numbers the commands so that the number grows along everything
// that a command waits for, and is the same for commands that meet; unranked for
// those on a wait cycle and behind one. It also returns the commands that have
// one, in this order.
func (e *exporter) commandOrder() (ranks []int64, order []int32) {
	if e.commandRank != nil {
		return e.commandRank, e.commandsInOrder
	}
	s := e.waits()
	n := len(s.chain)
	next := s.followers()
	missing := make([]int32, n) // what the command, or the first of its meeting, still waits for
	lead := func(i int32) int32 {
		if s.meet[i] >= 0 {
			return s.meet[i]
		}
		return i
	}
	for i := range int32(n) {
		for range s.of(i) {
			missing[lead(i)]++
		}
		if s.before[i] >= 0 {
			missing[lead(i)]++
		}
	}
	ranks, order = make([]int64, n), make([]int32, 0, n)
	var ready []int32
	for i := range int32(n) {
		ranks[i] = unranked
		if lead(i) == i && missing[i] == 0 {
			ready = append(ready, i)
		}
	}
	reached := make([]int64, n) // the rank that is certain so far
	for k := 0; k < len(ready); k++ {
		first := ready[k]
		all := s.mates(first)
		if all == nil {
			all = []int32{first}
		}
		for _, i := range all {
			ranks[i] = reached[first]
			order = append(order, i)
			for _, f := range next.of(i) {
				l := lead(f)
				reached[l] = max(reached[l], reached[first]+1)
				if missing[l]--; missing[l] == 0 {
					ready = append(ready, l)
				}
			}
		}
	}
	e.commandRank, e.commandsInOrder = ranks, order
	return ranks, order
}

// followers are the commands that wait for a command.
type followers struct {
	start, list []int32
}

func (f *followers) of(i int32) []int32 { return f.list[f.start[i]:f.start[i+1]] }

// followers turns the waits around.
func (s *waits) followers() *followers {
	n := len(s.chain)
	f := &followers{start: make([]int32, n+1)}
	each := func(visit func(on, i int32)) {
		for i := range int32(n) {
			for _, w := range s.of(i) {
				visit(w.on, i)
			}
			if s.before[i] >= 0 {
				visit(s.before[i], i)
			}
		}
	}
	each(func(on, _ int32) { f.start[on+1]++ })
	for i := range n {
		f.start[i+1] += f.start[i]
	}
	f.list = make([]int32, f.start[n])
	next := append([]int32{}, f.start[:n]...)
	each(func(on, i int32) {
		f.list[next[on]] = i
		next[on]++
	})
	return f
}

func (e *exporter) commandRanks(w *writer) {
	ranks, _ := e.commandOrder()
	for i, r := range ranks {
		if r != unranked {
			c := &e.program().Commands[i]
			w.row(c.At, c.ID, e.num(r))
		}
	}
}
