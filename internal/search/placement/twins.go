package placement

import "slices"

// findClasses numbers the classes of logical cores that are alike: two that
// change places change nothing. The cores of one pipeline stage often are.
func (w *net) findClasses() {
	w.class = make([]int, w.n)
	var first []int // core of each class
	for i := range w.n {
		c := slices.IndexFunc(first, func(j int) bool { return w.alike(i, j) })
		if c < 0 {
			c = len(first)
			first = append(first, i)
		}
		w.class[i] = c
	}
	w.classes = len(first)
}

// alike says whether two cores may be on the same places and have the same
// flows, to and from each other too.
func (w *net) alike(i, j int) bool {
	a, b := w.arcs[i], w.arcs[j]
	if w.self[i] != w.self[j] || len(a) != len(b) {
		return false
	}
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(a) > 0 && a[0].to == j:
			if a[0].in != a[0].out {
				return false
			}
			a = a[1:]
		case len(b) > 0 && b[0].to == i:
			b = b[1:]
		case len(a) == 0 || len(b) == 0 || a[0] != b[0]:
			return false
		default:
			a, b = a[1:], b[1:]
		}
	}
	return slices.Equal(w.ok[i*w.n:(i+1)*w.n], w.ok[j*w.n:(j+1)*w.n])
}

// orbits numbers the machine cores so that two have the same number only if
// some way to rename all machine cores turns the one into the other and changes
// neither hops nor what is allowed. A mesh that is turned or mirrored is the
// same mesh. It looks only so far for such a way.
func (w *net) orbits() []int {
	orbit := make([]int, w.n)
	for k := range orbit {
		orbit[k] = k
		for l := range k {
			if orbit[l] == l && w.rename(l, k) {
				orbit[k] = l
				break
			}
		}
	}
	return orbit
}

// rename looks for a way to rename machine cores in which from becomes to.
func (w *net) rename(from, to int) bool {
	n, looks := w.n, 200*w.n
	order := append([]int{from}, make([]int, 0, n)...)
	for k := range n {
		if k != from {
			order = append(order, k)
		}
	}
	becomes := slices.Repeat([]int{Free}, n)
	used := make([]bool, n)
	fits := func(at, k, l int) bool {
		if w.hops[k*n+k] != w.hops[l*n+l] {
			return false
		}
		for _, o := range order[:at] {
			p := becomes[o]
			if w.hops[k*n+o] != w.hops[l*n+p] || w.hops[o*n+k] != w.hops[p*n+l] {
				return false
			}
		}
		for i := range n {
			if w.ok[i*n+k] != w.ok[i*n+l] {
				return false
			}
		}
		return true
	}
	var extend func(at int) bool
	extend = func(at int) bool {
		if at == n {
			return true
		}
		k := order[at]
		for l := range n {
			if at == 0 {
				l = to
			}
			if looks--; looks < 0 {
				return false
			}
			if !used[l] && fits(at, k, l) {
				becomes[k], used[l] = l, true
				if extend(at + 1) {
					return true
				}
				used[l] = false
			}
			if at == 0 {
				return false
			}
		}
		return false
	}
	return extend(0)
}
