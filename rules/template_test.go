package rules

import (
	"testing"

	"plancheck/internal/symbol"
)

func TestFill(t *testing.T) {
	syms := symbol.NewTable()
	list := func(n int) symbol.Value {
		var elems []symbol.Value
		for i := range n {
			elems = append(elems, syms.Int(int64(i)))
		}
		return syms.List(elems)
	}
	cols := []string{"Op", "None", "One", "Many", "L0", "L1", "L2", "L3", "L15"}
	row := []symbol.Value{syms.String("mlp 1"), 0, 1, 7, list(0), list(1), list(2), list(3), list(15)}
	for _, c := range []struct{ template, want string }{
		{"", ""},
		{"plain", "plain"},
		{"op {Op}!", `op "mlp 1"!`},
		{"{None cores}, {One cores}, {Many logical cores}", "0 cores, 1 core, 7 logical cores"},
		{"{lanes L1}; {lanes L2}; {lanes L3}; {L0}", "lane 0; lanes 0 and 1; lanes 0, 1 and 2; "},
		{"{lanes L15}", "lanes 0, 1, 2, 3, 4, 5, 6, 7, 8, 9 and 5 more"},
		{"{cores One..Many} {logical cores Many..Many} {One..One}", "cores 1 to 7 logical core 7 1"},
		{"{One boxes}, {Many boxes}, {One batches}, {One entries}, {One passes}", "1 box, 7 boxes, 1 batch, 1 entry, 1 pass"},
		{"{One bytes of weights}, {None bytes of weights}", "1 byte of weights, 0 bytes of weights"},
	} {
		segments, err := parseTemplate(c.template)
		if err != nil {
			t.Fatal(err)
		}
		if got := fill(segments, cols, row, syms); got != c.want {
			t.Errorf("%s\nis filled %s\nwant      %s", c.template, got, c.want)
		}
	}
}

func TestSingular(t *testing.T) {
	for plural, want := range map[string]string{
		"lanes": "lane", "bytes": "byte", "cores": "core", "places": "place", "sizes": "size", "phases": "phase",
		"boxes": "box", "indexes": "index", "meshes": "mesh", "hashes": "hash", "classes": "class", "branches": "branch",
		"copies": "copy", "queues": "queue", "caches": "cache", "dies": "die", "axes": "axis", "buses": "bus",
		"matrices": "matrix", "series": "series", "bus": "bus", "class": "class", "work": "work",
	} {
		if got := singular(plural); got != want {
			t.Errorf("one of %s is %q, want %q", plural, got, want)
		}
	}
}
