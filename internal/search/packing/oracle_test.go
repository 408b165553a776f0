package packing

import (
	"math/rand/v2"
)

// shape says what a random problem has.
type shape struct {
	items, cores, units, kinds int
	cycles, bytes              int64
	room                       float64 // capacity as a share of an even share of all bytes; 0: no limits
	pins, splits, uneven       bool
}

// randomShape draws a shape small enough for bruteForce.
func randomShape(r *rand.Rand) shape {
	sh := shape{
		items: r.IntN(8), cores: 1 + r.IntN(4), units: 1 + r.IntN(6), kinds: 1 + r.IntN(3)/2,
		cycles: []int64{2, 10, 100, 100_000}[r.IntN(4)], bytes: []int64{3, 20, 1000}[r.IntN(3)],
		room: []float64{0, 0.8, 1, 1.05, 1.2, 1.5, 2}[r.IntN(7)],
		pins: r.IntN(3) == 0, splits: r.IntN(2) == 0, uneven: r.IntN(3) == 0,
	}
	return sh
}

// random draws a problem of a shape.
func (sh shape) random(r *rand.Rand) *Problem {
	p := &Problem{}
	for range sh.units {
		p.Sizes = append(p.Sizes, r.Int64N(sh.bytes+1))
	}
	all := int64(0)
	for _, s := range p.Sizes {
		all += s
	}
	for range sh.items {
		it := Item{Pin: Free}
		for range sh.kinds {
			it.Cycles = append(it.Cycles, r.Int64N(sh.cycles+1))
		}
		if sh.kinds > 1 && r.IntN(4) == 0 {
			it.Cycles = it.Cycles[:1]
		}
		for range r.IntN(3) {
			s := Slice{r.IntN(sh.units), 0, 1}
			if sh.splits && r.IntN(2) == 0 {
				s.Parts = 1 + r.IntN(3)
				s.Part = r.IntN(s.Parts)
			}
			it.Slices = append(it.Slices, s)
		}
		if sh.pins && r.IntN(3) == 0 {
			it.Pin = r.IntN(sh.cores)
		}
		p.Items = append(p.Items, it)
	}
	for range sh.cores {
		c := Core{Capacity: Unlimited, Kind: r.IntN(sh.kinds)}
		if sh.room > 0 {
			c.Capacity = int64(sh.room * float64(all) / float64(sh.cores))
			if sh.uneven && r.IntN(2) == 0 {
				c.Capacity = r.Int64N(2*c.Capacity + 1)
			}
			if sh.uneven && r.IntN(6) == 0 {
				c.Capacity = Unlimited
			}
		}
		p.Cores = append(p.Cores, c)
	}
	return p
}

// bruteForce returns the least value of all packings by Problem.Value; false when
// none is legal.
func bruteForce(p *Problem) (int64, bool) {
	cores := make([]int, len(p.Items))
	best, found := int64(0), false
	for {
		if value, err := p.Value(cores); err == nil && (!found || value < best) {
			best, found = value, true
		}
		i := 0
		for ; i < len(cores); i++ {
			if cores[i]++; cores[i] < len(p.Cores) {
				break
			}
			cores[i] = 0
		}
		if i == len(cores) {
			return best, found
		}
	}
}
