package placement

import (
	"cmp"
	"context"
	"slices"
)

// brancher is branch and bound, deepest first: it places the core whose places
// differ most in the bound on each of them, best first. It raises the bound
// of the whole problem by what its first level leaves, and closes it when
// nothing is left.
//
// When a core has been tried on a place, no core that is like it needs to be
// tried there; and on the first level not on a place that is like that one,
// either.
type brancher struct {
	w     *net
	b     *board
	bound *bounder

	place, on []int
	stack     []frame
	orbit     []int // of machine cores, see orbits
	begun     bool
}

// frame is a core that is placed, and where it is still to be tried.
type frame struct {
	core    int
	options []option // the next one last
	barred  []int    // machine cores barred, in bounder, for cores like this
}

// option is a machine core and twice the bound of placing the core there.
type option struct {
	at    int
	twice int64
}

func newBrancher(w *net, b *board, bound *bounder) *brancher {
	return &brancher{w: w, b: b, bound: bound,
		place: slices.Repeat([]int{Free}, w.n), on: slices.Repeat([]int{Free}, w.n)}
}

func (s *brancher) name() string { return "branching" }

// turn bounds nodes until the steps are spent. It ends when the tree does.
func (s *brancher) turn(ctx context.Context, steps int64) (spent int64, more bool) {
	if !s.begun {
		s.begun = true
		s.orbit = s.w.orbits()
		spent += s.open()
	}
	for spent < steps && ctx.Err() == nil && !s.b.closed() {
		if len(s.stack) == 0 {
			s.b.raise(s.name(), s.b.value)
			break
		}
		top := &s.stack[len(s.stack)-1]
		if at := s.place[top.core]; at != Free {
			s.place[top.core], s.on[at] = Free, Free
			s.bar(top, at)
		}
		if len(s.stack) == 1 {
			s.raise(top.options)
		}
		last := len(top.options) - 1
		if last < 0 || s.hopeless(top.options[last].twice) {
			// The others are no better.
			for _, k := range top.barred {
				s.bound.barred[s.w.class[top.core]*s.w.n+k] = false
			}
			s.stack = s.stack[:len(s.stack)-1]
			spent++
			continue
		}
		at := top.options[last].at
		top.options = top.options[:last]
		if s.bound.barred[s.w.class[top.core]*s.w.n+at] {
			continue
		}
		s.place[top.core], s.on[at] = at, top.core
		spent += s.open()
	}
	return max(spent, 1), !s.b.closed()
}

// bar keeps cores like that of a frame from a place where it has been tried.
func (s *brancher) bar(f *frame, at int) {
	class := s.bound.barred[s.w.class[f.core]*s.w.n:]
	for k := range s.w.n {
		like := k == at || len(s.stack) == 1 && s.orbit[k] == s.orbit[at]
		if like && !class[k] {
			class[k] = true
			f.barred = append(f.barred, k)
		}
	}
}

// hopeless says that a bound, times two, leaves nothing better than the best.
func (s *brancher) hopeless(twice int64) bool { return (twice+1)/2 >= s.b.value }

// raise takes up the bound of the first level's remaining options.
func (s *brancher) raise(options []option) {
	if len(options) > 0 {
		s.b.raise(s.name(), min(s.b.value, (options[len(options)-1].twice+1)/2))
	}
}

// open bounds the placement under construction and pushes the core to place
// next, if there is hope. It returns the steps taken.
func (s *brancher) open() int64 {
	twice, ok := s.bound.bound(s.place, s.on)
	rows, cols := s.bound.rows, s.bound.cols
	n := len(rows)
	steps := int64(1 + n*n*(n+16)/500)
	if !ok || s.hopeless(twice) {
		return steps
	}
	s.try(rows, cols)
	if n <= 1 || s.hopeless(twice) {
		return steps
	}
	// The core whose other places have the greatest reduced costs in all.
	a, best, most := &s.bound.assign, 0, -1.0
	for r := range n {
		sum := 0.0
		for c := range n {
			if cost := s.bound.cost[r*n+c]; cost == forbidden {
				sum += float64(s.b.value)
			} else {
				sum += float64(min(cost-a.row[r]-a.col[c], s.b.value))
			}
		}
		if sum > most {
			best, most = r, sum
		}
	}
	f := frame{core: rows[best]}
	for c, k := range cols {
		if cost := s.bound.cost[best*n+c]; cost != forbidden {
			if t := twice + cost - a.row[best] - a.col[c]; !s.hopeless(t) {
				f.options = append(f.options, option{k, t})
			}
		}
	}
	if len(s.stack) == 0 {
		steps += s.sharpen(f)
	}
	slices.SortStableFunc(f.options, func(x, y option) int { return cmp.Compare(y.twice, x.twice) })
	s.stack = append(s.stack, f)
	return steps
}

// try offers the placement that the bound's assignment completes.
func (s *brancher) try(rows, cols []int) {
	whole := slices.Clone(s.place)
	for r, c := range s.bound.assign.to {
		whole[rows[r]] = cols[c]
	}
	s.b.lower(s.name(), whole, s.w.traffic(whole))
}

// sharpen bounds each option of the first level by itself.
func (s *brancher) sharpen(f frame) (steps int64) {
	n := int64(s.w.n)
	for i, o := range f.options {
		s.place[f.core], s.on[o.at] = o.at, f.core
		if twice, ok := s.bound.bound(s.place, s.on); !ok {
			f.options[i].twice = 2 * s.b.value
		} else {
			f.options[i].twice = max(o.twice, twice)
		}
		s.place[f.core], s.on[o.at] = Free, Free
		steps += n * n * (n + 16) / 500
	}
	return steps
}
