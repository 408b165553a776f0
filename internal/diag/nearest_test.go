package diag

import (
	"slices"
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	for _, c := range []struct{ word, known, want string }{
		{"form", "to from edge", "from"},             // swapped
		{"consumer", "id consumers", "consumers"},    // left out
		{"weightss", "weights", "weights"},           // too many
		{"conv12", "conv1 conv13 conv14", "conv1"},   // the first of the nearest
		{"conv12", "bonv13 conv22 conv1", "conv22"},  // nearer than an earlier one
		{"work", "lanes work_cycles", "work_cycles"}, // without its unit
		{"size", "side size_bytes", "side"},          // a slip before a missing unit
		{"to", "id at", ""},                          // too short to be a slip
		{"a", "b c", ""},
		{"zebra", "lanes weights", ""},
		{"", "a bb", ""},
		{"lanes", "lanes", ""}, // the word itself is no suggestion
		{"abcdefghijkl", "abcdefghixyz", "abcdefghixyz"},
		{"abcdefghijkl", "abcdefghwxyz", ""},
		{strings.Repeat("x", 100) + "y", strings.Repeat("x", 100), strings.Repeat("x", 100)},
	} {
		if got := Nearest(c.word, slices.Values(strings.Fields(c.known))); got != c.want {
			t.Errorf("Nearest(%q, %q) = %q, want %q", c.word, c.known, got, c.want)
		}
	}
}
