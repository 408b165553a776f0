package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"plancheck/facts"
	"plancheck/internal/diag"
	"plancheck/rules"
)

// scaffold is a rule to be made.
type scaffold struct{ root, file, code, relation string }

var (
	kebab = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)
	snake = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
)

// declaration is what is added to the rule file. TestExamples of rules looks
// for the words "Write the rule".
const declaration = `
# Write here why this must hold, in the words of the field.
# Counter-example: what goes wrong when it does not.
Decl %[2]s(Op)
  descr [doc("Write the rule: what must be true."),
         violation("%[1]s", "error"),
         message("write the rule: what is wrong with op {Op}"),
         help("write the rule: what to do about op {Op}"),
         at("op", Op)]
  bound [/string].
%[2]s(Op) :- op(Op, Lanes, _), Lanes < 1. # never true: write the rule
`

// plan is a legal plan for a start.
const plan = `{
  "schema": "plancheck.concrete-plan/1",
  "graph": {"ops": [{"id": "embed", "work_cycles": 800},
                    {"id": "mlp", "work_cycles": 700}],
            "edges": [{"from": "embed", "to": "mlp"}]},
  "stages": [{"index": 0, "cores": {"first": 0, "count": 1}},
             {"index": 1, "cores": {"first": 1, "count": 1}}],
  "assignment": {"instances": [{"op": "embed", "stage": 0, "cores": [0]},
                               {"op": "mlp", "stage": 1, "cores": [1]}]}
}
`

// line is what the bad plan is found guilty of, for the table of examples.
const line = "\t{%q, %q, \"/graph/ops/0\", `write the rule: what is wrong with op embed`},\n"

// make checks everything, then writes, and returns the paths of what it wrote.
func (s *scaffold) make() ([]string, error) {
	if !kebab.MatchString(s.code) {
		return nil, fmt.Errorf("the code %q is not in kebab-case, such as edge-skips-stage", s.code)
	}
	if s.relation == "" {
		s.relation = strings.ReplaceAll(s.code, "-", "_")
	}
	if !snake.MatchString(s.relation) {
		return nil, fmt.Errorf("the relation %q is not in lower case with _, such as edge_skips_stage", s.relation)
	}
	in := func(name string) string { return filepath.Join(s.root, "rules", filepath.FromSlash(name)) }
	file, table := in(s.file+".dl"), in("examples_table_test.go")
	bad, good := in("testdata/pipeline/"+s.relation+".bad.json"), in("testdata/pipeline/"+s.relation+".good.json")
	if err := s.free(file); err != nil {
		return nil, err
	}
	for _, path := range []string{bad, good} {
		if _, err := os.Lstat(path); err == nil {
			return nil, fmt.Errorf("%s exists already", path)
		}
	}
	rows, err := s.withLine(table)
	if err != nil {
		return nil, err
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	text = append(text, fmt.Sprintf(declaration, s.code, s.relation)...)
	for _, w := range []struct {
		path string
		data []byte
	}{{file, text}, {bad, []byte(plan)}, {good, []byte(plan)}, {table, rows}} {
		if err := os.WriteFile(w.path, w.data, 0o644); err != nil {
			return nil, err
		}
	}
	if _, err := load(filepath.Dir(file)); err != nil {
		return nil, fmt.Errorf("the rule that was made does not compile, which is an error of newrule: %w", err)
	}
	return []string{file, bad, good, table}, nil
}

// free checks that the rule files are in order and have no such relation.
func (s *scaffold) free(file string) error {
	if _, err := os.Stat(file); err != nil {
		return fmt.Errorf("no rule file %s", file)
	}
	set, err := load(filepath.Dir(file))
	if err != nil {
		return err
	}
	for _, r := range facts.Relations() {
		if r.Name == s.relation {
			return fmt.Errorf("%s is a relation of facts; name another with --relation", s.relation)
		}
	}
	for _, r := range set.Program().Relations() {
		if r.Name == s.relation {
			return fmt.Errorf("the relation %s is declared at %s:%d; name another with --relation", s.relation, r.Pos.File, r.Pos.Line)
		}
	}
	return nil
}

// load compiles the rule files of a folder.
func load(dir string) (*rules.Set, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.dl"))
	if err != nil {
		return nil, err
	}
	set, diags := rules.Load(files)
	if i := slices.IndexFunc(diags, func(d diag.Diagnostic) bool { return d.Severity == diag.Error }); i >= 0 {
		d := diags[i]
		return nil, fmt.Errorf("%s:%d: %s", d.Pos.File, d.Pos.Line, d.Message)
	}
	if set == nil {
		return nil, errors.New("the rule files cannot be loaded")
	}
	return set, nil
}

// withLine returns the table of examples with one more line.
func (s *scaffold) withLine(table string) ([]byte, error) {
	text, err := os.ReadFile(table)
	if err != nil {
		return nil, err
	}
	head, tail, ok := cutLast(string(text), "\n}\n")
	if !ok || !strings.Contains(head, "var examples = []example{") {
		return nil, fmt.Errorf("%s has no table of examples at its end", table)
	}
	return []byte(head + "\n" + fmt.Sprintf(line, s.relation, s.code) + "}\n" + tail), nil
}

func cutLast(s, sep string) (before, after string, found bool) {
	if i := strings.LastIndex(s, sep); i >= 0 {
		return s[:i], s[i+len(sep):], true
	}
	return s, "", false
}
