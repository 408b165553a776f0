package rules

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"

	"plancheck/facts"
	"plancheck/internal/datalog"
	"plancheck/internal/diag"
	"plancheck/ir"
)

// Builtin is the argument of Load that stands for the embedded rule files that
// need no parent; with a colon and a name behind it, for one of all embedded
// files.
const Builtin = "builtin"

// Set is a loaded and compiled set of rule files. It may be used from several
// goroutines at once.
type Set struct {
	schema     string // of the documents that builtin was said for
	files      []File
	invariants []Invariant
	objectives []Objective
	sentences  Sentences
	program    *datalog.Program
}

// Load reads rule files and compiles them together. Each argument is a path,
// builtin, or builtin:NAME; without arguments it is builtin. A file that comes
// twice, also under two names, is loaded once. The set is nil if a diagnostic
// is an error.
func Load(args []string) (*Set, []diag.Diagnostic) { return LoadFor(ir.PlanSchema, args) }

// LoadFor is Load for documents of a schema: builtin stands for the files that
// judge these.
func LoadFor(schema string, args []string) (*Set, []diag.Diagnostic) {
	if len(args) == 0 {
		args = []string{Builtin}
	}
	texts, diags := read(schema, args)
	if len(diags) > 0 {
		return nil, diags
	}
	s := &Set{schema: schema, sentences: Sentences{}}
	units, diags := s.parse(texts)
	if failed(diags) {
		return nil, diags
	}
	given := map[string]bool{}
	for _, r := range facts.Relations() {
		given[r.Name] = true
	}
	program, more := datalog.CompileKnowing(units, given, elsewhere)
	diags = append(diags, slices.DeleteFunc(more, s.filledElsewhere)...)
	if program == nil {
		return nil, diags
	}
	s.program = program
	diags = append(diags, s.readMetadata()...)
	if !failed(diags) {
		diags = append(diags, s.idleFiles(units[1:])...)
		diags = append(diags, s.additions(units[1:])...)
	}
	diag.Sort(diags)
	if failed(diags) {
		return nil, diags
	}
	return s, diags
}

// filledElsewhere says that a warning is about a relation of a built-in file which
// another one may fill, where not all of them are loaded.
func (s *Set) filledElsewhere(d diag.Diagnostic) bool {
	return d.Code == "rule-never-filled" && strings.HasPrefix(d.Pos.File, Builtin+":") &&
		slices.ContainsFunc(standard(s.schema), func(name string) bool {
			return !slices.ContainsFunc(s.files, func(f File) bool { return f.Name == Builtin+":"+name })
		})
}

func failed(ds []diag.Diagnostic) bool {
	return slices.ContainsFunc(ds, func(d diag.Diagnostic) bool { return d.Severity == diag.Error })
}

// text is the text of a rule file.
type text struct {
	source  *diag.Source
	digest  string
	builtin bool // it is that of a built-in file
}

// read fetches the texts of rule files, each once.
func read(schema string, args []string) (texts []text, diags []diag.Diagnostic) {
	loaded := map[string]bool{} // by digest
	embedded := map[string]bool{}
	for _, name := range Names() {
		if data, err := Embedded.ReadFile(name + ".dl"); err == nil {
			embedded[digest(data)] = true
		}
	}
	add := func(name string, data []byte, err error) {
		if err != nil {
			diags = append(diags, diag.Diagnostic{
				Code: "rule-file", Severity: diag.Error, Pos: diag.Position{File: name}, Message: cannotRead(err),
			})
			return
		}
		if d := digest(data); !loaded[d] {
			loaded[d] = true
			texts = append(texts, text{diag.NewSource(name, data), d, embedded[d]})
		}
	}
	addBuiltin := func(name string) {
		data, err := Embedded.ReadFile(name + ".dl")
		if err != nil {
			err = fmt.Errorf("there are no built-in rules of this name; there are %s", strings.Join(builtinNames(), ", "))
		}
		add(Builtin+":"+name, data, err)
	}
	for _, arg := range args {
		name, one := strings.CutPrefix(arg, Builtin+":")
		switch {
		case arg == Builtin:
			for _, name := range standard(schema) {
				addBuiltin(name)
			}
		case one:
			addBuiltin(name)
		default:
			data, err := readFile(arg)
			add(arg, data, err)
		}
	}
	return texts, diags
}

// largestFile bounds rule files, in bytes; what a path names need not end.
const largestFile = 16 << 20

func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, largestFile+1))
	if err == nil && len(data) > largestFile {
		err = fmt.Errorf("the rule file is larger than %d MiB", largestFile>>20)
	}
	return data, err
}

func cannotRead(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return "cannot read the rule file: " + path.Err.Error()
	}
	return err.Error()
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

func builtinNames() []string {
	names := Names()
	for i, name := range names {
		names[i] = Builtin + ":" + name
	}
	return names
}

// parse reads all rule files, beside the Decls of the facts.
func (s *Set) parse(texts []text) ([]*datalog.Unit, []diag.Diagnostic) {
	type result struct {
		unit  *datalog.Unit
		diags []diag.Diagnostic
	}
	parsed := make([]result, len(texts))
	var wg sync.WaitGroup
	for i, t := range texts {
		wg.Go(func() { parsed[i].unit, parsed[i].diags = datalog.Parse(t.source) })
	}
	units := []*datalog.Unit{facts.Unit()}
	wg.Wait()
	var diags []diag.Diagnostic
	for i, t := range texts {
		diags = append(diags, parsed[i].diags...)
		if u := parsed[i].unit; u != nil {
			units = append(units, u)
			s.files = append(s.files, File{Name: t.source.Name, Digest: t.digest, Builtin: t.builtin, Rules: u.Rules()})
		}
	}
	return units, diags
}

// elsewhere says which built-in rule file derives a relation. It is asked for
// relations that the loaded files do not have.
func elsewhere(relation string) string {
	if name := Deriver(relation); name != "" {
		return fmt.Sprintf("%s derives it: add --rules %s", name, Loader(name))
	}
	return ""
}

// Deriver names the built-in rule file that declares a relation; "" if none
// does.
func Deriver(relation string) string {
	for _, name := range Names() {
		data, err := Embedded.ReadFile(name + ".dl")
		if err == nil && strings.Contains("\n"+string(data), "\nDecl "+relation+"(") {
			return Builtin + ":" + name
		}
	}
	return ""
}

// Loader is the argument of Load that is said to people who want a built-in
// rule file: builtin, where the file is one of those.
func Loader(name string) string {
	if isStandard(strings.TrimPrefix(name, Builtin+":")) {
		return Builtin
	}
	return name
}

// Comparing names the loaded rule files that compare a plan with its parent.
func (s *Set) Comparing() []string {
	ofParent := ofParent()
	var names []string
	for _, r := range s.program.Relations() {
		if !ofParent[r.Name] {
			continue
		}
		for _, u := range r.ReadBy {
			if !slices.Contains(names, u.Source.Name) {
				names = append(names, u.Source.Name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// ComparesWith says whether the rules read documents of another schema beside
// those that they judge.
func (s *Set) ComparesWith(schema string) bool {
	if schema == s.schema {
		return false
	}
	of := map[string]string{}
	for _, r := range facts.Relations() {
		of[r.Name] = r.OfLevel()
	}
	if schema == ir.PlanSchema {
		schema = "" // relations of plans name no level
	}
	return slices.ContainsFunc(s.Reads(), func(name string) bool { return !ofParent()[name] && of[name] == schema && name != "given" })
}

// Files lists the rule files in the order in which they were loaded.
func (s *Set) Files() []File { return slices.Clone(s.files) }

// LeftOut names the built-in rule files with invariants that builtin stands for
// and that were not loaded.
func (s *Set) LeftOut() []string {
	var names []string
	for _, name := range standard(s.schema) {
		data, err := Embedded.ReadFile(name + ".dl")
		if err != nil || slices.ContainsFunc(s.files, func(f File) bool { return f.Builtin && f.Digest == digest(data) }) {
			continue
		}
		if bytes.Contains(data, []byte(" violation(\"")) { // reading the file would take far longer
			names = append(names, Builtin+":"+name)
		}
	}
	return names
}

// Invariants lists the invariants in the order of the rule files.
func (s *Set) Invariants() []Invariant { return slices.Clone(s.invariants) }

// Objectives lists the costs in the order of the rule files, which is the order
// in which plans are compared by them.
func (s *Set) Objectives() []Objective { return slices.Clone(s.objectives) }

// Program is the compiled program.
func (s *Set) Program() *datalog.Program { return s.program }

// Reads names the relations of facts that the invariants and the costs read.
func (s *Set) Reads() []string {
	goals := s.goals()
	for _, o := range s.objectives {
		goals = append(goals, o.Relation)
	}
	given, _ := s.program.Reads(goals)
	return given
}

// goals are the relations of all invariants.
func (s *Set) goals() []string {
	goals := make([]string, len(s.invariants))
	for i, inv := range s.invariants {
		goals[i] = inv.Relation
	}
	return goals
}
