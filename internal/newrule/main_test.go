package main

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// copyProject copies the project's Go files, rules and plans to a folder.
func copyProject(t *testing.T) string {
	t.Helper()
	root, to := filepath.Join("..", ".."), t.TempDir()
	err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		if e.IsDir() {
			if e.Name() == ".git" || name == "bin" {
				return filepath.SkipDir
			}
			return os.MkdirAll(filepath.Join(to, name), 0o755)
		}
		if !e.Type().IsRegular() {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), data, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	return to
}

// goIn runs the go command in a folder. Without the folder's name in what is
// compiled, packages that did not change come from the cache.
func goIn(dir string, args ...string) (string, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-trimpath")
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func edit(t *testing.T, path string, pairs ...string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for i := 0; i < len(pairs); i += 2 {
		if strings.Count(text, pairs[i]) != 1 {
			t.Fatalf("%s has %q %d times", path, pairs[i], strings.Count(text, pairs[i]))
		}
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// The way of docs/new-rule.md, in a copy: the scaffold compiles, the test fails
// and says what to write, and passes once it is written; the pages are stale
// until they are made anew.
func TestNewRule(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped with -short: compiles a copy of the project")
	}
	root := copyProject(t)
	var out bytes.Buffer
	if err := run([]string{"op-work-implausible", "--root", root}, &out); err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(root, filepath.FromSlash(name)) }
	want := []string{
		in("rules/pipeline.dl"), in("rules/testdata/pipeline/op_work_implausible.bad.json"),
		in("rules/testdata/pipeline/op_work_implausible.good.json"), in("rules/examples_table_test.go"),
	}
	wrote, _, _ := strings.Cut(out.String(), "\n\n")
	if diff := cmp.Diff(want, strings.Split(wrote, "\n")); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
	test := []string{"test", "./rules", "-run", "TestExamples|TestInvariantsAreDocumented"}
	if said, err := goIn(root, test...); err == nil || !strings.Contains(said, "write the rule op_work_implausible: its declaration,") {
		t.Fatalf("the unwritten rule passes, or its test does not say what to do: %v\n%s", err, said)
	} else if n := strings.Count(said, "--- FAIL"); n != 2 { // TestExamples and the rule's part of it
		t.Errorf("%d tests fail, not only the rule's:\n%s", n, said)
	}

	edit(t, in("rules/pipeline.dl"),
		"Write the rule: what must be true.", "An op takes less than 10^15 cycles.",
		`"op-work-implausible", "error"`, `"op-work-implausible", "warning"`,
		"write the rule: what is wrong with op {Op}", "op {Op} takes {Work} cycles",
		"write the rule: what to do about op {Op}", "check the unit of the work of op {Op}",
		"Decl op_work_implausible(Op)", "Decl op_work_implausible(Op, Work)",
		`at("op", Op)]
  bound [/string].
op_work_implausible(Op) :- op(Op, Lanes, _), Lanes < 1. # never true: write the rule`,
		`at("op", Op)]
  bound [/string, /number].
op_work_implausible(Op, Work) :- op(Op, _, Work), 999999999999999 < Work.`)
	edit(t, in("rules/testdata/pipeline/op_work_implausible.bad.json"), `"work_cycles": 800}`, `"work_cycles": 1000000000000000}`)
	edit(t, in("rules/examples_table_test.go"), "write the rule: what is wrong with op embed", "op embed takes 1000000000000000 cycles")
	if said, err := goIn(root, test...); err != nil {
		t.Errorf("the written rule fails: %v\n%s", err, said)
	}

	if said, err := goIn(root, "run", "./internal/docgen", "--check"); err == nil || !strings.Contains(said, "op-work-implausible.md") {
		t.Errorf("the pages are not stale: %v\n%s", err, said)
	}
	if said, err := goIn(root, "run", "./internal/docgen"); err != nil {
		t.Fatalf("docgen: %v\n%s", err, said)
	}
	page, err := os.ReadFile(in("docs/rules/op-work-implausible.md"))
	if err != nil || !strings.Contains(string(page), "An op takes less than 10^15 cycles.") {
		t.Errorf("no page: %v\n%s", err, page)
	}
}

// What cannot be made is refused, and nothing is written.
func TestRefused(t *testing.T) {
	root := t.TempDir()
	rules := filepath.Join(root, "rules")
	if err := os.CopyFS(rules, os.DirFS("../../rules")); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(filepath.Join(rules, "pipeline.dl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{nil, "name one code"},
		{[]string{"a", "b"}, "name one code"},
		{[]string{"Bad_Code"}, "not in kebab-case"},
		{[]string{"new", "--relation", "New"}, "not in lower case"},
		{[]string{"edge-skips-stage"}, "the relation edge_skips_stage is declared at"},
		{[]string{"edge"}, "edge is a relation of facts"},
		{[]string{"new", "--file", "gone"}, "no rule file"},
		{[]string{"new", "--root", t.TempDir()}, "no rule file"},
	} {
		err := run(append([]string{"--root", root}, c.args...), &bytes.Buffer{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %q", c.args, err, c.want)
		}
	}
	after, err := os.ReadFile(filepath.Join(rules, "pipeline.dl"))
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("the rule file was changed: %v", err)
	}
	// A second way to break a code that is there.
	if err := run([]string{"--root", root, "edge-skips-stage", "--relation", "edge_skips_twice"}, &bytes.Buffer{}); err != nil {
		t.Error(err)
	}
}
