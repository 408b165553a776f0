package rules

import (
	"embed"
	"strings"
)

// Embedded holds the built-in rule files and, under testdata, a plan that
// breaks each of their invariants and the same plan mended.
//
//go:embed *.dl testdata/pipeline/*.json
var Embedded embed.FS

// Names lists the built-in rule files, sorted: objective, pipeline. On the
// command line they are builtin:objective and so on.
func Names() []string {
	entries, err := Embedded.ReadDir(".")
	if err != nil {
		return nil // never: the directory is part of the program
	}
	var names []string
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".dl"); ok {
			names = append(names, name)
		}
	}
	return names
}

// Examples returns the plan that breaks a built-in invariant and the same plan
// mended; nil where there are none.
func Examples(relation string) (bad, good []byte) {
	bad, _ = Embedded.ReadFile("testdata/pipeline/" + relation + ".bad.json")
	good, _ = Embedded.ReadFile("testdata/pipeline/" + relation + ".good.json")
	return bad, good
}
