package facts

import (
	"cmp"
	"slices"
)

// order is a certificate that a command has completed when another one, on
// another track, begins: first is before, or ahead of it on its track; join is
// second, or ahead of it; and join waits for before, or an entry says so.
type order struct{ first, second, before, join int32 }

// entry is a certificate that before has completed when command begins: mate,
// which is the command or completes together with it, waits for via. before is
// via or completes together with it where through is -1; otherwise through is
// via or ahead of it on its track, and there is an entry that says that before
// has completed when through begins.
type entry struct{ command, before, mate, via, through int32 }

// search is a command that nothing shows to be before others: rules look for what
// comes behind it, up to a rank.
type search struct {
	first int32
	limit int64
}

// orders are the certificates of all pairs of commands that must be ordered and
// are, but by their track or by a wait of the second for the first.
type orders struct {
	waits    *waits
	tracks   *tracks
	ranks    []int64
	inOrder  []int32
	joins    map[[2]int32][]joint // by track, and track of what is waited for
	clocks   *clocks
	list     []order
	entries  []entry
	searches []search

	done    map[[2]int32]bool // pairs
	entered map[[2]int32]bool // command and before of entries
	open    map[int32]int64   // firsts that are not before a second, and the largest rank of those
	visits  int               // commands that may still be visited
	clocked bool              // there are clocks, if there can be
	seen    []int32           // by command: the last walk that came there
	from    []step            // by command, of that walk
	walks   int32
	todo    []int32
}

// joint is a command that waits for one of another track.
type joint struct{ command, via int32 }

// step is how a walk came to a command: from command, a mate of which waits for it.
type step struct{ command, mate int32 }

// Walks that look for orders visit so many commands before there are clocks, and
// so many more for each command of the program.
const (
	leastVisits      = 1 << 20
	visitsPerCommand = 16
)

// orders finds the certificates of neighbouring accesses of a buffer, of the ends
// of lives that share bytes, of accesses and what frees the buffer, of commands
// and what they are declared to depend on, of commands whose tasks depend on each
// other in the portable plan beside which the plan is judged, and of neighbouring
// collectives of two groups on a rank of both the first one and what the other
// waits for.
func (e *exporter) orders() *orders {
	if e.ordersFound == nil {
		e.ordersFound = e.findOrders(leastVisits + visitsPerCommand*len(e.program().Commands))
	}
	return e.ordersFound
}

// findOrders lets walks visit so many commands.
func (e *exporter) findOrders(visits int) *orders {
	ranks, inOrder := e.commandOrder()
	o := &orders{
		waits: e.waits(), tracks: e.tracks(), ranks: ranks, inOrder: inOrder,
		done: map[[2]int32]bool{}, entered: map[[2]int32]bool{}, open: map[int32]int64{},
		visits: visits,
	}
	p, l := e.program(), e.lives()
	for b, all := range l.accesses {
		l.neighbours(all, o.need)
		if freer, ok := lookup(o.waits.index, p.Buffers[b].FreedBy); ok {
			for _, a := range l.lasts(b) {
				o.need(a.command, int32(freer))
			}
		}
	}
	l.successions(func(a, b int) {
		freer, freed := lookup(o.waits.index, p.Buffers[a].FreedBy)
		for _, first := range l.firsts(b) {
			if freed {
				o.need(int32(freer), first.command)
				continue
			}
			for _, last := range l.lasts(a) {
				o.need(last.command, first.command)
			}
		}
	})
	e.sharedNeighbours(o.need)
	e.declarations(o.need)
	e.plannedOrders(o.need)
	o.chooseSearches()
	return o
}

// declarations goes through the pairs of commands that declared dependencies are
// about.
func (e *exporter) declarations(need func(first, second int32)) {
	s := e.waits()
	if _, order := e.commandOrder(); !s.declared || len(order) < len(s.chain) {
		return
	}
	for i := range int32(len(s.chain)) {
		for _, w := range s.of(i) {
			if w.why == dependency {
				need(w.on, i)
			}
		}
	}
}

// need finds the certificate that first comes before second, if it needs one.
func (o *orders) need(first, second int32) {
	if first == second || o.follows(first, second) || o.waits.waits(second, first) {
		return
	}
	key := [2]int32{first, second}
	if o.done[key] {
		return
	}
	o.done[key] = true
	if o.byJoint(first, second) {
		return
	}
	switch before, join, known := o.walk(first, second); {
	case known && before >= 0:
		o.list = append(o.list, order{first, second, before, join})
	case known || !o.byClock(first, second):
		o.open[first] = max(o.open[first], o.ranks[second])
	}
}

// follows says that second is behind first on its track.
func (o *orders) follows(first, second int32) bool {
	t := o.tracks
	return t.of[first] == t.of[second] && t.place[first] < t.place[second]
}

// waits says that a command waits for another one itself.
func (s *waits) waits(command, on int32) bool {
	return s.before[command] == on || slices.ContainsFunc(s.real(command), func(w wait) bool { return w.on == on })
}

// byJoint looks for a wait between the tracks of two commands.
func (o *orders) byJoint(first, second int32) bool {
	t := o.tracks
	if o.joins == nil {
		o.joins = map[[2]int32][]joint{}
		for _, i := range o.inOrder {
			for _, w := range o.waits.real(i) {
				key := [2]int32{t.of[i], t.of[w.on]}
				if all := o.joins[key]; key[0] != key[1] && (len(all) == 0 || t.place[all[len(all)-1].via] < t.place[w.on]) {
					o.joins[key] = append(all, joint{i, w.on})
				}
			}
		}
	}
	all := o.joins[[2]int32{t.of[second], t.of[first]}]
	k, _ := slices.BinarySearchFunc(all, t.place[first], func(j joint, place int32) int { return cmp.Compare(t.place[j.via], place) })
	if k == len(all) || t.place[all[k].command] > t.place[second] {
		return false
	}
	o.list = append(o.list, order{first, second, all[k].via, all[k].command})
	return true
}

// walk goes back from second along waits, as far as ranks are above that of
// first, until it comes to first or behind it on its track. It returns the order's
// before and join, -1 where there is no way; known is false where it had to stop.
func (o *orders) walk(first, second int32) (before, join int32, known bool) {
	if o.visits <= 0 {
		return -1, -1, false
	}
	if o.seen == nil {
		o.seen, o.from = make([]int32, len(o.ranks)), make([]step, len(o.ranks))
	}
	o.walks++
	o.todo = append(o.todo[:0], second)
	o.seen[second] = o.walks
	for next := 0; next < len(o.todo); next++ {
		c := o.todo[next]
		if o.visits--; o.visits <= 0 {
			return -1, -1, false
		}
		mates := o.waits.mates(c)
		if mates == nil {
			mates = []int32{c}
		}
		for _, m := range mates {
			real := o.waits.real(m)
			for k := range len(real) + 1 {
				on := o.waits.before[m]
				if k > 0 {
					on = real[k-1].on
				}
				if on < 0 || o.seen[on] == o.walks {
					continue
				}
				o.seen[on], o.from[on] = o.walks, step{c, m}
				if x, ok := o.reached(first, on); ok {
					return x, o.enter(second, on, x), true
				}
				if o.ranks[on] > o.ranks[first] {
					o.todo = append(o.todo, on)
				}
			}
		}
	}
	return -1, -1, true
}

// reached says whether a command, or a mate of it, is first or behind it on its
// track, and which.
func (o *orders) reached(first, c int32) (int32, bool) {
	if c == first || o.follows(first, c) {
		return c, true
	}
	for _, m := range o.waits.mates(c) {
		if m == first || o.follows(first, m) {
			return m, true
		}
	}
	return 0, false
}

// enter makes the entries along a walk that came from second to last, which is
// before or completes together with it, and returns the command of the one nearest
// to second.
func (o *orders) enter(second, last, before int32) int32 {
	at := o.from[last]
	top := at.command
	o.put(entry{top, before, at.mate, last, -1})
	for c := top; c != second; {
		via, s := c, o.from[c]
		c = s.command
		if o.tracks.of[c] == o.tracks.of[top] && o.follows(top, c) {
			continue // an entry holds for all behind it
		}
		o.put(entry{c, before, s.mate, via, top})
		top = c
	}
	return top
}

func (o *orders) put(x entry) {
	if key := [2]int32{x.command, x.before}; !o.entered[key] {
		o.entered[key] = true
		o.entries = append(o.entries, x)
	}
}

// byClock looks for an order in the clocks.
func (o *orders) byClock(first, second int32) bool {
	if !o.clocked {
		o.clocked = true
		o.clocks = makeClocks(o.waits, o.tracks, o.inOrder)
	}
	if o.clocks == nil {
		return false
	}
	r, ok := o.clocks.find(first, second)
	if !ok {
		return false
	}
	for i := r.change; i >= 0; {
		c := &o.clocks.all[i]
		if o.entered[[2]int32{c.join, c.before}] {
			break
		}
		x := entry{c.join, c.before, c.mate, c.via, -1}
		if c.through >= 0 {
			x.through = o.clocks.all[c.through].join
		}
		o.put(x)
		i = c.through
	}
	o.list = append(o.list, order{first, second, r.before, r.join})
	return true
}

// searchedCommands bounds how many commands the rules look at for all searches,
// but one search is always made. What is left out is counted by the rules.
const searchedCommands = 2 << 20

// chooseSearches takes the firsts of lowest rank whose searches are within bounds.
func (o *orders) chooseSearches() {
	if len(o.open) == 0 {
		return
	}
	reach := make([]int, len(o.ranks)+1) // how many commands have a rank below
	for _, r := range o.ranks {
		reach[r+1]++
	}
	for r := range o.ranks {
		reach[r+1] += reach[r]
	}
	for first, limit := range o.open {
		o.searches = append(o.searches, search{first, limit})
	}
	slices.SortFunc(o.searches, func(a, b search) int {
		return cmp.Or(cmp.Compare(o.ranks[a.first], o.ranks[b.first]), cmp.Compare(a.first, b.first))
	})
	left := searchedCommands
	for i, s := range o.searches {
		if left -= reach[s.limit+1] - reach[min(o.ranks[s.first], s.limit)]; left < 0 && i > 0 {
			o.searches = o.searches[:i]
			return
		}
	}
}

func (e *exporter) orderedBy(w *writer) {
	commands := e.program().Commands
	for _, o := range e.orders().list {
		second := &commands[o.second]
		w.row(second.At, commands[o.first].ID, second.ID, commands[o.before].ID, commands[o.join].ID)
	}
}

func (e *exporter) orderSearches(w *writer) {
	for _, s := range e.orders().searches {
		c := &e.program().Commands[s.first]
		w.row(c.At, c.ID, e.num(s.limit))
	}
}

func (e *exporter) clocksDirect(w *writer) {
	commands := e.program().Commands
	for _, x := range e.orders().entries {
		if c := &commands[x.command]; x.through < 0 {
			w.row(c.At, c.ID, commands[x.before].ID, commands[x.mate].ID, commands[x.via].ID)
		}
	}
}

func (e *exporter) clocksPassed(w *writer) {
	commands := e.program().Commands
	for _, x := range e.orders().entries {
		if c := &commands[x.command]; x.through >= 0 {
			w.row(c.At, c.ID, commands[x.before].ID, commands[x.mate].ID, commands[x.via].ID, commands[x.through].ID)
		}
	}
}
