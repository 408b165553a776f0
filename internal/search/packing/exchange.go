package packing

import (
	"cmp"
	"context"
	"slices"
)

// subset is up to three lumps of a core and their cycles there. A lump is an
// item, or all items that hang together by slices that they share.
type subset struct {
	cycles int64
	lumps  [3][]int
	size   int
}

// exchange lets subsets of two cores change places, for as long as that brings
// what passes the limits down, and returns the steps it took.
func (a *annealer) exchange(ctx context.Context, steps int64) int64 {
	spent := int64(0)
	whole := len(a.w.chunks) > 0 && a.rng.IntN(4) > 0
	for better := true; better && spent < steps && ctx.Err() == nil; {
		better = false
		for x := range a.w.m {
			if load, room := a.excess(x); load == 0 && room == 0 {
				continue
			}
			for off := range a.w.m - 1 {
				y := (x + 1 + off) % a.w.m
				took, ok := a.between(x, y, whole)
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
// pass the capacities by no more. With whole, what shares slices stays together.
func (a *annealer) between(x, y int, whole bool) (int64, bool) {
	const tests = 400
	load1, room1 := a.excess(x)
	load2, room2 := a.excess(y)
	before := a.cost(load1+load2, room1+room2)
	ofX, ofY := a.subsets(x, whole), a.subsets(y, whole)
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
			a.shiftAll(s, y)
			a.shiftAll(t, x)
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

func (a *annealer) shiftAll(s subset, k int) {
	for _, lump := range s.lumps[:s.size] {
		for _, i := range lump {
			a.shift(i, k)
		}
	}
}

// lumps lists the free items on core k, with whole those together that hang
// together by slices.
func (a *annealer) lumps(k int, whole bool) [][]int {
	var list [][]int
	if !whole {
		for _, i := range a.on[k] {
			list = append(list, []int{i})
		}
		return list
	}
	a.mark++
	for _, first := range a.on[k] {
		if a.marked[first] == a.mark {
			continue
		}
		a.marked[first] = a.mark
		lump := []int{first}
		for n := 0; n < len(lump); n++ {
			for _, c := range a.w.shared[lump[n]] {
				if a.s.users(c, k) < 2 {
					continue
				}
				for _, j := range a.w.chunks[c].users {
					if a.s.core[j] == k && a.w.pin[j] == Free && a.marked[j] != a.mark {
						a.marked[j] = a.mark
						lump = append(lump, j)
					}
				}
			}
		}
		list = append(list, lump)
	}
	return list
}

// subsets lists the subsets of up to three lumps on core k, of up to two, or one,
// where there are many.
func (a *annealer) subsets(k int, whole bool) []subset {
	const many = 4000
	lumps := a.lumps(k, whole)
	n := len(lumps)
	list := []subset{{}}
	for i := range n {
		cycles := int64(0)
		for _, item := range lumps[i] {
			cycles += a.w.on(item, k)
		}
		list = append(list, subset{cycles, [3][]int{lumps[i]}, 1})
	}
	if n*n/2 > many {
		return list
	}
	for i := range n {
		for j := range i {
			list = append(list, subset{list[1+i].cycles + list[1+j].cycles, [3][]int{lumps[i], lumps[j]}, 2})
		}
	}
	if n*n*n/6 > many {
		return list
	}
	for i := range n {
		for j := range i {
			for l := range j {
				cycles := list[1+i].cycles + list[1+j].cycles + list[1+l].cycles
				list = append(list, subset{cycles, [3][]int{lumps[i], lumps[j], lumps[l]}, 3})
			}
		}
	}
	return list
}
