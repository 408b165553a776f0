package derive

import (
	"fmt"
	"math/big"
	"slices"
)

// regionFull says that the memory of a core is too small: how many bytes are
// missing, and how many are taken by what is no weight.
type regionFull struct {
	device          string
	missing, others int64
}

func (r *regionFull) Error() string { return fmt.Sprintf("%s lacks %d bytes", r.device, r.missing) }

// memory gives buffers their offsets. Cycles order nothing here: a buffer may have
// bytes of another one only where dependencies and the order of queues have all
// that use it behind all that use the other.
func (p *chipProgram) memory() error {
	p.findCores()
	spaces := make([]memorySpace, len(p.used))
	for i := range spaces {
		spaces[i] = memorySpace{p.usable, p.Target.Memory[0].Alignment}
	}
	needs := make([]memoryNeed, len(p.buffers))
	for i, b := range p.buffers {
		space, _ := slices.BinarySearch(p.used, b.core)
		needs[i] = memoryNeed{space: space, size: b.bytes, align: b.align, given: b.initialised, kept: b.kept, uses: b.used}
	}
	behind := p.behind()
	offsets, lack := placeInMemory(spaces, needs, func(first, second int) bool { return behind[second].Bit(first) == 1 })
	p.offsets = offsets
	if lack == nil {
		return nil
	}
	full := &regionFull{device: p.Deployment.Devices[p.used[lack.space]], missing: lack.bytes}
	weights := int64(0)
	for _, b := range p.buffers {
		if above := p.above.buffers[b.id]; b.core == p.used[lack.space] && above != nil && weighs(above) {
			weights += b.bytes
		}
	}
	full.others = max(0, p.usable+full.missing-weights)
	return full
}

// findCores lists the cores that have a buffer, and those by which data passes.
func (p *chipProgram) findCores() {
	for _, b := range p.buffers {
		p.used = append(p.used, b.core)
	}
	for i := range p.commands {
		for _, h := range p.commands[i].hops {
			p.used = append(p.used, h.link.from, h.link.to)
		}
	}
	slices.Sort(p.used)
	p.used = slices.Compact(p.used)
}

// behind has for each command a bit for each that has completed when it begins.
func (p *chipProgram) behind() []*big.Int {
	all := make([]*big.Int, len(p.commands))
	last := map[*chipUnit]int{}
	for _, i := range p.order {
		c := &p.commands[i]
		before := slices.Clone(c.after)
		if !c.unit.router {
			if l, has := last[c.unit]; has {
				before = append(before, l)
			}
			last[c.unit] = i
		}
		all[i] = new(big.Int)
		for _, b := range before {
			all[i].Or(all[i], all[b])
			all[i].SetBit(all[i], b, 1)
		}
	}
	return all
}
