package schedule

import "slices"

// patience is how many choices of stages are tried in vain one after the other
// before it is tried otherwise.
const patience = 20

// phase is a way to list stages.
type phase struct {
	limit    int64 // of the interval
	capped   bool
	cap      int     // no more forwards than this
	reserve  float64 // share of the memory that is left free
	patience int     // 0 for no end
	brief    bool    // it is worth little time
}

// phases begin with stages that are nearly as good as the first, and with few
// forwards, because most of those within the limit are neither; then leave ever
// more memory free, because what is counted to fit does not always; the last one
// lists all that are left.
func (e *explorer) phases() []phase {
	limit, best := e.x.Limit, e.x.Limit
	fewest := 0
	if len(e.found) > 0 {
		best = min(limit, e.found[0].Cost.Interval)
		fewest = e.found[len(e.found)-1].Cost.Forwards
	}
	forwards := slices.ContainsFunc(e.p.Values, func(v Value) bool { return v.Forward > 0 })
	var list []phase
	for _, share := range []int64{4, 2, 1} {
		if near := limit - (limit-best)/4*share; near < limit {
			list = append(list, phase{limit: near, capped: forwards, cap: fewest, patience: patience, brief: true})
		}
	}
	if forwards {
		for _, more := range []int{0, 1, 2, 4, 8, 16, 32} {
			list = append(list, phase{limit: limit, capped: true, cap: fewest + more, patience: patience})
		}
	}
	if e.g.room != nil {
		for _, reserve := range reserves {
			list = append(list, phase{limit: limit, reserve: reserve, patience: patience})
		}
	}
	return append(list, phase{limit: limit})
}

// last says that the phase lists all that is left.
func (f phase) last() bool { return !f.capped && f.patience == 0 }
