package passes

import (
	"math/big"

	"plancheck/internal/search/schedule"
	"plancheck/rules"
)

// Measures are what schedules are compared by; less is better. A measure that is
// not known is schedule.Unknown.
type Measures struct {
	Interval int64 // cycles, the largest of a stage
	Forwards int64 // forward ops in the graph
	Traffic  int64 // bytes times hops
	Peak     int64 // the most bytes of weights that are resident on a core
	Busy     int   // cores that have something to do
}

// measured reads what the rules derive.
func measured(costs []rules.Cost) Measures {
	m := Measures{Interval: schedule.Unknown, Forwards: schedule.Unknown, Traffic: schedule.Unknown}
	for _, c := range costs {
		if !c.Known {
			continue
		}
		switch c.Name {
		case "interval":
			m.Interval = c.Value
		case "forwards":
			m.Forwards = c.Value
		case "traffic":
			m.Traffic = c.Value
		}
	}
	return m
}

// list are the measures, those that are not known as the greatest.
func (m Measures) list() [5]uint64 {
	// -1 as an unsigned number is greater than any measure.
	return [5]uint64{uint64(m.Interval), uint64(m.Forwards), uint64(m.Traffic), uint64(m.Peak), uint64(m.Busy)}
}

// Betters says that m is as good as n in everything, and better in something.
func (m Measures) Betters(n Measures) bool {
	a, b := m.list(), n.list()
	better := false
	for i := range a {
		if a[i] > b[i] {
			return false
		}
		better = better || a[i] < b[i]
	}
	return better
}

// markFront marks the rows that no other one betters.
func markFront(rows []Row) {
	for i := range rows {
		rows[i].Front = true
		for j := range rows {
			if rows[j].Betters(rows[i].Measures) {
				rows[i].Front = false
			}
		}
	}
}

// ratio is n * num / den rounded down, and whether it is an int64.
func ratio(n, num, den int64) (int64, bool) {
	x := new(big.Int).Mul(big.NewInt(n), big.NewInt(num))
	x.Div(x, big.NewInt(den))
	return x.Int64(), x.IsInt64()
}
