package house

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The table of packages in docs/architecture.md has the packages of floors, from
// the cellar up.
func TestArchitectureShowsTheFloors(t *testing.T) {
	text, err := os.ReadFile("../../docs/architecture.md")
	if err != nil {
		t.Fatal(err)
	}
	floor := map[string]int{}
	var want []string
	for i, ps := range floors {
		for _, p := range ps {
			floor[p] = i
			want = append(want, p)
		}
	}
	var got []string
	last := 0
	for _, row := range regexp.MustCompile("(?m)^\\| `([a-z/0-9]+)` \\|").FindAllStringSubmatch(string(text), -1) {
		p := row[1]
		if floor[p] < last {
			t.Errorf("%s stands behind a package of a higher floor", p)
		}
		last = floor[p]
		got = append(got, p)
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("packages (-floors +table):\n%s", diff)
	}
}
