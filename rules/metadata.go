package rules

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/google/mangle/ast"

	"plancheck/internal/datalog"
	"plancheck/internal/diag"
)

// readMetadata finds the invariants and the costs among the relations of the
// program, by the atoms in their Decls:
//
//	doc("...")                        what must be true, or what a helper holds
//	violation("code", "error")        every row is a finding; or "warning"
//	message("... {Var} ...")          what a finding says, values filled in (template.go)
//	help("... {Var} ...")             what to do about it
//	at("relation", Var, _, 0, ...)    the fact whose place is shown: the first whose
//	                                  leading columns agree
//	cause(Var, ...)                   findings that agree on these are one story
//	steps("relation")                 rows of this relation in the proof tell the finding step by step
//	says("... {Var} ...")             a row in words, for proofs; a violation says its message
//	hole()                            only something undecided is reported
//	objective("name", "unit")         the only row holds a cost
func (s *Set) readMetadata() []diag.Diagnostic {
	var diags []diag.Diagnostic
	all := s.program.Relations()
	derived := map[string]bool{}
	for _, r := range all {
		derived[r.Name] = r.Derived
	}
	for _, r := range all {
		m := metadata{relation: r, derived: derived}
		m.read()
		diags = append(diags, m.diags...)
		if failed(m.diags) {
			continue
		}
		if m.sentence != "" {
			s.sentences[r.Name] = Sentence{r.Cols, m.sentence}
		}
		if m.count["violation"] > 0 {
			s.invariants = append(s.invariants, m.invariant)
		}
		if m.count["objective"] > 0 {
			s.objectives = append(s.objectives, m.objective)
		}
	}
	return diags
}

// metadata reads the Decl of one relation.
type metadata struct {
	relation  datalog.Relation
	derived   map[string]bool // the relations that rules derive
	count     map[string]int  // atoms by name
	invariant Invariant
	objective Objective
	sentence  string // says(..), or the message of a violation
	diags     []diag.Diagnostic
}

func (m *metadata) report(sev diag.Severity, format string, args ...any) {
	r := m.relation
	m.diags = append(m.diags, diag.Diagnostic{
		Code: "rule-metadata", Severity: sev, Pos: r.Pos, Snippet: r.Unit.Source.Line(r.Pos.Line),
		Message: r.Name + ": " + fmt.Sprintf(format, args...),
	})
}

func (m *metadata) fail(format string, args ...any) { m.report(diag.Error, format, args...) }

// readers read the atoms that may stand in a Decl, by their names.
func readers() map[string]func(*metadata, []ast.BaseTerm) {
	return map[string]func(*metadata, []ast.BaseTerm){
		"doc": func(m *metadata, args []ast.BaseTerm) {
			m.invariant.Doc = m.text("doc", args)
			m.objective.Doc = m.invariant.Doc
		},
		"violation": (*metadata).violation,
		"message": func(m *metadata, args []ast.BaseTerm) {
			m.invariant.Message, m.invariant.message = m.template("message", args)
		},
		"says": func(m *metadata, args []ast.BaseTerm) { m.sentence, _ = m.template("says", args) },
		"help": func(m *metadata, args []ast.BaseTerm) {
			m.invariant.Help, m.invariant.help = m.template("help", args)
		},
		"at":        (*metadata).at,
		"cause":     (*metadata).cause,
		"steps":     (*metadata).steps,
		"hole":      (*metadata).hole,
		"objective": (*metadata).cost,
	}
}

func (m *metadata) read() {
	r := m.relation
	m.count = map[string]int{}
	m.invariant = Invariant{Relation: r.Name, Cols: r.Cols, Pos: r.Pos, Clauses: r.Clauses}
	m.objective = Objective{Relation: r.Name}
	for _, a := range r.Descr {
		name := a.Predicate.Symbol
		m.count[name]++
		if reader := readers()[name]; reader != nil {
			reader(m, a.Args)
		} else {
			m.unknownWord(name)
		}
	}
	for _, name := range []string{"violation", "message", "help", "at", "cause", "steps", "hole", "objective", "doc", "says"} {
		if m.count[name] > 1 {
			m.fail("%s(..) may stand in a Decl once", name)
		}
	}
	switch {
	case m.count["violation"] > 0 && m.count["objective"] > 0:
		m.fail("a relation is a violation or an objective, not both")
	case m.count["violation"] > 0:
		m.checkInvariant()
	case m.count["objective"] > 0:
		m.checkObjective()
	case m.count["misspelt"] == 0: // else a word that makes it one may be the misspelt one
		for _, name := range []string{"message", "help", "at", "cause", "steps", "hole"} {
			if m.count[name] > 0 {
				m.fail("%s(..) means nothing without violation(..): add violation(\"code\", \"error\"), or take it out", name)
			}
		}
	}
}

// unknownWord reports a word that no reader reads.
func (m *metadata) unknownWord(name string) {
	if near := diag.Nearest(name, slices.Values(words())); near != "" {
		m.count["misspelt"]++
		m.fail("%s(..) is not known; did you mean %s(..)?", name, near)
		return
	}
	m.report(diag.Warning, "%s(..) is not known and means nothing; known are %s(..)", name, strings.Join(words(), "(..), "))
}

// words are what readers read, sorted.
func words() []string { return slices.Sorted(maps.Keys(readers())) }

func (m *metadata) checkInvariant() {
	if m.count["message"] == 0 && m.count["misspelt"] == 0 {
		m.fail("a violation needs a message(\"..\") that says what is wrong")
	}
	if m.sentence == "" {
		m.sentence = m.invariant.Message
	}
	if !m.relation.Derived {
		m.fail("no rule derives this violation")
	}
}

func (m *metadata) checkObjective() {
	if len(m.relation.Cols) != 1 {
		m.fail("an objective has one column, its value, not %d", len(m.relation.Cols))
	}
	if !m.relation.Derived {
		m.fail("no rule derives this objective")
	}
}

// texts returns the arguments of an atom that has n strings.
func (m *metadata) texts(atom string, n int, args []ast.BaseTerm) ([]string, bool) {
	var texts []string
	for _, a := range args {
		if c, ok := a.(ast.Constant); ok && c.Type == ast.StringType {
			texts = append(texts, c.Symbol)
		}
	}
	if len(texts) != n || len(args) != n {
		m.fail("%s(..) takes %s", atom, map[int]string{1: "one string", 2: "two strings"}[n])
		return nil, false
	}
	return texts, true
}

func (m *metadata) text(atom string, args []ast.BaseTerm) string {
	if t, ok := m.texts(atom, 1, args); ok {
		return t[0]
	}
	return ""
}

// kebab is how codes look.
var kebab = regexp.MustCompile(`^[a-z][a-z0-9]*(-[a-z0-9]+)*$`)

func (m *metadata) violation(args []ast.BaseTerm) {
	t, ok := m.texts("violation", 2, args)
	if !ok {
		return
	}
	if !kebab.MatchString(t[0]) {
		m.fail("the code %q is not in kebab-case, such as edge-skips-stage", t[0])
	}
	m.invariant.Code = t[0]
	switch t[1] {
	case "error":
		m.invariant.Severity = diag.Error
	case "warning":
		m.invariant.Severity = diag.Warning
	default:
		m.fail("the severity of a violation is \"error\" or \"warning\", not %q", t[1])
	}
}

// template parses a message and checks its variables.
func (m *metadata) template(atom string, args []ast.BaseTerm) (text string, segments []segment) {
	text = m.text(atom, args)
	segments, err := parseTemplate(text)
	if err != nil {
		m.fail("%s(..): %v", atom, err)
	}
	for _, s := range segments {
		for _, name := range s.vars {
			if !slices.Contains(m.relation.Cols, name) {
				m.fail("%s(..) names %s, which is no column; there are %s", atom, name, m.columns())
			}
		}
	}
	return text, segments
}

func (m *metadata) columns() string {
	if len(m.relation.Cols) == 0 {
		return "none"
	}
	return strings.Join(m.relation.Cols, ", ")
}

func (m *metadata) cause(args []ast.BaseTerm) {
	m.invariant.Cause = []string{}
	for _, a := range args {
		v, ok := a.(ast.Variable)
		if !ok || !slices.Contains(m.relation.Cols, v.Symbol) {
			m.fail("cause(..) takes columns of the relation, not %v; there are %s", a, m.columns())
			continue
		}
		m.invariant.Cause = append(m.invariant.Cause, v.Symbol)
	}
}

func (m *metadata) hole(args []ast.BaseTerm) {
	m.invariant.Hole = true
	if len(args) > 0 {
		m.fail("hole() takes nothing")
	}
}

func (m *metadata) cost(args []ast.BaseTerm) {
	if t, ok := m.texts("objective", 2, args); ok {
		m.objective.Name, m.objective.Unit = t[0], t[1]
	}
}
