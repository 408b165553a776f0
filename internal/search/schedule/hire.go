package schedule

import "slices"

// hire says of which class each logical core is: of its pinned place where it
// has one, else a class is chosen, so that stages whose weights need room get
// the large cores, and the others those that are left.
func (a *arranger) hire(crews []crew, bytes []int64, first []int) []int {
	class := slices.Clone(a.classes.fixed)
	if a.uniform {
		return make([]int, a.p.Cores)
	}
	free := slices.Clone(a.classes.free)
	// What each stage still lacks, and how many of its cores are open.
	lack, open := slices.Clone(bytes), make([]int, len(crews))
	of := make([]int, a.p.Cores)
	for s := range crews {
		end := a.p.Cores
		if s+1 < len(first) {
			end = first[s+1]
		}
		for c := first[s]; c < end; c++ {
			of[c] = s
			if class[c] == Free {
				open[s]++
			} else if room := a.classes.cores[class[c]].Capacity; room != Unknown {
				lack[s] -= room
			}
		}
	}
	for range a.p.Cores {
		// The stage that lacks most for each open core is served first.
		needy := -1
		for s := range crews {
			if open[s] > 0 && (needy < 0 || float64(lack[s])/float64(open[s]) > float64(lack[needy])/float64(open[needy])) {
				needy = s
			}
		}
		if needy < 0 {
			break
		}
		pick := -1
		for j, n := range free {
			if n > 0 && (pick < 0 || larger(a.classes.cores[j], a.classes.cores[pick])) {
				pick = j
			}
		}
		free[pick]--
		open[needy]--
		if room := a.classes.cores[pick].Capacity; room != Unknown {
			lack[needy] -= room
		}
		for c := range class {
			if of[c] == needy && class[c] == Free {
				class[c] = pick
				break
			}
		}
	}
	return class
}

// larger says whether core x holds more than y.
func larger(x, y Core) bool {
	if x.Capacity == Unknown || y.Capacity == Unknown {
		return x.Capacity == Unknown && y.Capacity != Unknown
	}
	return x.Capacity > y.Capacity
}
