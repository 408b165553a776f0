package partition

import "plancheck/solver"

// shareOut is scratch space for the cores that the stages of a model need.
type shareOut struct {
	bytes, need, work []int64
	head, tail        []end
}

// narrowSizes adds what the limit last opened says of where stages begin, and the
// covers so far where they force more cores under it than under greater ones.
func (p *prober) narrowSizes(g solver.Group) error {
	for s := 1; s < p.w.k; s++ {
		if err := p.e.either(g, p.e.beginsBy(s, p.nr.begin[s]-1).not()); err != nil {
			return err
		}
		if err := p.e.either(g, p.e.beginsBy(s, p.nr.end[s])); err != nil {
			return err
		}
	}
	if err := p.single(); err != nil {
		return err
	}
	for _, c := range p.kept {
		if err := p.forbid(c); err != nil {
			return err
		}
	}
	return nil
}

// cutSizes says of every stage of the model how many cores it needs, and of
// every prefix and suffix that the rest of the stages have no room beside.
func (p *prober) cutSizes() error {
	w, limit := p.w, p.current
	c, z := &w.cores, &p.size
	w.loads(p.stages, p.loads)
	z.bytes = c.bytes(p.stages, z.bytes)
	z.need = z.need[:0]
	sum := int64(0)
	for s, l := range p.loads {
		n := max(c.lo[s], coresFor(l, limit))
		if z.bytes != nil {
			n = max(n, c.toHold(z.bytes[s]))
		}
		z.need = append(z.need, min(n, c.hi[s]+1))
		if n > c.hi[s] {
			// This stage alone is too much.
			return p.cutStage(s, c.hi[s]+1)
		}
		sum += n
	}
	if sum <= c.total {
		return nil // it was offered
	}
	if err := p.cutEnds(); err != nil {
		return err
	}
	begin := int64(0)
	for s, n := range z.need {
		if err := p.cutStage(s, n); err != nil {
			return err
		}
		if !p.e.sizes.whole {
			if err := p.e.chain(s, begin, n); err != nil {
				return err
			}
		}
		begin += n
	}
	return nil
}

// cutStage says that stage s needs n cores, in the model as it is.
func (p *prober) cutStage(s int, n int64) error {
	c := &p.w.cores
	if n <= c.lo[s] {
		return nil
	}
	if room := (n - 1) * p.current; p.loads[s] > room {
		return p.learn(p.covers.stage(p.stages, int8(s), room))
	}
	p.covers.memory = true
	defer func() { p.covers.memory = false }()
	return p.learn(p.covers.stage(p.stages, int8(s), c.room[n-1]))
}

// cutEnds looks for two neighbouring stages such that those up to the first and
// those from the second on need too many cores together, and says so of both.
func (p *prober) cutEnds() error {
	w := p.w
	z := &p.size
	z.ends(p)
	for s := range w.k - 1 {
		if z.head[s].cores()+z.tail[s+1].cores() <= w.cores.total {
			continue
		}
		if err := p.cutEnd(prefix, s, z.head[s]); err != nil {
			return err
		}
		if err := p.cutEnd(suffix, s+1, z.tail[s+1]); err != nil {
			return err
		}
	}
	return nil
}

// end is how many cores a prefix or suffix needs for its work, and to hold what
// it uses.
type end struct{ work, memory int64 }

func (e end) cores() int64 { return max(e.work, e.memory) }

// ends fills head and tail: what stages 0 to s need, and stages s to the last.
func (z *shareOut) ends(p *prober) {
	w := p.w
	z.work = append(z.work[:0], make([]int64, w.k)...)
	z.head, z.tail = append(z.head[:0], make([]end, w.k)...), append(z.tail[:0], make([]end, w.k)...)
	for v, s := range p.stages {
		if s >= 0 {
			z.work[s] += w.work[v]
		}
	}
	head, tail := int64(0), int64(0)
	for s := range w.k {
		e := w.k - 1 - s
		head, tail = head+z.work[s], tail+z.work[e]
		z.head[s].work, z.tail[e].work = coresFor(head, p.current), coresFor(tail, p.current)
	}
	if w.cores.room == nil {
		return
	}
	set := newBitset(w.n)
	for s := range w.k {
		for v, at := range p.stages {
			if int(at) == s {
				set.add(v)
			}
		}
		z.head[s].memory = w.cores.toHoldAmong(w.cores.ofSet(set))
	}
	set.clear()
	for s := w.k - 1; s >= 0; s-- {
		for v, at := range p.stages {
			if int(at) == s {
				set.add(v)
			}
		}
		z.tail[s].memory = w.cores.toHoldAmong(w.cores.ofSet(set))
	}
}

// cutEnd says what the stages up to s, or those from s on, need.
func (p *prober) cutEnd(win window, s int, e end) error {
	find := p.covers.upTo
	if win == suffix {
		find = p.covers.from
	}
	if e.work >= e.memory {
		return p.learn(find(p.stages, int8(s), (e.work-1)*p.current))
	}
	c := &p.w.cores
	p.covers.memory = true
	defer func() { p.covers.memory = false }()
	return p.learn(find(p.stages, int8(s), min(e.memory-1, c.total)*c.steepBytes/c.steepCores))
}

// learn forbids a cover, and keeps it for smaller limits.
func (p *prober) learn(c *cover) error {
	const most = 20_000
	if !p.plain && !c.memory && len(p.kept) < most {
		p.kept = append(p.kept, c)
	}
	return p.forbid(c)
}
