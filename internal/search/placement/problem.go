package placement

import (
	"errors"
	"fmt"
	"math/bits"
)

// Problem asks for a machine core of every logical core, no two on the same.
// Logical and machine cores are numbered from 0.
type Problem struct {
	Cores int // logical cores
	// Flows may name a pair of cores more than once; amounts add up. A pair
	// and its reverse are different pairs.
	Flows []Flow
	// Hops[k][l] is how far it is from machine core k to l; not negative, and
	// neither symmetric nor 0 from a core to itself unless it says so. It is
	// square, and its size is the number of machine cores. There may be more
	// of them than logical cores.
	Hops [][]int64

	// Pins has the machine core of each logical core, Free where it is open;
	// nil where all are.
	Pins []int
	// Allowed[i][k] says whether logical core i may be on machine core k. A
	// row that is nil allows all, and so does Allowed itself.
	Allowed [][]bool
}

// Flow is an amount, usually bytes, that goes from one logical core to another.
type Flow struct {
	From, To int
	Amount   int64 // not negative
}

// Free stands for a machine core that is to be chosen.
const Free = -1

// ErrProblem is returned, wrapped, for a problem that is not well-formed.
var ErrProblem = errors.New("ill-formed placement problem")

// ErrPlace is returned, wrapped, for a placement that is not legal.
var ErrPlace = errors.New("illegal placement")

// check says whether the problem is well-formed. It does not say whether there
// is a placement; match does.
func (p *Problem) check() error {
	n, m := p.Cores, len(p.Hops)
	if n < 0 {
		return fmt.Errorf("%d cores: %w", n, ErrProblem)
	}
	if p.Pins != nil && len(p.Pins) != n {
		return fmt.Errorf("%d pins for %d cores: %w", len(p.Pins), n, ErrProblem)
	}
	if p.Allowed != nil && len(p.Allowed) != n {
		return fmt.Errorf("%d rows of allowed places for %d cores: %w", len(p.Allowed), n, ErrProblem)
	}
	for i, k := range p.Pins {
		if k != Free && (k < 0 || k >= m) {
			return fmt.Errorf("core %d pinned to %d of %d: %w", i, k, m, ErrProblem)
		}
	}
	for i, row := range p.Allowed {
		if row != nil && len(row) != m {
			return fmt.Errorf("%d allowed places of core %d among %d: %w", len(row), i, m, ErrProblem)
		}
	}
	farthest := int64(0)
	for k, row := range p.Hops {
		if len(row) != m {
			return fmt.Errorf("%d hops from machine core %d to %d: %w", len(row), k, m, ErrProblem)
		}
		for l, h := range row {
			if h < 0 {
				return fmt.Errorf("%d hops from machine core %d to %d: %w", h, k, l, ErrProblem)
			}
			farthest = max(farthest, h)
		}
	}
	// No entry of a bound's assignment problem exceeds twice all flow times
	// the longest way, and no sum in solving it that times the number of
	// cores plus one; the walk's differences are below four times.
	total := uint64(0)
	for i, f := range p.Flows {
		if f.From < 0 || f.From >= n || f.To < 0 || f.To >= n || f.Amount < 0 {
			return fmt.Errorf("flow %d, %d from core %d to %d of %d: %w", i, f.Amount, f.From, f.To, n, ErrProblem)
		}
		// Both are below 2^63, so this cannot wrap.
		if total += uint64(f.Amount); total >= 1<<62 {
			return fmt.Errorf("flows pass 2^62: %w", ErrProblem)
		}
	}
	hi, lo := bits.Mul64(total, uint64(farthest))
	if hi == 0 {
		hi, lo = bits.Mul64(lo, 4*uint64(max(n, m)+1))
	}
	if hi != 0 || lo >= 1<<62 {
		return fmt.Errorf("flows times hops times four times %d cores pass 2^62: %w", max(n, m)+1, ErrProblem)
	}
	return nil
}

// allows says whether logical core i may be on machine core k, by its pin and
// what is allowed.
func (p *Problem) allows(i, k int) bool {
	if p.Pins != nil && p.Pins[i] != Free && p.Pins[i] != k {
		return false
	}
	return p.Allowed == nil || p.Allowed[i] == nil || p.Allowed[i][k]
}

// Traffic returns the sum of flow times hops of a placement, or an error that
// wraps ErrPlace when the placement is not legal, or ErrProblem. It is the
// definition that every part of the search is held to.
func (p *Problem) Traffic(place []int) (int64, error) {
	if err := p.check(); err != nil {
		return 0, err
	}
	if len(place) != p.Cores {
		return 0, fmt.Errorf("%d places for %d cores: %w", len(place), p.Cores, ErrPlace)
	}
	on := make([]int, len(p.Hops))
	for i, k := range place {
		if k < 0 || k >= len(p.Hops) || !p.allows(i, k) {
			return 0, fmt.Errorf("core %d may not be on machine core %d: %w", i, k, ErrPlace)
		}
		if on[k] != 0 {
			return 0, fmt.Errorf("cores %d and %d are both on machine core %d: %w", on[k]-1, i, k, ErrPlace)
		}
		on[k] = i + 1
	}
	sum := int64(0)
	for _, f := range p.Flows {
		sum += f.Amount * p.Hops[place[f.From]][place[f.To]]
	}
	return sum, nil
}
