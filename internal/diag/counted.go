package diag

import "fmt"

// Counted is a number of things: 1 file, 2 files. The noun is one that takes an
// s in the plural.
func Counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
