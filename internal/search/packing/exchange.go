package packing

import (
	"cmp"
	"context"
	"slices"
)

// subset is up to three items of a core and their cycles there.
type subset struct {
	cycles int64
	items  [3]int
	size   int
}

// exchange lets subsets of two cores change places, for as long as that brings
// what passes the limits down, and returns the steps it took.
func (a *annealer) exchange(ctx context.Context, steps int64) int64 {
	spent := int64(0)
	for better := true; better && spent < steps && ctx.Err() == nil; {
		better = false
		for x := range a.w.m {
			if load, room := a.excess(x); load == 0 && room == 0 {
				continue
			}
			for off := range a.w.m - 1 {
				y := (x + 1 + off) % a.w.m
				took, ok := a.between(x, y)
				spent += took
				if ok {
					better = true
					if a.overRoom == 0 && a.overLoad == 0 {
						a.b.lower("exchange", a.s)
						return spent
					}
				}
				if spent >= steps {
					return spent
				}
			}
		}
	}
	return spent
}

// between looks for subsets of cores x and y to change places: with them in each
// other's place both loads are within the limit, or nearer to it, and the weights
// pass the capacities by no more.
func (a *annealer) between(x, y int) (int64, bool) {
	const tests = 400
	load1, room1 := a.excess(x)
	load2, room2 := a.excess(y)
	before := a.cost(load1+load2, room1+room2)
	ofX, ofY := a.subsets(x), a.subsets(y)
	slices.SortFunc(ofY, func(s, t subset) int { return cmp.Compare(s.cycles, t.cycles) })
	spent := int64(len(ofX)+len(ofY))/4 + 1
	// The window of what must go from x to y.
	least, most := a.s.load[x]-a.limit, a.limit-a.s.load[y]
	if least > most {
		least, most = most, least // in between, both are nearer
	}
	tested := 0
	start := 0
	if len(ofX) > 1 {
		start = a.rng.IntN(len(ofX))
	}
	for n := range ofX {
		s := ofX[(start+n)%len(ofX)]
		lo, _ := slices.BinarySearchFunc(ofY, s.cycles-most, func(t subset, want int64) int { return cmp.Compare(t.cycles, want) })
		for _, t := range ofY[lo:] {
			if s.cycles-t.cycles < least {
				break
			}
			if s.size+t.size == 0 {
				continue
			}
			if tested++; tested > tests {
				return spent + int64(tested)/4, false
			}
			a.undo = a.undo[:0]
			for _, i := range s.items[:s.size] {
				a.shift(i, y)
			}
			for _, i := range t.items[:t.size] {
				a.shift(i, x)
			}
			load3, room3 := a.excess(x)
			load4, room4 := a.excess(y)
			if a.cost(load3+load4, room3+room4) < before {
				a.keep()
				a.overLoad += load3 + load4 - load1 - load2
				a.overRoom += room3 + room4 - room1 - room2
				return spent + int64(tested)/4, true
			}
			a.back()
		}
	}
	return spent + int64(tested)/4, false
}

func (a *annealer) cost(load, room int64) float64 {
	return float64(float64(load)*a.perCycle) + float64(float64(room)*a.perByte)
}

// subsets lists the subsets of up to three of the free items on core k, of up to
// two, or one, where there are many items.
func (a *annealer) subsets(k int) []subset {
	const many = 4000
	items := a.on[k]
	n := len(items)
	list := []subset{{}}
	for i := range n {
		list = append(list, subset{a.w.on(items[i], k), [3]int{items[i]}, 1})
	}
	if n*n/2 > many {
		return list
	}
	for i := range n {
		for j := range i {
			list = append(list, subset{list[1+i].cycles + list[1+j].cycles, [3]int{items[i], items[j]}, 2})
		}
	}
	if n*n*n/6 > many {
		return list
	}
	for i := range n {
		for j := range i {
			for l := range j {
				cycles := list[1+i].cycles + list[1+j].cycles + list[1+l].cycles
				list = append(list, subset{cycles, [3]int{items[i], items[j], items[l]}, 3})
			}
		}
	}
	return list
}
