package diag

import "fmt"

// Counted is a number of things: 1 file, 2 files. The noun is one that takes an
// s in the plural.
func Counted[N int | int64](n N, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
