package schedule

// pinnedLoad is the largest load of the shares that are pinned to one core, on
// the fastest kind of core: no solution has a smaller interval.
func (g *ground) pinnedLoad() int64 {
	load := map[int]int64{}
	most := int64(0)
	for o := range g.p.Ops {
		for _, core := range g.p.Ops[o].Pins {
			if core != Free {
				load[core] += g.share[o]
				most = max(most, load[core])
			}
		}
	}
	return most
}
