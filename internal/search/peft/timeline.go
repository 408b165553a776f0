package peft

import (
	"slices"
	"sort"
)

// timeline is when a core is idle: gaps in order of time, and all from tail on.
// Gaps are kept in chunks that know their longest, so that the first one long
// enough is found without going through all of them.
type timeline struct {
	tail   int64
	least  int64 // gaps shorter than this are forgotten; positive
	chunks []chunk
}

// chunk is some consecutive gaps, at least one.
type chunk struct {
	gaps    []gap
	longest int64
}

// gap is idle time, not empty. Gaps do not touch.
type gap struct{ start, end int64 }

const chunkSize = 64

// find returns the first time from ready on at which the core is idle for the
// given cycles.
func (l *timeline) find(ready, cycles int64) int64 {
	if cycles == 0 {
		return ready
	}
	if ready < l.tail {
		// Of gaps that end late enough for ready, the first long enough.
		due := ready + cycles
		i := sort.Search(len(l.chunks), func(i int) bool {
			gaps := l.chunks[i].gaps
			return gaps[len(gaps)-1].end >= due
		})
		for ; i < len(l.chunks); i++ {
			if l.chunks[i].longest < cycles {
				continue
			}
			for _, g := range l.chunks[i].gaps {
				if g.end >= due && g.end-g.start >= cycles {
					return max(g.start, ready)
				}
			}
		}
	}
	return max(ready, l.tail)
}

// take makes the core busy from start, which find returned for the cycles.
func (l *timeline) take(start, cycles int64) {
	if cycles == 0 {
		return
	}
	end := start + cycles
	if start >= l.tail {
		if start-l.tail >= l.least {
			l.add(gap{l.tail, start})
		}
		l.tail = end
		return
	}
	i := sort.Search(len(l.chunks), func(i int) bool {
		gaps := l.chunks[i].gaps
		return gaps[len(gaps)-1].end >= end
	})
	c := &l.chunks[i]
	j := sort.Search(len(c.gaps), func(j int) bool { return c.gaps[j].end >= end })
	old := c.gaps[j]
	var left []gap
	for _, g := range []gap{{old.start, start}, {end, old.end}} {
		if g.end-g.start >= l.least {
			left = append(left, g)
		}
	}
	c.gaps = slices.Replace(c.gaps, j, j+1, left...)
	l.settle(i)
}

// add appends a gap behind all others.
func (l *timeline) add(g gap) {
	last := len(l.chunks) - 1
	if last < 0 || len(l.chunks[last].gaps) >= chunkSize {
		l.chunks = append(l.chunks, chunk{})
		last++
	}
	l.chunks[last].gaps = append(l.chunks[last].gaps, g)
	l.chunks[last].longest = max(l.chunks[last].longest, g.end-g.start)
}

// settle puts a chunk in order whose gaps have changed.
func (l *timeline) settle(i int) {
	gaps := l.chunks[i].gaps
	switch {
	case len(gaps) == 0:
		l.chunks = slices.Delete(l.chunks, i, i+1)
	case len(gaps) >= 2*chunkSize:
		rest := chunk{gaps: slices.Clone(gaps[chunkSize:])}
		l.chunks[i].gaps = gaps[:chunkSize:chunkSize]
		l.chunks = slices.Insert(l.chunks, i+1, rest)
		l.chunks[i].measure()
		l.chunks[i+1].measure()
	default:
		l.chunks[i].measure()
	}
}

func (c *chunk) measure() {
	c.longest = 0
	for _, g := range c.gaps {
		c.longest = max(c.longest, g.end-g.start)
	}
}
