package datalog

import (
	"maps"
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPageNamesEverythingBuiltIn holds the tables of docs/rule-language.md
// together with the built-in functions, reducers and predicates.
func TestPageNamesEverythingBuiltIn(t *testing.T) {
	page, err := os.ReadFile("../../docs/rule-language.md")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range regexp.MustCompile("(?m)^\\| `((?:fn)?:[a-z_:]+)\\(.*?\\)` \\|").FindAllSubmatch(page, -1) {
		got = append(got, string(m[1]))
	}
	want := slices.Concat(slices.Collect(maps.Keys(functions)), slices.Collect(maps.Keys(reducers)),
		slices.Collect(maps.Keys(tests)), slices.Collect(maps.Keys(comparisons)), members())
	slices.Sort(want)
	slices.Sort(got)
	want = slices.Compact(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("built in (-code +docs/rule-language.md):\n%s", diff)
	}
}
