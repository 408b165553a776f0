package rules

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"plancheck/internal/datalog"
	"plancheck/internal/diag"
)

// write makes a rule file and returns its path.
func write(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// shown writes diagnostics without the directory of their file.
func shown(ds []diag.Diagnostic) []string {
	var out []string
	for _, d := range ds {
		out = append(out, fmt.Sprintf("%s:%d:%d: %s[%s]: %s", filepath.Base(d.Pos.File), d.Pos.Line, d.Pos.Column, d.Severity, d.Code, d.Message))
	}
	return out
}

const legal = `Decl slow(Op, Work)
  descr [doc("No op works longer than 100 cycles."), violation("op-too-slow", "warning"),
         message("op {Op} works {Work cycles}"), help("split {Op}"), at("op", Op, _, Work), cause(Op)]
  bound [/string, /number].
slow(Op, Work) :- op(Op, _, Work), 100 < Work.
`

func TestMetadata(t *testing.T) {
	s, diags := Load([]string{write(t, "mine.dl", legal)})
	if diags != nil {
		t.Fatal(shown(diags))
	}
	want := []Invariant{{
		Relation: "slow", Cols: []string{"Op", "Work"}, Code: "op-too-slow", Severity: diag.Warning,
		Doc: "No op works longer than 100 cycles.", Message: "op {Op} works {Work cycles}", Help: "split {Op}",
		At:      &Place{"op", []PlaceColumn{{Var: "Op"}, {Any: true}, {Var: "Work"}}},
		Cause:   []string{"Op"},
		Clauses: []string{"slow(Op, Work) :- op(Op, _, Work), 100 < Work."},
	}}
	if diff := cmp.Diff(want, s.Invariants(), cmpopts.IgnoreFields(Invariant{}, "Pos", "message", "help")); diff != "" {
		t.Errorf("invariants (-want +got):\n%s", diff)
	}
	if pos := s.Invariants()[0].Pos; pos.Line != 1 || pos.Column != 1 {
		t.Errorf("the Decl is at %+v", pos)
	}
	if diff := cmp.Diff([]string{"op"}, s.Reads()); diff != "" {
		t.Errorf("reads: %s", diff)
	}
	if diff := cmp.Diff([]string{"slow(Op, Work) :- op(Op, _, Work), 100 < Work."}, s.Explain("op-too-slow")[0].Clauses); diff != "" {
		t.Errorf("clauses: %s", diff)
	}
}

func TestMetadataErrors(t *testing.T) {
	for _, c := range []struct {
		old, new string
		want     string // without place and code
	}{
		{`message("op {Op} works {Work cycles}"), `, ``, `slow: a violation needs a message("..") that says what is wrong`},
		{`{Work cycles}"`, `{Word}"`, `slow: message(..) names Word, which is no column; there are Op, Work`},
		{`split {Op}`, `split {First..Last}`, `slow: help(..) names First, which is no column; there are Op, Work
slow: help(..) names Last, which is no column; there are Op, Work`},
		{`split {Op}`, `split {Op`, `slow: help(..): {Op is not closed`},
		{`split {Op}`, `split {op}`, `slow: help(..): {op} is not {Variable}, {Variable things}, {things Variable} or {things First..Last}`},
		{`split {Op}`, `split {}`, `slow: help(..): {} is not {Variable}, {Variable things}, {things Variable} or {things First..Last}`},
		{`"op-too-slow"`, `"OpTooSlow"`, `slow: the code "OpTooSlow" is not in kebab-case, such as edge-skips-stage`},
		{`"op-too-slow"`, `"op--slow"`, `slow: the code "op--slow" is not in kebab-case, such as edge-skips-stage`},
		{`"warning"`, `"fatal"`, `slow: the severity of a violation is "error" or "warning", not "fatal"`},
		{`violation("op-too-slow", "warning")`, `violation("op-too-slow")`, `slow: violation(..) takes two strings`},
		{`doc("No op works longer than 100 cycles.")`, `doc("a", "b")`, `slow: doc(..) takes one string`},
		{`help("split {Op}")`, `help("a"), help("b")`, `slow: help(..) may stand in a Decl once`},
		{`at("op",`, `at("instnace",`, `slow: at(..) names instnace, but there is no such relation of facts; did you mean instance?`},
		{`at("op",`, `at("slot",`, `slow: at(..) names slot, but there is no such relation of facts; "plancheck rules" lists them`},
		{`at("op",`, `at("slow",`, `slow: at(..) names slow, which rules derive; only facts have places in the plan, such as op or instance`},
		{`at("op",`, `at("parent_instance_stage",`, `slow: at(..) names parent_instance_stage, which is of the parent plan; findings are shown in the plan that is judged`},
		{`at("op", Op, _, Work)`, `at(Op)`, `slow: at(..) begins with the name of a relation of facts in quotes, such as at("op", Op)`},
		{`at("op", Op, _, Work)`, `at("op", Work)`, `slow: at(..): column Op of op is a string, but Work is a number`},
		{`at("op", Op, _, Work)`, `at("op", Op, Op, 0)`, `slow: at(..): column Lanes of op is a number, but Op is a string`},
		{`at("op", Op, _, Work)`, `at("op", 0, /a)`, `slow: at(..): column Op of op is a string, but 0 is a number
slow: at(..): column Lanes of op is a number, but /a is a name`},
		{`at("op", Op, _, Work)`, `at("op", Op, 1, Work, 2)`, `slow: at(..) gives 4 values for the 3 columns of op`},
		{`at("op", Op, _, Work)`, `at("op", Op, Lanes)`, `slow: at(..) names Lanes, which is no column; there are Op, Work`},
		{`at("op", Op, _, Work)`, `at("op", [1])`, `slow: at(..) takes columns, _, integers, strings and names only`},
		{`cause(Op)`, `cause(Cause)`, `slow: cause(..) takes columns of the relation, not Cause; there are Op, Work`},
		{`cause(Op)`, `steps("wait_cycles")`, `slow: steps(..) names wait_cycles, which is no relation`},
		{`cause(Op)`, `steps(Op)`, `slow: steps(..) takes one string`},
		{`cause(Op)`, `hole(Op)`, `slow: hole() takes nothing`},
		{`slow(Op, Work) :- op(Op, _, Work), 100 < Work.`, `other(Op) :- op(Op, _, _).`, `slow: no rule derives this violation`},
		{`cause(Op)`, `objective("slow", "cycles")`, `slow: a relation is a violation or an objective, not both`},
		{`violation("op-too-slow", "warning")`, `objective("slow", "cycles")`, `slow: an objective has one column, its value, not 2`},
		{`cause(Op)`, `couse(Op)`, `slow: couse(..) is not known; did you mean cause(..)?`},
		{`message("op`, `mesage("op`, `slow: mesage(..) is not known; did you mean message(..)?`},
		{`violation("op`, `violaton("op`, `slow: violaton(..) is not known; did you mean violation(..)?`},
		{`violation("op-too-slow", "warning"),`, ``, `slow: message(..) means nothing without violation(..): add violation("code", "error"), or take it out
slow: help(..) means nothing without violation(..): add violation("code", "error"), or take it out
slow: at(..) means nothing without violation(..): add violation("code", "error"), or take it out
slow: cause(..) means nothing without violation(..): add violation("code", "error"), or take it out`},
		// A warning.
		{`cause(Op)`, `owner("runtime")`, `slow: owner(..) is not known and means nothing; known are at(..), cause(..), doc(..), help(..), hole(..), message(..), objective(..), says(..), steps(..), violation(..)`},
	} {
		text := strings.Replace(legal, c.old, c.new, 1)
		if text == legal {
			t.Fatalf("%q is not there", c.old)
		}
		s, diags := Load([]string{write(t, "mine.dl", text)})
		var got []string
		for _, d := range diags {
			if d.Code != "rule-metadata" || d.Pos.Line != 1 || d.Pos.Column != 1 || d.Snippet == "" {
				t.Errorf("%s: %v", c.new, shown([]diag.Diagnostic{d}))
			}
			got = append(got, d.Message)
		}
		if diff := cmp.Diff(strings.Split(c.want, "\n"), got, cmpopts.SortSlices(strings.Compare)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.new, diff)
		}
		if (s == nil) != failed(diags) {
			t.Errorf("%s: a set is returned: %v, errors: %v", c.new, s != nil, failed(diags))
		}
	}
}

func TestLoad(t *testing.T) {
	dir := t.TempDir()
	pipeline, err := Embedded.ReadFile("pipeline.dl")
	if err != nil {
		t.Fatal(err)
	}
	copied, mine := filepath.Join(dir, "copy.dl"), filepath.Join(dir, "mine.dl")
	for path, text := range map[string]string{copied: string(pipeline), mine: legal} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		args    []string
		files   []string // with a star for those that are built in
		leftOut []string
	}{
		{nil, []string{"builtin:concrete*", "builtin:concrete_from_binding*", "builtin:concrete_from_portable*", "builtin:concrete_from_target*", "builtin:deployment*", "builtin:objective*", "builtin:pipeline*", "builtin:provenance*", "builtin:queue*", "builtin:spatial*", "builtin:spatial_from_portable*", "builtin:stages*"}, nil},
		{[]string{"builtin"}, []string{"builtin:concrete*", "builtin:concrete_from_binding*", "builtin:concrete_from_portable*", "builtin:concrete_from_target*", "builtin:deployment*", "builtin:objective*", "builtin:pipeline*", "builtin:provenance*", "builtin:queue*", "builtin:spatial*", "builtin:spatial_from_portable*", "builtin:stages*"}, nil},
		{[]string{"builtin:pipeline"}, []string{"builtin:pipeline*"}, []string{"builtin:concrete", "builtin:concrete_from_binding", "builtin:concrete_from_portable", "builtin:concrete_from_target", "builtin:deployment", "builtin:provenance", "builtin:queue", "builtin:spatial", "builtin:spatial_from_portable", "builtin:stages"}},
		{[]string{"builtin:objective"}, []string{"builtin:objective*"}, []string{"builtin:concrete", "builtin:concrete_from_binding", "builtin:concrete_from_portable", "builtin:concrete_from_target", "builtin:deployment", "builtin:pipeline", "builtin:provenance", "builtin:queue", "builtin:spatial", "builtin:spatial_from_portable", "builtin:stages"}},
		{[]string{"builtin:pipeline", "builtin", mine}, []string{"builtin:pipeline*", "builtin:concrete*", "builtin:concrete_from_binding*", "builtin:concrete_from_portable*", "builtin:concrete_from_target*", "builtin:deployment*", "builtin:objective*", "builtin:provenance*", "builtin:queue*", "builtin:spatial*", "builtin:spatial_from_portable*", "builtin:stages*", "mine.dl"}, nil},
		{Everything(), []string{"builtin:concrete*", "builtin:concrete_from_binding*", "builtin:concrete_from_portable*", "builtin:concrete_from_target*", "builtin:deployment*", "builtin:objective*", "builtin:pipeline*", "builtin:provenance*", "builtin:queue*", "builtin:spatial*", "builtin:spatial_from_portable*", "builtin:stages*", "builtin:binding*", "builtin:digest*", "builtin:document*", "builtin:evidence*", "builtin:machine*", "builtin:machine_from_plan*", "builtin:machine_from_portable*", "builtin:machine_from_task*", "builtin:model*", "builtin:observation*", "builtin:portable*", "builtin:portable_from_task*", "builtin:repack*", "builtin:task*", "builtin:task_from_model*", "builtin:task_work*", "builtin:timeline*", "builtin:timeline_from_binding*", "builtin:timeline_from_evidence*", "builtin:timeline_memory*", "builtin:timeline_spatial*", "builtin:transfer*"}, nil},
		{[]string{"builtin:repack"}, []string{"builtin:repack*"}, []string{"builtin:concrete", "builtin:concrete_from_binding", "builtin:concrete_from_portable", "builtin:concrete_from_target", "builtin:deployment", "builtin:pipeline", "builtin:provenance", "builtin:queue", "builtin:spatial", "builtin:spatial_from_portable", "builtin:stages"}},
		{[]string{copied, "builtin:pipeline"}, []string{"copy.dl*"}, []string{"builtin:concrete", "builtin:concrete_from_binding", "builtin:concrete_from_portable", "builtin:concrete_from_target", "builtin:deployment", "builtin:provenance", "builtin:queue", "builtin:spatial", "builtin:spatial_from_portable", "builtin:stages"}},
		{[]string{mine, filepath.Join(dir, ".", "mine.dl")}, []string{"mine.dl"}, []string{"builtin:concrete", "builtin:concrete_from_binding", "builtin:concrete_from_portable", "builtin:concrete_from_target", "builtin:deployment", "builtin:pipeline", "builtin:provenance", "builtin:queue", "builtin:spatial", "builtin:spatial_from_portable", "builtin:stages"}},
	} {
		s, diags := Load(c.args)
		if diags != nil {
			t.Fatal(shown(diags))
		}
		var files []string
		for _, f := range s.Files() {
			name := filepath.Base(f.Name)
			if f.Builtin {
				name += "*"
			}
			files = append(files, name)
			if len(f.Digest) != len("sha256:")+64 || f.Rules == 0 {
				t.Errorf("%+v", f)
			}
		}
		if diff := cmp.Diff(c.files, files); diff != "" {
			t.Errorf("%v: files (-want +got):\n%s", c.args, diff)
		}
		if diff := cmp.Diff(c.leftOut, s.LeftOut(), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%v: left out (-want +got):\n%s", c.args, diff)
		}
	}
}

// Rule files that compare a plan with its parent are known, so that nobody asks
// them without one.
func TestComparing(t *testing.T) {
	mine := write(t, "mine.dl", `Decl moved(Op) descr [violation("moved", "error"), message("{Op} moved")] bound [/string].
moved(Op) :- parent_instance_stage(Op, Lane, S), instance_stage(Op, Lane, T), S != T.`)
	for _, c := range []struct{ args, want []string }{
		{nil, nil},
		{Everything(), []string{"builtin:repack", "builtin:transfer"}},
		{[]string{mine, "builtin:transfer"}, []string{mine, "builtin:transfer"}},
	} {
		s, diags := Load(c.args)
		if s == nil {
			t.Fatal(shown(diags))
		}
		if diff := cmp.Diff(c.want, s.Comparing()); diff != "" {
			t.Errorf("%v (-want +got):\n%s", c.args, diff)
		}
	}
}

// A rule file that can report nothing is a warning.
func TestIdleFiles(t *testing.T) {
	helper := write(t, "helper.dl", "wide(Op) :- op(Op, Lanes, _), 4 < Lanes.\n")
	const said = "rule-file-idle"
	for _, c := range []struct {
		name string
		args []string
		want []string // idle files
	}{
		{"a helper alone", []string{helper}, []string{"helper.dl"}},
		{"a helper beside the built-in rules", []string{"builtin", helper}, []string{"helper.dl"}},
		{"an empty file", []string{write(t, "empty.dl", "# soon\n")}, []string{"empty.dl"}},
		{"a helper that another file reads", []string{helper, write(t, "use.dl",
			`Decl wide_op(Op) descr [violation("wide", "error"), message("{Op}")] bound [/string].
wide_op(Op) :- wide(Op).`)}, nil},
		{"a helper that an idle file reads", []string{helper, write(t, "idle.dl", "wide_too(Op) :- wide(Op).")}, []string{"idle.dl"}},
		{"a rule of another file's violation", []string{write(t, "decl.dl", legal), write(t, "more.dl", "slow(Op, 0) :- op(Op, _, 0).")}, nil},
		{"an objective", []string{write(t, "cost.dl",
			`Decl width(N) descr [doc("d"), objective("width", "lanes")] bound [/number].
width(N) :- op_lane(_, _) |> do fn:group_by(), let N = fn:count().`)}, nil},
	} {
		s, diags := Load(c.args)
		if s == nil {
			t.Fatalf("%s: %v", c.name, shown(diags))
		}
		var got []string
		for _, d := range diags {
			if d.Code != said || d.Severity != diag.Warning {
				t.Errorf("%s: %v", c.name, shown([]diag.Diagnostic{d}))
			}
			got = append(got, filepath.Base(d.Pos.File))
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// The page of the rule language has every word of a Decl, and no other.
func TestPageNamesEveryWord(t *testing.T) {
	page, err := os.ReadFile("../docs/rule-language.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "| word | meaning |")
	table, _, _ = strings.Cut(table, "\n\n")
	var got []string
	for _, m := range regexp.MustCompile("(?m)^\\| `([a-z]+)\\(").FindAllStringSubmatch(table, -1) {
		got = append(got, m[1])
	}
	if diff := cmp.Diff(words(), got, cmpopts.SortSlices(strings.Compare)); diff != "" {
		t.Errorf("words (-code +page):\n%s", diff)
	}
}

// A rule that adds to a built-in relation, perhaps by chance, is a warning.
func TestAdditions(t *testing.T) {
	mine := write(t, "mine.dl", "op_stage(Op, 0) :- op(Op, _, _).")
	s, diags := Load([]string{"builtin", mine})
	if s == nil {
		t.Fatal(shown(diags))
	}
	pos := regexp.MustCompile(`:\d+;`)
	got := shown(diags)
	for i := range got {
		got[i] = pos.ReplaceAllString(got[i], ":N;")
	}
	want := []string{"mine.dl:0:0: warning[rule-adds-to-builtin]: the rules for op_stage add rows to the relation that is declared at builtin:pipeline:N; if that is not meant, take another name"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestLoadErrors(t *testing.T) {
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"builtin:nothing", "no/such/file.dl", "builtin"}, []string{
			"builtin:nothing:0:0: error[rule-file]: there are no built-in rules of this name; there are builtin:binding, builtin:concrete, builtin:concrete_from_binding, builtin:concrete_from_portable, builtin:concrete_from_target, builtin:deployment, builtin:digest, builtin:document, builtin:evidence, builtin:machine, builtin:machine_from_plan, builtin:machine_from_portable, builtin:machine_from_task, builtin:model, builtin:objective, builtin:observation, builtin:pipeline, builtin:portable, builtin:portable_from_task, builtin:provenance, builtin:queue, builtin:repack, builtin:spatial, builtin:spatial_from_portable, builtin:stages, builtin:task, builtin:task_from_model, builtin:task_work, builtin:timeline, builtin:timeline_from_binding, builtin:timeline_from_evidence, builtin:timeline_memory, builtin:timeline_spatial, builtin:transfer",
			"file.dl:0:0: error[rule-file]: cannot read the rule file: no such file or directory"}},
		{[]string{write(t, "a.dl", "p(X) :- op(X, _, _)\n"), write(t, "b.dl", "q(X) :- .\n")}, nil},
		{[]string{write(t, "a.dl", "p(X) :- ops(X, _, _).")}, []string{
			"a.dl:1:9: error[rule-unknown-relation]: there is no relation ops; did you mean op?"}},
		{[]string{write(t, "a.dl", "p(X) :- op_stage(X, _).")}, []string{
			"a.dl:1:9: error[rule-unknown-relation]: there is no relation op_stage; builtin:pipeline derives it: add --rules builtin"}},
		{[]string{write(t, "a.dl", "op(X, 1, 2) :- edge(X, _).")}, []string{
			"a.dl:1:1: error[rule-head]: op is given by the document; a rule cannot add to it"}},
		{[]string{"builtin:pipeline", write(t, "a.dl", "Decl op_stage(X) bound [/string].")}, []string{
			"a.dl:1:1: error[rule-redeclared]: op_stage is declared before, at builtin:pipeline:161"}},
	} {
		s, diags := Load(c.args)
		if s != nil || !failed(diags) {
			t.Errorf("%v: loaded, with %v", c.args, shown(diags))
		}
		got := shown(diags)
		if c.want == nil { // an error in each file, in the parser's words
			files := map[string]bool{}
			for _, d := range diags {
				files[filepath.Base(d.Pos.File)] = true
			}
			if len(files) != 2 {
				t.Errorf("%v: %v", c.args, got)
			}
			continue
		}
		for i := range got {
			if strings.Contains(got[i], "declared before") {
				got[i] = got[i][:strings.LastIndex(got[i], ":")] + ":161"
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%v (-want +got):\n%s", c.args, diff)
		}
	}
}

// A comment is not a Decl.
func TestWhatAUnitDescribes(t *testing.T) {
	for text, want := range map[string]bool{
		legal: true,
		"# violation(\"op-too-slow\", \"error\")\n" + `Decl slow(Op) descr [doc("not a violation(..)")] bound [/string]. slow(Op) :- op(Op, _, _).`: false,
	} {
		u, diags := datalog.Parse(diag.NewSource("mine.dl", []byte(text)))
		if u == nil || u.Describes("violation") != want {
			t.Errorf("%s\ndescribes a violation: %v, %v", text, u != nil && !want, diags)
		}
	}
}
