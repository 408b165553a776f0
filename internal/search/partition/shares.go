package partition

import (
	"slices"
	"sort"
)

// cores is what the search knows of the cores of stages. A problem without Cores
// has one for each.
type cores struct {
	total int64
	floor int64 // no assignment has a smaller value
	// The least and most cores of each stage, no wider than the others let it.
	lo, hi []int64
	// What stages before the one with that number have at least, at most.
	sumLo, sumHi []int64

	none  bool // no sizes add up to the total
	fixed bool // every stage has one size
	alike bool // and that is the same for all

	// room is how much that many cores hold, no more than all that is to be
	// held; nil for no limit. No n cores, in whichever stages, hold more than
	// n times steepBytes / steepCores.
	room                   []int64
	steepBytes, steepCores int64
	own                    []int64 // of each op: bytes of weights that only it uses
	owns                   scale
	ancOwn, descOwn        []int64 // of each op's ancestors, and descendants
	shared                 []weight
	sharedOf               [][]int // of each op: numbers in shared
}

// weight is a weight that several ops use, and the bytes that each needs.
type weight struct {
	ops   []int
	bytes []int64
}

// newCores reads the sizes and the room of a problem that is well-formed.
func newCores(p *Problem) cores {
	k := p.Stages
	c := cores{total: int64(k), lo: make([]int64, k), hi: make([]int64, k)}
	few, many := int64(0), int64(0)
	for s := range k {
		r := Range{1, 1}
		if p.Cores != nil {
			r = p.Cores.size(s)
		}
		c.lo[s], c.hi[s] = int64(r.Lo), int64(r.Hi)
		few, many = few+c.lo[s], many+c.hi[s]
	}
	if p.Cores != nil {
		c.total, c.floor = int64(p.Cores.Total), p.Cores.Least
		c.room = slices.Clone(p.Cores.Room)
	}
	c.none = few > c.total || many < c.total
	c.fixed, c.alike = true, true
	for s := range k {
		lo, hi := c.lo[s], c.hi[s]
		if !c.none {
			c.lo[s] = max(lo, c.total-(many-hi))
			c.hi[s] = min(hi, c.total-(few-lo))
		}
		c.fixed = c.fixed && c.lo[s] == c.hi[s]
		c.alike = c.alike && c.fixed && c.lo[s] == c.lo[0]
	}
	c.sumLo, c.sumHi = make([]int64, k+1), make([]int64, k+1)
	for s := range k {
		c.sumLo[s+1], c.sumHi[s+1] = c.sumLo[s]+c.lo[s], c.sumHi[s]+c.hi[s]
	}
	return c
}

// uses says whether an op needs any weight.
func (p *Problem) uses(o int) bool {
	return p.Cores != nil && p.Cores.Uses != nil && len(p.Cores.Uses[o]) > 0
}

// hold reads what the ops of w need to be held.
func (c *cores) hold(w *net) {
	c.own, c.sharedOf = make([]int64, w.n), make([][]int, w.n)
	if c.room == nil || w.p.Cores.Uses == nil {
		c.room = nil
		return
	}
	users := map[int]*weight{}
	var names []int
	for v, o := range w.op {
		if w.p.domain(o).Lo == Outside {
			continue
		}
		most := map[int]int64{}
		var own []int
		for _, u := range w.p.Cores.Uses[o] {
			if _, seen := most[u.Weight]; !seen {
				own = append(own, u.Weight)
			}
			most[u.Weight] = max(most[u.Weight], u.Bytes)
		}
		for _, name := range own {
			if users[name] == nil {
				users[name] = &weight{}
				names = append(names, name)
			}
			users[name].ops = append(users[name].ops, v)
			users[name].bytes = append(users[name].bytes, most[name])
		}
	}
	all := int64(0)
	for _, name := range names {
		x := users[name]
		for _, b := range x.bytes {
			all += b
		}
		if len(x.ops) == 1 {
			c.own[x.ops[0]] += x.bytes[0]
			continue
		}
		for _, v := range x.ops {
			c.sharedOf[v] = append(c.sharedOf[v], len(c.shared))
		}
		c.shared = append(c.shared, *x)
	}
	c.owns = newScale(c.own)
	c.steepBytes, c.steepCores = 0, 1
	for n := range c.room {
		c.room[n] = min(c.room[n], all)
		if n > 0 && c.room[n]*c.steepCores > c.steepBytes*int64(n) {
			c.steepBytes, c.steepCores = c.room[n], int64(n)
		}
	}
}

// most is the most cores that stages a to e can have together, least the least.
func (c *cores) most(a, e int) int64 {
	k := len(c.lo)
	return min(c.sumHi[e+1]-c.sumHi[a], c.total-c.sumLo[a]-(c.sumLo[k]-c.sumLo[e+1]))
}

func (c *cores) least(a, e int) int64 {
	k := len(c.lo)
	return max(c.sumLo[e+1]-c.sumLo[a], c.total-c.sumHi[a]-(c.sumHi[k]-c.sumHi[e+1]))
}

// toHold is how many cores one stage needs to hold bytes.
func (c *cores) toHold(bytes int64) int64 {
	if c.room == nil {
		return 0
	}
	n := sort.Search(len(c.room), func(n int) bool { return c.room[n] >= bytes })
	if n == len(c.room) {
		return tooMany
	}
	return int64(n)
}

// toHoldAmong is how many cores several stages need, at least, to hold bytes.
func (c *cores) toHoldAmong(bytes int64) int64 {
	switch {
	case c.room == nil || bytes == 0:
		return 0
	case c.steepBytes == 0:
		return tooMany
	}
	return min(perCore(bytes*c.steepCores, c.steepBytes), tooMany)
}

// perCore is load / cores, rounded up.
func perCore(load, cores int64) int64 { return (load + cores - 1) / cores }

// bytes adds up what stages hold into the slice given, or a new one. It is nil
// where there is no limit.
func (c *cores) bytes(stages []int8, bytes []int64) []int64 {
	if c.room == nil {
		return nil
	}
	if bytes == nil {
		bytes = make([]int64, len(c.lo))
	}
	clear(bytes)
	for v, b := range c.own {
		if b > 0 {
			bytes[stages[v]] += b
		}
	}
	for i := range c.shared {
		c.shared[i].add(stages, bytes, 1)
	}
	return bytes
}

// add adds the weight's bytes, times sign, to every stage that uses it.
func (x *weight) add(stages []int8, bytes []int64, sign int64) {
	var most [maxStages]int64
	for i, v := range x.ops {
		s := stages[v]
		most[s] = max(most[s], x.bytes[i])
	}
	for s := range bytes {
		bytes[s] += sign * most[s]
	}
}

// ofSet is the bytes that the ops of a set need in one stage.
func (c *cores) ofSet(set bitset) int64 {
	sum := c.owns.of(set)
	for i := range c.shared {
		x := &c.shared[i]
		most := int64(0)
		for j, v := range x.ops {
			if x.bytes[j] > most && set.has(v) {
				most = x.bytes[j]
			}
		}
		sum += most
	}
	return sum
}

// value is the least value of stages with these loads and bytes, noValue when no
// sizes are right for them.
func (c *cores) value(loads, bytes []int64) int64 {
	if c.none {
		return noValue
	}
	value := c.floor
	if c.fixed {
		for s, l := range loads {
			if bytes != nil && c.room[c.lo[s]] < bytes[s] {
				return noValue
			}
			value = max(value, perCore(l, c.lo[s]))
		}
		return value
	}
	least := c.lo
	if bytes != nil {
		least = make([]int64, len(loads))
		sum := int64(0)
		for s, b := range bytes {
			least[s] = max(c.lo[s], c.toHold(b))
			if least[s] > c.hi[s] {
				return noValue
			}
			sum += least[s]
		}
		if sum > c.total {
			return noValue
		}
	}
	all, most := int64(0), int64(0)
	for s, l := range loads {
		all += l
		most = max(most, perCore(l, least[s]))
	}
	low, high := max(value, perCore(all, c.total)), max(value, most)
	for low < high {
		mid := low + (high-low)/2
		if coresUnder(loads, least, c.hi, mid, nil) <= c.total {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return high
}
