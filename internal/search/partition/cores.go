package partition

import (
	"fmt"
	"slices"
)

// Cores shares cores out among the stages. The value of an assignment is then
// the least T, at least Least, for which there are sizes of the stages, each at
// least 1 (also of a stage without ops) and together Total, such that
//
//	ceil(load of the stage / size) <= T    and    Room[size] >= bytes of the stage
//
// for every stage. Where no sizes are right for any T, the assignment is not
// legal.
type Cores struct {
	Total int
	// Sizes are the least and the most cores of each stage; nil for 1 to Total.
	Sizes []Range
	// Uses are the weights of each op, over all its lanes; nil for none. The
	// bytes of a stage are those of the weights used there; of several uses of
	// one weight in one stage the largest counts.
	Uses [][]Use
	// Room[c] is the most bytes that any c cores hold together, for c from 0 to
	// Total, nowhere less for more cores; nil for no limit.
	Room []int64
	// Least is a value that no assignment is below, whatever its loads: the
	// largest share of work that one core must do, for one.
	Least int64
}

// Use says that an op needs so many bytes of a weight. Weights have any numbers.
type Use struct {
	Weight int
	Bytes  int64
}

// maxCores keeps tables by number of cores small.
const maxCores = 1 << 16

// check says whether c, which may be nil, is well-formed.
func (c *Cores) check(p *Problem) error {
	if c == nil {
		return nil
	}
	if c.Total < 1 || c.Total > maxCores {
		return fmt.Errorf("%d cores, not 1 to %d: %w", c.Total, maxCores, ErrProblem)
	}
	if c.Sizes != nil && len(c.Sizes) != p.Stages {
		return fmt.Errorf("sizes of %d stages, not of %d: %w", len(c.Sizes), p.Stages, ErrProblem)
	}
	for s, r := range c.Sizes {
		if r.Lo < 1 || r.Hi < r.Lo || r.Hi > c.Total {
			return fmt.Errorf("stage %d has %d to %d cores of %d: %w", s, r.Lo, r.Hi, c.Total, ErrProblem)
		}
	}
	if c.Uses != nil && len(c.Uses) != len(p.Work) {
		return fmt.Errorf("uses of %d ops, not of %d: %w", len(c.Uses), len(p.Work), ErrProblem)
	}
	bytes, least := sum{times: c.Total + 1}, sum{times: c.Total + 1}
	for o, uses := range c.Uses {
		for _, u := range uses {
			if u.Bytes < 0 || !bytes.add(u.Bytes) {
				return fmt.Errorf("op %d uses %d bytes of weight %d, which is negative or too much: %w", o, u.Bytes, u.Weight, ErrProblem)
			}
		}
	}
	if c.Room != nil && len(c.Room) != c.Total+1 {
		return fmt.Errorf("room of 0 to %d cores, not of 0 to %d: %w", len(c.Room)-1, c.Total, ErrProblem)
	}
	for i, r := range c.Room {
		if r < 0 || i > 0 && r < c.Room[i-1] {
			return fmt.Errorf("room of %d cores is %d, which is negative or less than that of fewer: %w", i, r, ErrProblem)
		}
	}
	if c.Least < 0 || !least.add(c.Least) {
		return fmt.Errorf("least value %d is negative or too much: %w", c.Least, ErrProblem)
	}
	return nil
}

// size returns the least and the most cores of a stage.
func (c *Cores) size(stage int) Range {
	if c.Sizes == nil {
		return Range{1, c.Total}
	}
	return c.Sizes[stage]
}

// bytes adds up what each stage needs.
func (c *Cores) bytes(p *Problem, stages []int) []int64 {
	held := make([]map[int]int64, p.Stages)
	bytes := make([]int64, p.Stages)
	for o, uses := range c.Uses {
		s := stages[o]
		if s == Outside {
			continue
		}
		for _, u := range uses {
			if held[s] == nil {
				held[s] = map[int]int64{}
			}
			if more := u.Bytes - held[s][u.Weight]; more > 0 {
				held[s][u.Weight] += more
				bytes[s] += more
			}
		}
	}
	return bytes
}

// Sizes returns the value of an assignment of stages to ops, and sizes of the
// stages that give it: the fewest cores that do, and what is left to those whose
// cores have most to do. Sizes are nil without Cores. Errors wrap ErrProblem, or
// ErrStages for an assignment that is not legal. With Loads it is the definition
// that every part of the search is held to.
func (p *Problem) Sizes(stages []int) (sizes []int, value int64, err error) {
	loads, err := p.Loads(stages)
	if err != nil {
		return nil, 0, err
	}
	if p.Cores == nil {
		return nil, max(0, slices.Max(loads)), nil
	}
	c := p.Cores
	least := make([]int64, p.Stages)
	most, few, many := make([]int64, p.Stages), int64(0), int64(0)
	for s, b := range c.bytes(p, stages) {
		r := c.size(s)
		size := r.Lo
		for c.Room != nil && size <= r.Hi && c.Room[size] < b {
			size++
		}
		if size > r.Hi {
			return nil, 0, fmt.Errorf("stage %d holds %d bytes, more than %d cores do: %w", s, b, r.Hi, ErrStages)
		}
		least[s], most[s] = int64(size), int64(r.Hi)
		few, many = few+least[s], many+most[s]
	}
	if few > int64(c.Total) || many < int64(c.Total) {
		return nil, 0, fmt.Errorf("stages need %d to %d cores, not %d: %w", few, many, c.Total, ErrStages)
	}
	low, high := c.Least, max(c.Least, slices.Max(loads))
	for low < high {
		mid := low + (high-low)/2
		if coresUnder(loads, least, most, mid, nil) <= int64(c.Total) {
			high = mid
		} else {
			low = mid + 1
		}
	}
	need := make([]int64, p.Stages)
	rest := int64(c.Total) - coresUnder(loads, least, most, low, need)
	for ; rest > 0; rest-- {
		at := -1
		for s, n := range need {
			if n < most[s] && (at < 0 || loads[s]*need[at] > loads[at]*n) {
				at = s
			}
		}
		need[at]++
	}
	for _, n := range need {
		sizes = append(sizes, int(n))
	}
	return sizes, low, nil
}

// tooMany cores is more than there are.
const tooMany = int64(1) << 40

// coresFor is how many cores a load takes when none takes more than limit.
func coresFor(load, limit int64) int64 {
	switch {
	case load <= 0:
		return 0
	case limit <= 0:
		return tooMany
	}
	return min((load-1)/limit+1, tooMany)
}

// coresUnder is how many cores stages take under a limit, tooMany when one takes
// more than it may have; need, unless nil, is filled with those of each.
func coresUnder(loads, least, most []int64, limit int64, need []int64) int64 {
	sum := int64(0)
	for s, l := range loads {
		n := max(least[s], coresFor(l, limit))
		if n > most[s] {
			return tooMany
		}
		if need != nil {
			need[s] = n
		}
		sum += n
	}
	return sum
}
