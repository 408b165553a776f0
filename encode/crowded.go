package encode

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"plancheck/internal/diag"
	"plancheck/internal/search/packing"
	"plancheck/internal/search/schedule"
)

// pinnedWeights adds up, for each core, the weights of the lanes and parts that
// are pinned to it.
func (b *builder) pinnedWeights() {
	if b.largest == schedule.Unknown {
		return
	}
	type slice struct{ weight, lane, part, parts int }
	on := make([][]slice, b.problem.Cores)
	for i := range b.problem.Ops {
		o := &b.problem.Ops[i]
		for share, core := range o.Pins {
			if core == schedule.Free {
				continue
			}
			for _, w := range o.Weights {
				on[core] = append(on[core], slice{w, share / o.Parts, share % o.Parts, o.Parts})
			}
		}
	}
	for core, list := range on {
		there, counted := map[slice]bool{}, map[slice]bool{}
		for _, s := range list {
			there[s] = true
		}
		var pieces []piece
		sum := new(big.Int)
		for _, s := range list {
			if counted[s] || s.parts > 1 && there[slice{s.weight, s.lane, 0, 1}] {
				continue // or it is there as a whole
			}
			counted[s] = true
			size := packing.PartBytes(b.problem.Slices[s.weight], s.part, s.parts)
			sum.Add(sum, big.NewInt(size))
			pieces = append(pieces, piece{s.weight, size})
		}
		b.crowdedCore(core, pieces, sum)
	}
}

// piece is a slice of a weight, or a part of one.
type piece struct {
	weight int
	size   int64
}

func (b *builder) crowdedCore(core int, pieces []piece, sum *big.Int) {
	holds, at, who := b.largest, b.plan.Target.At, "no core holds more than"
	if place := b.problem.Places[core]; place != schedule.Free {
		c := &b.plan.Target.Cores[place]
		holds, at, who = c.Capacity, c.At, fmt.Sprintf("physical core %d, where it is placed, holds", c.ID)
	}
	if sum.Cmp(big.NewInt(holds)) <= 0 {
		return
	}
	b.reports.add(at, "pinned-weights-exceed-core", fmt.Sprintf("the lanes that are pinned to logical core %d have %s bytes of weights (%s), but %s %d",
		core, sum, b.terms(pieces), who, holds), "move some of them to other cores, or give their cores up with --free core")
}

// terms writes pieces as a sum: w0 100 + w1 20.
func (b *builder) terms(pieces []piece) string {
	const shown = 8
	var terms []string
	for i, p := range pieces {
		if i == shown {
			terms = append(terms, fmt.Sprintf("%d more", len(pieces)-i))
			break
		}
		terms = append(terms, fmt.Sprintf("%s %d", b.show(b.plan.Graph.Weights[p.weight].ID), p.size))
	}
	return strings.Join(terms, " + ")
}

// manySlices compares how many slices, or parts of slices, have some size or
// more with how many pieces of that size all cores have room for.
func (b *builder) manySlices() {
	if b.largest == schedule.Unknown {
		return
	}
	count := b.sizes()
	sizes := make([]int64, 0, len(count))
	for size := range count {
		sizes = append(sizes, size)
	}
	slices.Sort(sizes)
	slices.Reverse(sizes)
	have := int64(0)
	for _, size := range sizes {
		have += count[size]
		if size == 0 {
			return
		}
		room := int64(0)
		for i := range b.plan.Target.Cores {
			room = plus(room, b.plan.Target.Cores[i].Capacity/size)
		}
		if have > room {
			b.reports.add(b.plan.Target.At, "slices-exceed-all-cores", fmt.Sprintf("%s of weights have %s or more, but all %s together have room for %d of that size",
				diag.Counted(have, "slice"), diag.Counted(size, "byte"), diag.Counted(int64(len(b.plan.Target.Cores)), "core"), room), "use more or larger cores, or smaller weights")
			return
		}
	}
}

// sizes says how many pieces of each size have to be somewhere, each in room of
// its own. A slice that only split ops use is in pieces of one of these ops.
func (b *builder) sizes() map[int64]int64 {
	whole := make([]int, len(b.problem.Slices)) // slices of each weight
	cut := make([]int, len(b.problem.Slices))   // the op that cuts most of them, or -1
	for w := range cut {
		cut[w] = -1
	}
	for i := range b.problem.Ops {
		o := &b.problem.Ops[i]
		for _, w := range o.Weights {
			if o.Parts == 1 {
				whole[w] = max(whole[w], o.Lanes)
			} else if cut[w] < 0 || o.Lanes > b.problem.Ops[cut[w]].Lanes {
				cut[w] = i
			}
		}
	}
	count := map[int64]int64{}
	for w, size := range b.problem.Slices {
		count[size] += int64(whole[w])
		if cut[w] < 0 {
			continue
		}
		o := &b.problem.Ops[cut[w]]
		if lanes := int64(o.Lanes - whole[w]); lanes > 0 {
			parts, larger := int64(o.Parts), size%int64(o.Parts)
			count[size/parts+1] += lanes * larger
			count[size/parts] += lanes * (parts - larger)
		}
	}
	return count
}
