package diag

import (
	"iter"
	"strings"
)

// longestGuess is how long a word may be to be taken for a misspelt one.
const longestGuess = 200

// Nearest returns the one of the known words that was most likely meant by
// word, and "" when none is close: a third of the letters may be wrong, or
// left out behind a "_". Of equally near words the first one is returned.
func Nearest(word string, known iter.Seq[string]) string {
	if len(word) > longestGuess {
		return ""
	}
	best, limit := "", min(3, len(word)/3)
	longer := ""
	for k := range known {
		if d := distance(word, k, limit); d <= limit && k != word {
			best, limit = k, d-1
		}
		if longer == "" && len(word) > 2 && strings.HasPrefix(k, word+"_") {
			longer = k
		}
	}
	if best == "" {
		return longer
	}
	return best
}

// distance counts the bytes to insert, delete, change or swap with their
// neighbour to make b of a. It returns limit+1 as soon as there are more.
func distance(a, b string, limit int) int {
	if limit < 0 || len(a)-len(b) > limit || len(b)-len(a) > limit {
		return limit + 1
	}
	// Rows of the table for the prefixes of a: two back, the last, this one.
	var short [3 * 64]int
	n := len(b) + 1
	cells := append(short[:0], make([]int, 3*n)...)
	before, last, row := cells[:n], cells[n:2*n], cells[2*n:]
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			change := last[j-1]
			if a[i-1] != b[j-1] {
				change++
			}
			d := min(change, last[j]+1, row[j-1]+1)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				d = min(d, before[j-2]+1)
			}
			row[j] = d
			least = min(least, d)
		}
		if least > limit {
			return limit + 1
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
