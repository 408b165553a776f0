package simulate

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"plancheck/ir"
)

// Run plays a program to its end. The error is a *Deadlock where it has none.
func Run(in Input) (*Result, error) {
	if in.Plan.Program == nil {
		return nil, errors.New("the plan has no program")
	}
	n := len(in.Plan.Program.Commands)
	if len(in.Durations) != n || in.Priorities != nil && len(in.Priorities) != n {
		return nil, fmt.Errorf("there are %d commands, but %d durations and %d priorities", n, len(in.Durations), len(in.Priorities))
	}
	if i := slices.IndexFunc(in.Durations, func(d int64) bool { return d < 0 }); i >= 0 {
		return nil, fmt.Errorf("command %s takes %d ps", in.Plan.Text(in.Plan.Program.Commands[i].ID), in.Durations[i])
	}
	p, err := newProgram(in.Plan)
	if err != nil {
		return nil, err
	}
	s := newState(p, in)
	if err := s.play(); err != nil {
		return nil, err
	}
	if s.left > 0 {
		return nil, s.deadlock()
	}
	return s.result(), nil
}

// state is a program while it is played.
type state struct {
	*program
	durations []int64
	rank      []int32 // of each unit: its place among those that are ready at once
	memory    *memory

	now  int64
	left int // commands that have not ended
	err  error

	// Of each unit: how much it still waits for, when it was ready, started and
	// ended, and what bound it.
	missing           []int32
	ready, start, end []int64
	begun, done       []bool
	bound             []binding

	candidates heap // ready units that may find their resources free
	running    heap // by their end
	due        heap // units that wait for their cycle only
	reserved   heap // units by the time at which they find free what they hold
	meeting    []meeting
	held       [][]Use // of each carrier of the chip

	// Of each resource: whether it is occupied, when it became free, and the units
	// that wait for it.
	occupied []bool
	freed    []int64
	parked   []heap

	order     []int32   // units as they started
	sequences [][]int32 // the commands of each resource as they started
	events    []Event
}

// binding is what let a unit begin no earlier: the command that it waited for.
type binding struct {
	on  int32 // -1 for none
	why Edge
}

func newState(p *program, in Input) *state {
	units, queues := p.units.len(), len(p.Queues)
	s := &state{
		program: p, durations: in.Durations, left: len(p.Commands),
		missing: make([]int32, units), ready: make([]int64, units), start: make([]int64, units), end: make([]int64, units),
		begun: make([]bool, units), done: make([]bool, units), bound: make([]binding, units),
		occupied: make([]bool, queues), freed: make([]int64, queues), parked: make([]heap, queues), sequences: make([][]int32, queues),
	}
	s.rank = unitRanks(p, in.Priorities)
	s.meeting = make([]meeting, p.partners.len())
	if p.chip != nil {
		s.held = make([][]Use, len(p.chip.resources))
	}
	for u := range s.bound {
		s.bound[u] = binding{-1, Start}
	}
	for _, w := range p.waits {
		s.missing[p.unit[w.command]]++
	}
	for _, recv := range p.listeners {
		s.missing[p.unit[recv]]++
	}
	for c := range p.never {
		s.missing[p.unit[c]]++ // it stays
	}
	s.memory = newMemory(s)
	return s
}

// unitRanks orders units by the first of their commands in the order of
// priority, place on the queue, and id.
func unitRanks(p *program, priorities []int64) []int32 {
	compare := func(a, b int32) int {
		if priorities != nil && priorities[a] != priorities[b] {
			return cmp.Compare(priorities[a], priorities[b])
		}
		return cmp.Or(cmp.Compare(p.place[a], p.place[b]), cmp.Compare(p.idRank[a], p.idRank[b]))
	}
	leads, units := make([]int32, p.units.len()), make([]int32, p.units.len())
	for u := range leads {
		leads[u], units[u] = slices.MinFunc(p.units.of(int32(u)), compare), int32(u)
	}
	slices.SortFunc(units, func(a, b int32) int { return compare(leads[a], leads[b]) })
	ranks := make([]int32, len(units))
	for rank, u := range units {
		ranks[u] = int32(rank)
	}
	return ranks
}

// play lets things happen until nothing more can.
func (s *state) play() error {
	s.memory.begin()
	for u, missing := range s.missing {
		if missing == 0 {
			s.release(int32(u))
		}
	}
	for s.err == nil {
		for len(s.candidates) > 0 && s.err == nil {
			s.try(s.candidates.pop())
		}
		if !s.advance() {
			break
		}
	}
	return s.err
}

// advance goes on to the next time at which something happens, and says whether
// there is one.
func (s *state) advance() bool {
	next := int64(math.MaxInt64)
	idle := true
	for _, h := range []heap{s.running, s.due, s.reserved} {
		if len(h) > 0 {
			next, idle = min(next, h[0].time), false
		}
	}
	if idle {
		return false
	}
	s.now = next
	for len(s.running) > 0 && s.running[0].time == s.now {
		s.complete(s.running.pop().unit)
	}
	s.tick()
	return true
}

// tell notes an event.
func (s *state) tell(kind EventKind, command int32, what ir.ID) {
	s.events = append(s.events, Event{s.now, kind, command, what})
}

// release lets a unit be ready, for which all has come, when its cycle comes.
func (s *state) release(u int32) {
	if p := s.pace(u); p != nil && s.now < p.due {
		s.due.push(item{time: p.due, rank: s.rank[u], unit: u, from: -1})
		return
	}
	s.becomeReady(u)
}

func (s *state) becomeReady(u int32) {
	s.ready[u] = s.now
	for _, c := range s.units.of(u) {
		s.tell(Ready, c, ir.NoID)
	}
	s.candidates.push(item{time: s.now, rank: s.rank[u], unit: u, from: -1})
}

// try starts a ready unit if all its resources are free, and else lets it wait
// for one that is not.
func (s *state) try(x item) {
	from := x.from
	switch busy := s.busyOne(x.unit); {
	case s.missing[x.unit] > 0: // a buffer was taken from it
	case busy < 0 && s.pace(x.unit) != nil:
		s.reserve(x.unit)
	case busy < 0:
		s.begin(x.unit)
	default:
		x.from = -1
		s.parked[busy].push(x)
	}
	if from >= 0 && !s.occupied[from] {
		s.unpark(from)
	}
}

// busyOne returns an occupied resource of a unit, -1 for none.
func (s *state) busyOne(u int32) int32 {
	for _, c := range s.units.of(u) {
		if q := s.runs[c]; q >= 0 && s.occupied[q] {
			return q
		}
	}
	return -1
}

// unpark makes the first unit that waits for a free resource a candidate.
func (s *state) unpark(q int32) {
	if len(s.parked[q]) > 0 {
		x := s.parked[q].pop()
		x.from = q
		s.candidates.push(x)
	}
}

func (s *state) begin(u int32) {
	members := s.units.of(u)
	s.start[u], s.begun[u] = s.now, true
	s.order = append(s.order, u)
	if s.now > s.ready[u] && s.pace(u) == nil {
		s.bound[u] = binding{-1, Start}
		for _, c := range members {
			if q := s.runs[c]; s.freed[q] == s.now {
				s.bind(u, s.sequences[q][len(s.sequences[q])-1], Occupied)
			}
		}
	}
	takes := int64(0)
	for _, c := range members {
		takes = max(takes, s.durations[c])
		s.tell(Started, c, ir.NoID)
		for _, t := range s.Commands[c].Waits {
			s.tell(Waited, c, t)
		}
		s.memory.use(c)
	}
	for _, c := range members { // behind the look at what was there before
		if q := s.runs[c]; q >= 0 {
			s.occupied[q] = true
			s.sequences[q] = append(s.sequences[q], c)
		}
	}
	if takes > math.MaxInt64-s.now {
		s.err = fmt.Errorf("command %s begins at %d ps and takes %d: its end is beyond 64 bits", s.name(members[0]), s.now, takes)
		return
	}
	s.end[u] = s.now + takes
	s.running.push(item{time: s.end[u], rank: s.rank[u], unit: u})
}

// bind notes that a unit could not begin before a command ended, which it has
// now: of several the one with the smallest id, and the first edge.
func (s *state) bind(u, on int32, why Edge) {
	b := &s.bound[u]
	if b.on < 0 || s.idRank[on] < s.idRank[b.on] || on == b.on && why < b.why {
		*b = binding{on, why}
	}
}

func (s *state) complete(u int32) {
	if m := s.meetingOf(u); m >= 0 {
		s.part(u, m)
		return
	}
	s.finish(u)
}

// finish lets a unit have completed.
func (s *state) finish(u int32) {
	members := s.units.of(u)
	s.done[u] = true
	s.left -= len(members)
	for _, c := range members {
		s.tell(Ended, c, ir.NoID)
		for _, t := range s.Commands[c].Signals {
			s.tell(Signalled, c, t)
		}
		s.memory.leave(c)
	}
	for _, c := range members {
		if q := s.runs[c]; q >= 0 && s.occupied[q] { // two members may share it
			s.occupied[q], s.freed[q] = false, s.now
			s.unpark(q)
		}
		first, last := s.followers.start[c], s.followers.start[c+1]
		for k := first; k < last; k++ {
			s.satisfy(s.followers.all[k], c, s.edges[k])
		}
	}
}

// satisfy says that something that a command waits for has come with the end of
// another one.
func (s *state) satisfy(command, on int32, why Edge) {
	u := s.unit[command]
	if b := &s.bound[u]; b.on >= 0 && s.end[s.unit[b.on]] < s.now {
		*b = binding{-1, Start}
	}
	s.bind(u, on, why)
	if s.missing[u]--; s.missing[u] == 0 {
		s.release(u)
	}
}
