package cli

// nearest returns the candidate that word was probably meant to be, or "".
func nearest(word string, candidates []string) string {
	best, bestDistance := "", 1+max(1, len([]rune(word))/3)
	for _, c := range candidates {
		if d := distance(word, c); d < bestDistance {
			best, bestDistance = c, d
		}
	}
	return best
}

// didYouMean is the end of a message about an unknown word.
func didYouMean(word string, candidates []string) string {
	if near := nearest(word, candidates); near != "" {
		return `; did you mean "` + near + `"?`
	}
	return ""
}

// distance counts the fewest insertions, deletions, substitutions and swaps of
// neighbours that turn a into b.
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	before, last := []int(nil), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := range x {
		row := make([]int, len(y)+1)
		row[0] = i + 1
		for j := range y {
			cost := 1
			if x[i] == y[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(y)]
}
