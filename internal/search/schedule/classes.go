package schedule

// classes sorts machine cores into those that nothing tells apart: of one kind
// and one capacity. Without a machine there is one class of endless capacity.
type classes struct {
	cores []Core // of each class, in order of first mention
	of    []int  // the class of each machine core
	size  []int  // of each class, how many cores it has
	free  []int  // of each class, how many of its cores no place is pinned to
	fixed []int  // the class of each logical core whose place is pinned, else Free
}

func newClasses(p *Problem) *classes {
	c := &classes{fixed: make([]int, p.Cores)}
	for i := range c.fixed {
		c.fixed[i] = Free
	}
	if len(p.Machine) == 0 {
		c.cores, c.size, c.free = []Core{{Capacity: Unknown}}, []int{p.Cores}, []int{p.Cores}
		return c
	}
	at := map[Core]int{}
	for _, m := range p.Machine {
		i, known := at[m]
		if !known {
			i = len(c.cores)
			at[m] = i
			c.cores, c.size, c.free = append(c.cores, m), append(c.size, 0), append(c.free, 0)
		}
		c.of = append(c.of, i)
		c.size[i]++
		c.free[i]++
	}
	for logical, m := range p.Places {
		if m != Free {
			c.fixed[logical] = c.of[m]
			c.free[c.of[m]]--
		}
	}
	return c
}

// places puts logical cores of these classes on machine cores, pinned ones
// where they belong, the others in order. It is nil without a machine.
func (c *classes) places(p *Problem, class []int) []int {
	if len(p.Machine) == 0 {
		return nil
	}
	place := make([]int, p.Cores)
	taken := make([]bool, len(p.Machine))
	copy(place, p.Places)
	for _, m := range p.Places {
		if m != Free {
			taken[m] = true
		}
	}
	for logical, m := range place {
		if m != Free {
			continue
		}
		for machine, of := range c.of {
			if of == class[logical] && !taken[machine] {
				place[logical], taken[machine] = machine, true
				break
			}
		}
	}
	return place
}
