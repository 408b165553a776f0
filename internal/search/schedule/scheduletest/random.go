package scheduletest

import (
	"math/rand/v2"

	"plancheck/internal/search/schedule"
)

// Random returns a small problem in which anything may be: values of inputs and
// of ops, with forwards and without; shared weights, split lanes; sizes of
// ranges that are free, given in part or given; machine cores of several kinds
// with little room; places and shares that are pinned; stages that must not be
// empty. Size, at least 2, is the number of shares of all ops together, or a
// few more; Best knows the answer for size 8 in a few milliseconds.
//
// A problem is made around a solution. Half of them keep it, so that they have
// one, however little room it leaves; the others are changed afterwards, and
// half of these have none.
func Random(rng *rand.Rand, size int) *schedule.Problem {
	p, _ := random(rng, size)
	return p
}

// random returns a problem and the solution that it was made around, nil if it
// was changed afterwards.
func random(rng *rand.Rand, size int) (*schedule.Problem, *schedule.Solution) {
	m := &maker{rng: rng, p: &schedule.Problem{Kinds: 1}, s: &schedule.Solution{}}
	m.frame()
	m.ops(max(size, 2))
	m.values()
	m.seats()
	m.machine()
	m.pins()
	if rng.IntN(2) == 0 {
		return m.p, m.s
	}
	for range 1 + rng.IntN(4) {
		m.spoil()
	}
	return m.p, nil
}

// maker makes a problem p around a solution s.
type maker struct {
	rng *rand.Rand
	p   *schedule.Problem
	s   *schedule.Solution
}

// one says yes once in n times.
func (m *maker) one(n int) bool { return m.rng.IntN(n) == 0 }

// frame makes stages and their ranges.
func (m *maker) frame() {
	m.p.Stages = 1 + m.rng.IntN(4)
	m.p.Cores = m.p.Stages + m.rng.IntN(6-m.p.Stages)
	m.s.First = []int{0}
	spare := m.p.Cores - m.p.Stages
	for range m.p.Stages - 1 {
		extra := m.rng.IntN(spare + 1)
		spare -= extra
		m.s.First = append(m.s.First, m.s.First[len(m.s.First)-1]+1+extra)
	}
	given := m.rng.IntN(6) // free (twice), counts, all, firsts, some of everything
	for t := range m.p.Stages {
		all := schedule.Range{First: m.s.First[t], Count: end(m.p, m.s, t) - m.s.First[t]}
		r := schedule.Range{First: schedule.Free, Count: schedule.Free}
		if given == 3 || given == 4 || given == 5 && m.one(3) {
			r.First = all.First
		}
		if given == 2 || given == 3 || given == 5 && m.one(4) {
			r.Count = all.Count
		}
		m.p.Ranges = append(m.p.Ranges, r)
	}
	if m.p.Cores > 1 && m.one(3) {
		m.p.Kinds = 2 + m.rng.IntN(2)
	}
}

// cycles returns cycles on each kind of core.
func (m *maker) cycles(most int64) []int64 {
	c := make([]int64, m.p.Kinds)
	for k := range c {
		if !m.one(8) {
			c[k] = m.rng.Int64N(most + 1)
		}
	}
	return c
}

// ops makes ops and their stages, which grow with their numbers, and weights.
func (m *maker) ops(size int) {
	most := []int64{4, 20, 1000}[m.rng.IntN(3)]
	for range 1 + m.rng.IntN(4) {
		m.p.Slices = append(m.p.Slices, m.rng.Int64N(12))
	}
	n := 2 + m.rng.IntN(min(5, size-1))
	stages := make([]int, n)
	for o := range n {
		stages[o] = m.rng.IntN(m.p.Stages)
	}
	for o := range stages { // in order, by exchange
		for q := range o {
			if stages[q] > stages[o] {
				stages[q], stages[o] = stages[o], stages[q]
			}
		}
	}
	m.s.Stage = stages
	spare := size - n
	for range n {
		op := schedule.Op{Lo: 0, Hi: m.p.Stages - 1, Lanes: 1 + m.rng.IntN(min(spare, 2)+1), Parts: 1, Cycles: m.cycles(most)}
		if m.one(4) {
			op.Parts = 1 + m.rng.IntN(min(spare/op.Lanes, 2)+1)
		}
		spare = max(spare-op.Shares()+1, 0)
		for w := range m.p.Slices {
			if m.one(3) {
				op.Weights = append(op.Weights, w)
			}
		}
		m.p.Ops = append(m.p.Ops, op)
	}
}

// values makes values of inputs and of ops, and reads that the stages allow.
func (m *maker) values() {
	reads := 1 + m.rng.IntN(4) // of four ops that may read a value
	sizes := m.rng.IntN(4) > 0
	for from := schedule.Outside; from < len(m.p.Ops)-1; from++ {
		for range m.rng.IntN(3) {
			v := schedule.Value{From: from, Bytes: m.rng.Int64N(40), Cycles: m.cycles(6)}
			at := schedule.Outside
			if from >= 0 {
				at = m.s.Stage[from]
				v.Forward = m.rng.IntN(m.p.Ops[from].Lanes + 1)
			} else {
				v.Forward = m.rng.IntN(2)
			}
			if !sizes && m.one(4) {
				v.Bytes = schedule.Unknown
			}
			for to := from + 1; to < len(m.p.Ops); to++ {
				if m.rng.IntN(4) < reads && (v.Forward > 0 || m.s.Stage[to] <= at+1) && !(from < 0 && m.one(2)) {
					m.p.Reads = append(m.p.Reads, schedule.Read{Value: len(m.p.Values), To: to})
				}
			}
			m.p.Values = append(m.p.Values, v)
		}
	}
	if m.one(2) { // numbers of ops say nothing about their order
		m.shuffleOps()
	}
}

// shuffleOps gives the ops other numbers.
func (m *maker) shuffleOps() {
	number := m.rng.Perm(len(m.p.Ops))
	ops, stages := make([]schedule.Op, len(number)), make([]int, len(number))
	for o, n := range number {
		ops[n], stages[n] = m.p.Ops[o], m.s.Stage[o]
	}
	m.p.Ops, m.s.Stage = ops, stages
	for i := range m.p.Values {
		if v := &m.p.Values[i]; v.From >= 0 {
			v.From = number[v.From]
		}
	}
	for i := range m.p.Reads {
		m.p.Reads[i].To = number[m.p.Reads[i].To]
	}
}

// seats gives every share, and every lane of a forward, a core of its stage.
func (m *maker) seats() {
	seat := func(stage, n int) []int {
		core := make([]int, n)
		for i := range core {
			core[i] = m.s.First[stage] + m.rng.IntN(end(m.p, m.s, stage)-m.s.First[stage])
		}
		return core
	}
	for o := range m.p.Ops {
		m.s.Core = append(m.s.Core, seat(m.s.Stage[o], m.p.Ops[o].Shares()))
	}
	for _, c := range carry(m.p, m.s.Stage) {
		m.s.Forwards = append(m.s.Forwards, schedule.Forward{Value: c.value, Stage: c.stage, Core: seat(c.stage, m.p.Values[c.value].Forward)})
	}
}

// machine makes the machine cores with just as much room as the solution needs,
// or a little more.
func (m *maker) machine() {
	if m.p.Kinds == 1 && m.one(6) {
		return
	}
	need := used(m.p, m.s.Core)
	var largest int64
	for _, n := range need {
		largest = max(largest, n)
	}
	m.s.Place = m.rng.Perm(m.p.Cores)
	m.p.Machine = make([]schedule.Core, m.p.Cores)
	equal, slack := m.one(2), m.rng.Int64N(4)
	for core, at := range m.s.Place {
		capacity := need[core] + m.rng.Int64N(slack+1)
		if equal {
			capacity = largest + slack
		}
		if !equal && m.one(8) {
			capacity = schedule.Unknown
		}
		m.p.Machine[at] = schedule.Core{Capacity: capacity, Kind: m.rng.IntN(m.p.Kinds)}
	}
	m.p.Places = make([]int, m.p.Cores)
	pinned := m.rng.IntN(4) // none (twice), some, all
	for core, at := range m.s.Place {
		m.p.Places[core] = schedule.Free
		if pinned == 3 || pinned == 2 && m.one(2) {
			m.p.Places[core] = at
		}
	}
	if m.one(6) {
		return
	}
	m.p.Hops = make([][]int64, m.p.Cores)
	for a := range m.p.Hops {
		m.p.Hops[a] = make([]int64, m.p.Cores)
		for b := range m.p.Hops[a] {
			if a != b {
				m.p.Hops[a][b] = m.rng.Int64N(5)
			}
		}
	}
}

// pins decides some stages and cores as the solution does.
func (m *maker) pins() {
	if m.one(3) {
		for o := range m.p.Ops {
			op := &m.p.Ops[o]
			switch m.rng.IntN(6) {
			case 0:
				op.Lo, op.Hi = m.s.Stage[o], m.s.Stage[o]
			case 1:
				op.Lo = m.rng.IntN(m.s.Stage[o] + 1)
			case 2:
				op.Hi = m.s.Stage[o] + m.rng.IntN(m.p.Stages-m.s.Stage[o])
			}
		}
	}
	if m.one(3) {
		for o := range m.p.Ops {
			if m.one(2) {
				continue
			}
			pins := make([]int, m.p.Ops[o].Shares())
			for i := range pins {
				pins[i] = schedule.Free
				if m.one(2) {
					pins[i] = m.s.Core[o][i]
				}
			}
			m.p.Ops[o].Pins = pins
		}
	}
	if m.one(3) {
		for o := range m.p.Ops {
			m.p.Ops[o].Carries = m.one(3)
		}
	}
	m.p.NonEmpty = true
	for t := range m.p.Stages {
		m.p.NonEmpty = m.p.NonEmpty && filled(m.p, m.s.Stage, t)
	}
	m.p.NonEmpty = m.p.NonEmpty && m.one(3)
}

// spoil changes something that may leave the problem without a solution.
func (m *maker) spoil() {
	op := &m.p.Ops[m.rng.IntN(len(m.p.Ops))]
	switch m.rng.IntN(7) {
	case 0:
		m.p.NonEmpty = true
	case 1:
		for i := range m.p.Machine {
			if c := &m.p.Machine[i]; c.Capacity > 0 && m.one(2) {
				c.Capacity -= 1 + m.rng.Int64N(c.Capacity)/2
			}
		}
	case 2:
		for i := range m.p.Values {
			m.p.Values[i].Forward = 0
		}
	case 3:
		op.Lo = m.rng.IntN(m.p.Stages)
		op.Hi = op.Lo
	case 4:
		op.Pins = make([]int, op.Shares())
		for i := range op.Pins {
			op.Pins[i] = m.rng.IntN(m.p.Cores)
		}
	case 5:
		t := m.rng.IntN(m.p.Stages)
		if m.one(2) {
			m.p.Ranges[t].First = min(t+m.rng.IntN(2), m.p.Cores-1)
		} else {
			m.p.Ranges[t].Count = 1 + m.rng.IntN(m.p.Cores-m.p.Stages+1)
		}
	case 6:
		op.Weights = nil
		for w := range m.p.Slices {
			op.Weights = append(op.Weights, w)
		}
	}
}
