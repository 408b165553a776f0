package placement

// assigner solves linear assignment problems: each of n rows gets a column of
// its own so that the sum of costs is least. It adds rows one by one along
// shortest augmenting paths, on costs reduced by the duals of rows and columns
// (the Hungarian method in the form of Jonker and Volgenant).
type assigner struct {
	row, col []int64 // duals: row[i]+col[k] is at most the cost of i, k
	of       []int   // the row of each column, or Free
	to       []int   // the column of each row

	// stop, unless it is nil, is asked now and then whether to give up.
	stop func() bool

	dist []int64
	from []int
	done []bool
}

// forbidden is the cost of what may not be. It is above all costs.
const forbidden = noValue

// solve returns the least sum; ok is false when forbidden entries leave none,
// or when it gave up. cost has n*n entries, row by row.
func (a *assigner) solve(n int, cost []int64) (sum int64, ok bool) {
	a.row, a.col = resize(a.row, n), resize(a.col, n)
	a.of, a.to = resize(a.of, n), resize(a.to, n)
	a.dist, a.from, a.done = resize(a.dist, n), resize(a.from, n), resize(a.done, n)
	for k := range n {
		a.row[k], a.col[k], a.of[k] = 0, 0, Free
	}
	for i := range n {
		if a.stop != nil && a.stop() || !a.add(i, n, cost) {
			return 0, false
		}
	}
	for k, i := range a.of {
		a.to[i] = k
		sum += cost[i*n+k]
	}
	return sum, true
}

// add gives row i a column, moving others along the shortest path.
func (a *assigner) add(i, n int, cost []int64) bool {
	for k := range n {
		a.dist[k], a.from[k], a.done[k] = forbidden, Free, false
	}
	at, here, length := Free, i, int64(0)
	for {
		line := cost[here*n : (here+1)*n]
		next := Free
		for k, c := range line {
			if a.done[k] {
				continue
			}
			if c != forbidden {
				if d := length + c - a.row[here] - a.col[k]; d < a.dist[k] {
					a.dist[k], a.from[k] = d, at
				}
			}
			if a.dist[k] != forbidden && (next == Free || a.dist[k] < a.dist[next]) {
				next = k
			}
		}
		if next == Free {
			return false
		}
		at, length = next, a.dist[next]
		a.done[at] = true
		if a.of[at] == Free {
			break
		}
		here = a.of[at]
	}
	// Duals, with the old assignment: paths shorter than this one.
	a.row[i] += length
	for k := range n {
		if a.done[k] && k != at {
			a.row[a.of[k]] += length - a.dist[k]
			a.col[k] -= length - a.dist[k]
		}
	}
	for at != Free {
		before := a.from[at]
		if before == Free {
			a.of[at] = i
		} else {
			a.of[at] = a.of[before]
		}
		at = before
	}
	return true
}

func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// Assign solves a linear assignment problem: it gives each of n rows a column of
// its own, so that the sum of their costs is least. cost has n*n entries, row by
// row, from 0 on; sums of n of them must fit in 63 bits.
func Assign(n int, cost []int64) []int {
	var a assigner
	if _, ok := a.solve(n, cost); !ok {
		return nil
	}
	return a.to
}
