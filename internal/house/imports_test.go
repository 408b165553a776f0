package house

import (
	"encoding/json"
	"os/exec"
	"strings"
	"testing"
)

// floors lists the packages from the cellar up: a package imports only from
// floors below its own.
var floors = [][]string{
	{"internal/symbol", "internal/jsonedit"},
	{"internal/diag"},
	{"internal/strictjson"},
	{"internal/record", "internal/poly"},
	{"ir", "ir/level", "internal/irtext", "internal/datalog", "internal/triage", "solver"},
	{"ir/model"},
	{"ir/task", "ir/portable", "ir/machine", "ir/timeline", "ir/evidence", "ir/observation", "internal/tensor"},
	{"ir/levels", "internal/costs"},
	{"internal/search/partition", "internal/search/packing", "internal/search/placement", "internal/search/peft", "internal/pipeline"},
	{"internal/search/schedule"},
	{"facts"},
	{"rules", "internal/chart", "encode"},
	{"internal/plandiff", "internal/simulate", "internal/trace", "internal/evidence", "internal/passes"},
	{"internal/report", "internal/importer", "internal/example", "internal/derive", "internal/execute", "internal/reference"},
	{"internal/lineage"},
	{"internal/cli"},
	{"cmd/plancheck"},
}

// aside are packages that only tests, benchmarks and generators use. They may
// import anything, and nothing may import them.
var aside = []string{"internal/bench", "internal/house", "internal/docgen", "internal/newrule", "internal/programtest", "internal/datalog/datalogtest", "internal/strictjson/strictjsontest", "internal/search/schedule/scheduletest"}

func TestImportsRunDown(t *testing.T) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "plancheck/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	floor := map[string]int{}
	for i, ps := range floors {
		for _, p := range ps {
			floor[p] = i
		}
	}
	isAside := func(p string) bool {
		for _, a := range aside {
			if p == a || strings.HasPrefix(p, a+"/") {
				return true
			}
		}
		return false
	}
	seen := map[string]bool{}
	for dec := json.NewDecoder(strings.NewReader(string(out))); dec.More(); {
		var pkg struct {
			ImportPath string
			Imports    []string
		}
		if err := dec.Decode(&pkg); err != nil {
			t.Fatal(err)
		}
		from := strings.TrimPrefix(pkg.ImportPath, "plancheck/")
		seen[from] = true
		if isAside(from) {
			continue
		}
		here, known := floor[from]
		if !known {
			t.Errorf("package %s has no floor: add it to the table, where docs/architecture.md shows it", from)
			continue
		}
		for _, imp := range pkg.Imports {
			to, ours := strings.CutPrefix(imp, "plancheck/")
			if !ours {
				continue
			}
			if isAside(to) {
				t.Errorf("%s imports %s, which is for tests and benchmarks only", from, to)
			} else if floor[to] >= here {
				t.Errorf("%s imports %s, which is not below it", from, to)
			}
		}
	}
	for _, ps := range append(floors, aside) {
		for _, p := range ps {
			if !seen[p] {
				t.Errorf("the table has %s, and there is no such package", p)
			}
		}
	}
}
