package derive

import (
	"cmp"
	"container/heap"
	"math"
	"slices"
	"strconv"

	"plancheck/ir"
	"plancheck/ir/evidence"
)

// routerLatency is how many cycles a router takes to put a payload on its first
// link.
const routerLatency = 1

// chipUnitKey is one of the engines of a core.
type chipUnitKey struct {
	core   int64
	engine string
	number int64
}

// chipUnit is a unit of a core. One that launches issues a command when the one
// before has completed, and a router issues as many in a cycle as it is wide.
type chipUnit struct {
	id      string
	key     chipUnitKey
	width   int64
	router  bool
	latency map[string]int64 // by op
	free    int64            // the first cycle in which nothing runs
	issued  map[int64]int64  // of a router: how many commands in a cycle
	waiting pending
}

// chipLink is a link of the mesh, and when it is taken.
type chipLink struct {
	from, to int64
	taken    []span // in order, with gaps between
}

// span is the cycles from one on to before another.
type span struct{ from, until int64 }

// chipHop is the passage of a payload over a link.
type chipHop struct {
	link           *chipLink
	depart, cycles int64
}

// time gives every command its cycle, and every transfer its route: list
// scheduling, cycle by cycle. Of what can begin on a unit that which most cycles
// hang on goes first, and of those that which comes first in the order of tasks. A
// route goes along the row and then along the column, and takes each link as soon
// as it is free.
func (p *chipProgram) time() error {
	p.unitOf, p.links = map[chipUnitKey]*chipUnit{}, map[[2]int64]*chipLink{}
	if err := p.findUnits(); err != nil {
		return err
	}
	tail, err := p.tails()
	if err != nil {
		return err
	}
	next, missing := make([][]int, len(p.commands)), make([]int, len(p.commands))
	var events ticks
	for i := range p.commands {
		missing[i] = len(p.commands[i].after)
		for _, b := range p.commands[i].after {
			next[b] = append(next[b], i)
		}
		if missing[i] == 0 {
			heap.Push(&events, tick{0, i})
		}
	}
	begins := make([]int64, len(p.commands))
	for len(events) > 0 {
		now := events[0].cycle
		touched := []*chipUnit{}
		for len(events) > 0 && events[0].cycle == now {
			e := heap.Pop(&events).(tick)
			u := p.commands[max(e.command, -e.command-1)].unit
			if e.command >= 0 {
				heap.Push(&u.waiting, candidate{tail[e.command], e.command})
			}
			if !slices.Contains(touched, u) {
				touched = append(touched, u)
			}
		}
		for _, u := range touched {
			for len(u.waiting) > 0 && u.takes(now) {
				i := heap.Pop(&u.waiting).(candidate).command
				c := &p.commands[i]
				p.issue(c, now)
				p.order = append(p.order, i)
				for _, n := range next[i] {
					begins[n] = max(begins[n], c.done)
					if missing[n]--; missing[n] == 0 {
						heap.Push(&events, tick{begins[n], n})
					}
				}
			}
			if len(u.waiting) > 0 { // look again when it is free
				heap.Push(&events, tick{u.again(now), -u.waiting[0].command - 1})
			}
		}
	}
	slices.SortFunc(p.order, func(a, b int) int {
		return cmp.Or(cmp.Compare(p.commands[a].cycle, p.commands[b].cycle), a-b)
	})
	return nil
}

// takes says whether a unit can issue a command in a cycle.
func (u *chipUnit) takes(now int64) bool {
	if u.router {
		return u.issued[now] < u.width
	}
	return u.free <= now
}

// again is when a unit that cannot issue now may.
func (u *chipUnit) again(now int64) int64 {
	if u.router {
		return now + 1
	}
	return u.free
}

// issue issues a command now, and sends its data on its way.
func (p *chipProgram) issue(c *chipCommand, now int64) {
	u := c.unit
	c.cycle = now
	if !u.router {
		c.done = now + u.latency[c.lane.name]
		u.free = c.done
		return
	}
	c.slot = u.issued[now]
	u.issued[now]++
	at, occupied := now+routerLatency, p.occupancy(c)
	for _, l := range p.way(c.core, c.to) {
		depart := l.take(at, occupied)
		c.hops = append(c.hops, chipHop{l, depart, occupied})
		at = depart + occupied + p.Target.Link.Latency
	}
	c.done = at
}

// take takes a link for some cycles, at the first gap from a cycle on.
func (l *chipLink) take(from, cycles int64) int64 {
	at := 0
	for ; at < len(l.taken); at++ {
		if from+cycles <= l.taken[at].from {
			break
		}
		from = max(from, l.taken[at].until)
	}
	l.taken = slices.Insert(l.taken, at, span{from, from + cycles})
	return from
}

// occupancy is for how many cycles the data of a transfer takes a link.
func (p *chipProgram) occupancy(c *chipCommand) int64 {
	return max(1, (c.bytes-1)/p.Target.Link.PerCycle+1)
}

// way is the links from a core to another: along the row, and then the column.
func (p *chipProgram) way(from, to int64) []*chipLink {
	cols := p.Target.Mesh.Cols
	var all []*chipLink
	for from != to {
		next := from
		switch {
		case from%cols < to%cols:
			next++
		case from%cols > to%cols:
			next--
		case from < to:
			next += cols
		default:
			next -= cols
		}
		l := p.links[[2]int64{from, next}]
		if l == nil {
			l = &chipLink{from: from, to: next}
			p.links[[2]int64{from, next}] = l
		}
		all = append(all, l)
		from = next
	}
	return all
}

// tails are, for each command, the cycles from its issue to the end that hang on
// it, where links are free.
func (p *chipProgram) tails() ([]int64, error) {
	tail := make([]int64, len(p.commands))
	total := int64(0)
	for i := len(p.commands) - 1; i >= 0; i-- { // commands come behind what they wait for
		c := &p.commands[i]
		takes := int64(routerLatency)
		if c.kind == ir.KindLaunch {
			takes = c.unit.latency[c.lane.name]
		} else if hops, each := int64(len(p.way(c.core, c.to))), p.occupancy(c); each <= math.MaxInt32 && p.Target.Link.Latency <= math.MaxInt32 {
			takes += hops * (each + p.Target.Link.Latency)
		} else {
			takes = math.MaxInt64
		}
		// All commands one behind the other take longest.
		if takes > math.MaxInt64/4-total {
			return nil, refuse("integer-out-of-range", "the schedule has more cycles than 64 bits can count")
		}
		total += takes
		tail[i] += takes
		for _, b := range c.after {
			tail[b] = max(tail[b], tail[i])
		}
	}
	return tail, nil
}

// findUnits gives every command the unit that issues it. Of several engines of a
// kind on a core lanes take turns.
func (p *chipProgram) findUnits() error {
	turn := map[chipUnitKey]int64{}
	for i := range p.commands {
		c := &p.commands[i]
		var engine *evidence.Engine
		for k := range p.Target.Engines {
			e := &p.Target.Engines[k]
			if c.kind == ir.KindTransfer && e.Kind == "transfer" || c.kind == ir.KindLaunch && e.ID == c.lane.engine {
				engine = e
				break
			}
		}
		if engine == nil {
			return refuse("capability-unsupported", "the target has no engine that does a %s", c.kind)
		}
		key := chipUnitKey{core: c.core, engine: engine.ID}
		key.number, turn[key] = turn[key]%max(1, engine.Count), turn[key]+1
		u := p.unitOf[key]
		if u == nil {
			u = &chipUnit{id: p.Deployment.Devices[c.core] + "." + engine.ID, key: key, width: max(1, engine.Width), router: c.kind == ir.KindTransfer,
				latency: map[string]int64{}, issued: map[int64]int64{}}
			if engine.Count > 1 {
				u.id += strconv.FormatInt(key.number, 10)
			}
			p.unitOf[key] = u
			p.units = append(p.units, u)
		}
		if c.unit = u; !u.router {
			u.latency[c.lane.name] = c.lane.cycles // as of all of this name
		}
	}
	return nil
}

// tick is when a command is ready, or, by -1 minus its number, when its unit may be
// free.
type tick struct {
	cycle   int64
	command int
}

// ticks is a heap: what comes first is least.
type ticks []tick

func (t ticks) Len() int      { return len(t) }
func (t ticks) Swap(i, j int) { t[i], t[j] = t[j], t[i] }
func (t ticks) Less(i, j int) bool {
	return t[i].cycle < t[j].cycle || t[i].cycle == t[j].cycle && t[i].command < t[j].command
}
func (t *ticks) Push(x any) { *t = append(*t, x.(tick)) }
func (t *ticks) Pop() any   { return pop((*[]tick)(t)) }

// candidate is a command that may begin, and how many cycles hang on it.
type candidate struct {
	tail    int64
	command int
}

// pending is a heap: what most cycles hang on is least.
type pending []candidate

func (q pending) Len() int      { return len(q) }
func (q pending) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q pending) Less(i, j int) bool {
	return q[i].tail > q[j].tail || q[i].tail == q[j].tail && q[i].command < q[j].command
}
func (q *pending) Push(x any) { *q = append(*q, x.(candidate)) }
func (q *pending) Pop() any   { return pop((*[]candidate)(q)) }

func pop[T any](list *[]T) T {
	last := (*list)[len(*list)-1]
	*list = (*list)[:len(*list)-1]
	return last
}
