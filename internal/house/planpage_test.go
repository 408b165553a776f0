package house

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/cli"
	"plancheck/internal/diag"
	"plancheck/ir"
	"plancheck/rules"
)

func readFile(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("../..", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// sections cuts a page at its headings of the second level, by their titles.
func sections(page string) map[string]string {
	all := map[string]string{}
	for _, s := range strings.Split(page, "\n## ")[1:] {
		title, text, _ := strings.Cut(s, "\n")
		all[strings.ToLower(title)] = text
	}
	return all
}

// TestPlanPageFields holds docs/plan.md, and the pages about programs, together with
// the shapes of the decoder: a section for each object, a row for each field, and
// whether it is needed.
func TestPlanPageFields(t *testing.T) {
	checkFields(t, "docs/plan.md", "ir/shapes.go", 15)
	checkFields(t, "docs/command-plan.md", "ir/programshapes.go", 11)
	checkFields(t, "docs/target-extension.md", "ir/extensionshapes.go", 3)
	checkFields(t, "docs/spatial-extension.md", "ir/spatialextensionshapes.go", 9)
	checkFields(t, "docs/deployment.md", "ir/deploymentshapes.go", 5)
}

func checkFields(t *testing.T, pageName, shapesName string, least int) {
	t.Helper()
	page := sections(readFile(t, pageName))
	shape := regexp.MustCompile(`NewShape\("([^"]*)"`)
	field := regexp.MustCompile(`\b(required|optional)\("([^"]*)"`)
	row := regexp.MustCompile("(?m)^\\| `([a-z_]*)` \\| (yes|no) \\|")
	title := ""
	want := map[string][]string{}
	for line := range strings.Lines(readFile(t, shapesName)) {
		if m := shape.FindStringSubmatch(line); m != nil {
			title = m[1]
		}
		for _, m := range field.FindAllStringSubmatch(line, -1) {
			want[title] = append(want[title], m[2]+map[string]string{"required": " yes", "optional": " no"}[m[1]])
		}
	}
	got := map[string][]string{}
	for title, text := range page {
		for _, m := range row.FindAllStringSubmatch(text, -1) {
			got[title] = append(got[title], m[1]+" "+m[2])
		}
	}
	if len(want) < least {
		t.Fatalf("only %d shapes are found in %s", len(want), shapesName)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("fields (-%s +%s):\n%s", shapesName, pageName, diff)
	}
}

// TestPlanPageErrors holds the list of codes together with the code.
func TestPlanPageErrors(t *testing.T) {
	var files []string
	for _, pattern := range []string{"ir/*.go", "internal/strictjson/*.go", "internal/cli/input.go", "internal/irtext/irtext.go", "facts/*.go"} {
		matches, err := filepath.Glob(filepath.Join("../..", pattern))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, matches...)
	}
	comment := regexp.MustCompile(`(?m)^\s*//.*$`)
	code := regexp.MustCompile(`"([a-z0-9]+(-[a-z0-9]+)+)"`)
	want := map[string]bool{"not-evaluated": true} // of internal/cli/check.go
	for _, f := range files {
		if strings.HasSuffix(f, "_test.go") {
			continue
		}
		for _, m := range code.FindAllStringSubmatch(comment.ReplaceAllString(readFile(t, strings.TrimPrefix(f, "../../")), ""), -1) {
			want[m[1]] = true
		}
	}
	link := regexp.MustCompile(`\[([^]]*)\]\([^)]*\)`)
	got := map[string]bool{}
	var listed []cli.DocumentCode
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z0-9-]*)` \\| (.*) \\|$").FindAllStringSubmatch(sections(readFile(t, "docs/plan.md"))["errors of the document"], -1) {
		got[m[1]] = true
		listed = append(listed, cli.DocumentCode{Code: m[1], Meaning: strings.ReplaceAll(link.ReplaceAllString(m[2], "$1"), "`", `"`)})
	}
	if diff := cmp.Diff(cli.DocumentCodes(), listed); diff != "" {
		t.Errorf("what codes mean (-internal/cli +docs/plan.md):\n%s", diff)
	}
	delete(want, "number-out-of-range") // of fractions, which only foreign formats have
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("codes (-code +docs/plan.md):\n%s", diff)
	}
}

// TestPlanPageExcerpts puts each excerpt into the plan that it is said to be a
// part of, and wants no error and no violation.
func TestPlanPageExcerpts(t *testing.T) {
	set, diags := rules.Load(nil)
	if set == nil {
		t.Fatal(diags)
	}
	excerpts := fenced(readFile(t, "docs/plan.md"), "json")
	if len(excerpts) < 9 {
		t.Fatalf("only %d excerpts", len(excerpts))
	}
	for _, e := range excerpts {
		plan := object(t, readFile(t, "testdata/plans/encoder.json"))
		for name, part := range object(t, e) {
			section, both := plan[name].(map[string]any)
			if members, ok := part.(map[string]any); ok && both {
				for key, value := range members {
					section[key] = value
				}
			} else {
				plan[name] = part
			}
		}
		text, err := json.Marshal(plan)
		if err != nil {
			t.Fatal(err)
		}
		p, diags := ir.DecodePlan(diag.NewSource("plan.json", text))
		if p == nil {
			t.Errorf("%s\n%v", e, diags)
			continue
		}
		verdict, err := set.Judge(context.Background(), p, rules.Options{Partial: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range verdict.Findings {
			t.Errorf("%s\n%s: %s", e, f.Code, f.Message)
		}
		if holes := strings.Contains(e, "null"); holes != (verdict.Holes > 0) {
			t.Errorf("%s\nhas %d holes", e, verdict.Holes)
		}
	}
}

// TestProgramPageExamples wants no finding in the programs of the pages.
func TestProgramPageExamples(t *testing.T) {
	set, diags := rules.Load(nil)
	if set == nil {
		t.Fatal(diags)
	}
	for _, page := range []string{"docs/command-plan.md", "docs/deployment.md", "docs/target-extension.md"} {
		examples := fenced(readFile(t, page), "json")
		if len(examples) == 0 {
			t.Errorf("%s has no example", page)
		}
		for _, e := range examples {
			p, diags := ir.DecodePlan(diag.NewSource(page, []byte(e)))
			if p == nil {
				t.Errorf("%s\n%v", e, diags)
				continue
			}
			verdict, err := set.Judge(context.Background(), p, rules.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range verdict.Findings {
				t.Errorf("%s: %s: %s", page, f.Code, f.Message)
			}
		}
	}
}

// TestSpatialPageExample judges the example of docs/spatial-extension.md, and the
// change of it that the page tells of.
func TestSpatialPageExample(t *testing.T) {
	set, diags := rules.Load(nil)
	if set == nil {
		t.Fatal(diags)
	}
	page := readFile(t, "docs/spatial-extension.md")
	example := fenced(page, "json")[0]
	told := strings.TrimSpace(fenced(page, "text")[0])
	early := strings.Replace(example, `"unit": "vxm1", "cycle": 26`, `"unit": "vxm1", "cycle": 25`, 1)
	for text, want := range map[string][]string{example: nil, early: {told}} {
		p, diags := ir.DecodePlan(diag.NewSource("plan.json", []byte(text)))
		if p == nil {
			t.Fatal(diags)
		}
		verdict, err := set.Judge(context.Background(), p, rules.Options{})
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range verdict.Findings {
			got = append(got, "error["+f.Code+"]: "+f.Message)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-page +rules):\n%s", diff)
		}
	}
}

func object(t *testing.T, text string) map[string]any {
	t.Helper()
	var o map[string]any
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		t.Fatalf("%s\n%v", text, err)
	}
	return o
}

// fenced returns the blocks of a page that are marked so.
func fenced(page, mark string) []string {
	var blocks []string
	for _, b := range strings.Split(page, "\n```"+mark+"\n")[1:] {
		text, _, _ := strings.Cut(b, "```\n")
		blocks = append(blocks, text)
	}
	return blocks
}
