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
	gone   int64 // bytes that are free when it goes
	come   int64 // bytes that it needs elsewhere, at most
	lumps  [3]int32
	size   int32
}

// listing is the lumps of a core and the subsets of them, by cycles. It holds for
// as long as the core's stamp is the same.
type listing struct {
	stamp   uint64
	whole   bool
	lumps   [][]int
	subsets []subset
}

// with returns both subsets in one.
func (s subset) with(t subset) subset {
	s.cycles, s.gone, s.come = s.cycles+t.cycles, s.gone+t.gone, s.come+t.come
	s.lumps[s.size] = t.lumps[0]
	s.size++
	return s
}

// exchange lets subsets of two cores change places, for as long as that brings
// what passes the limits down, and returns the steps it took. Then it disturbs
// the packing a little and does so again, from the best that it has seen, for as
// long as the walk before it took.
func (a *annealer) exchange(ctx context.Context, steps int64) int64 {
	whole := len(a.w.chunks) > 0 && a.rng.IntN(4) > 0
	spent := a.descend(ctx, steps, whole)
	steps = min(steps, a.total/4)
	const near = 1.0 / 500 // of a load; beyond that there is more for a walk to do
	if a.overRoom > 0 || float64(float64(a.overLoad)*a.perCycle) > near*float64(a.w.m) {
		return spent
	}
	best, over := slices.Clone(a.s.core), a.overLoad
	for spent < steps && ctx.Err() == nil && a.overLoad > 0 {
		for range 1 + a.rng.IntN(3) {
			x, y := a.rng.IntN(a.w.m), a.rng.IntN(a.w.m-1)
			if y >= x {
				y++
			}
			took, _ := a.between(x, y, whole, 1+over)
			spent += took
		}
		spent += a.descend(ctx, steps-spent, whole)
		if a.overRoom == 0 && a.overLoad <= over {
			copy(best, a.s.core)
			over = a.overLoad
			continue
		}
		a.s.reset(best)
		a.relist()
		a.measure()
		spent += int64(a.w.n) / 4
	}
	return spent
}

// descend makes exchanges that are for the better until there are none.
func (a *annealer) descend(ctx context.Context, steps int64, whole bool) int64 {
	spent := int64(0)
	for better := true; better && spent < steps && ctx.Err() == nil; {
		better = false
		for x := range a.w.m {
			if load, room := a.excess(x); load == 0 && room == 0 {
				continue
			}
			for off := range a.w.m - 1 {
				y := (x + 1 + off) % a.w.m
				took, ok := a.between(x, y, whole, 0)
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
// With cycles to give, the loads may get worse by as much.
func (a *annealer) between(x, y int, whole bool, give int64) (int64, bool) {
	const trials, looks = 200, 5000
	w := a.w
	load1, room1 := a.excess(x)
	load2, room2 := a.excess(y)
	before := a.cost(load1+load2+give, room1+room2)
	listX, listY := a.listing(x, whole), a.listing(y, whole)
	ofX, ofY := listX.subsets, listY.subsets
	// The window of what must go from x to y.
	least, most := a.s.load[x]-a.limit, a.limit-a.s.load[y]
	if least > most {
		least, most = most, least // in between, both are nearer
	}
	least, most = least-give, most+give
	tried, looked := 0, 0
	spent := func() int64 { return int64(len(ofX))/16 + int64(tried)/2 + int64(looked)/64 + 1 }
	start := a.rng.IntN(len(ofX))
	for n := range ofX {
		s := ofX[(start+n)%len(ofX)]
		lo, _ := slices.BinarySearchFunc(ofY, s.cycles-most, func(t subset, want int64) int { return cmp.Compare(t.cycles, want) })
		for _, t := range ofY[lo:] {
			if s.cycles-t.cycles < least {
				break
			}
			if looked++; looked > looks {
				return spent(), false
			}
			room3 := max(0, a.s.bytes[x]-s.gone+t.come-w.capacity[x])
			room4 := max(0, a.s.bytes[y]+s.come-t.gone-w.capacity[y])
			if s.size+t.size == 0 || room3+room4 > room1+room2 {
				continue
			}
			if tried++; tried > trials {
				return spent(), false
			}
			a.undo = a.undo[:0]
			a.shiftAll(listX, s, y)
			a.shiftAll(listY, t, x)
			load3, room3 := a.excess(x)
			load4, room4 := a.excess(y)
			if a.cost(load3+load4, room3+room4) < before {
				a.keep()
				a.overLoad += load3 + load4 - load1 - load2
				a.overRoom += room3 + room4 - room1 - room2
				return spent(), true
			}
			a.back()
		}
	}
	return spent(), false
}

func (a *annealer) shiftAll(l *listing, s subset, k int) {
	for _, lump := range s.lumps[:s.size] {
		for _, i := range l.lumps[lump] {
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

// listing lists the subsets of up to three lumps on core k, of up to two, or one,
// where there are many.
func (a *annealer) listing(k int, whole bool) *listing {
	l := &a.listings[k]
	if l.stamp == a.stamp[k] && l.whole == whole {
		return l
	}
	l.stamp, l.whole = a.stamp[k], whole
	l.lumps = a.lumps(k, whole)
	l.subsets = a.subsets(l.subsets[:0], l, k)
	slices.SortFunc(l.subsets, func(s, t subset) int { return cmp.Compare(s.cycles, t.cycles) })
	return l
}

func (a *annealer) subsets(list []subset, l *listing, k int) []subset {
	const many = 4000
	n := len(l.lumps)
	list = append(list, subset{})
	for at, lump := range l.lumps {
		one := subset{lumps: [3]int32{int32(at)}, size: 1}
		before := a.s.bytes[k]
		for _, i := range lump {
			one.cycles += a.w.on(i, k)
			a.s.remove(i)
		}
		one.gone = before - a.s.bytes[k]
		for _, i := range lump {
			a.s.add(i, k)
		}
		one.come = one.gone
		if !l.whole {
			one.come = a.w.alone(lump[0])
		}
		list = append(list, one)
	}
	if n*n/2 > many {
		return list
	}
	for i := range n {
		for j := range i {
			list = append(list, list[1+i].with(list[1+j]))
		}
	}
	if n*n*n/6 > many {
		return list
	}
	for i := range n {
		for j := range i {
			for h := range j {
				list = append(list, list[1+i].with(list[1+j]).with(list[1+h]))
			}
		}
	}
	return list
}
