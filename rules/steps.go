package rules

import (
	"slices"

	"github.com/google/mangle/ast"

	"plancheck/facts"
	"plancheck/internal/diag"
)

// steps reads steps("relation").
func (m *metadata) steps(args []ast.BaseTerm) {
	name := m.text("steps", args)
	if name == "" {
		return
	}
	isFact := slices.ContainsFunc(facts.Relations(), func(r facts.Relation) bool { return r.Name == name })
	if !isFact && !m.derived[name] {
		m.fail("steps(..) names %s, which is no relation", name)
		return
	}
	m.invariant.Steps = name
}

// tell fills in the steps of all findings, from their proofs, which have their
// places by now.
func (j *judgement) tell(words Sentences) {
	certificate := map[string]bool{}
	for _, r := range facts.Relations() {
		certificate[r.Name] = r.Certificate()
	}
	for i := range j.findings {
		f := &j.findings[i]
		if f.inv.Steps == "" {
			continue
		}
		t := telling{relation: f.inv.Steps, certificate: certificate, say: func(p *diag.Proof) string {
			if text := words.Of(p, j.document.Symbols); text != "" {
				return text
			}
			return j.document.Symbols.FormatAtom(p.Pred, p.Args)
		}}
		t.gather(f.Proof)
		f.Steps, f.StepsLeftOut = t.steps, t.left
	}
}

// telling gathers the steps in one proof.
type telling struct {
	relation    string
	certificate map[string]bool
	say         func(*diag.Proof) string
	steps       []diag.Step
	left        int
}

// gather finds the rows of the relation in the order of the proof.
func (t *telling) gather(p *diag.Proof) {
	if p.Pred == t.relation {
		switch p.Kind {
		case diag.Fact, diag.ByRule, diag.ByAggregate:
			t.steps = append(t.steps, diag.Step{Text: t.say(p), At: t.places(p)})
		case diag.LeftOut:
			t.left++
		}
		return
	}
	before := len(t.steps) + t.left
	for _, q := range slices.Concat(p.Premises, p.Rows) {
		t.gather(q)
	}
	if len(t.steps)+t.left > before {
		t.left += p.Omitted // rows of a group that has steps
	}
}

// places are those of the facts of the document that a step's rule reads itself.
func (t *telling) places(p *diag.Proof) []diag.Position {
	var all []diag.Position
	for _, q := range append([]*diag.Proof{p}, p.Premises...) {
		if q.Kind == diag.Fact && q.Row >= 0 && !t.certificate[q.Pred] && q.Pos != (diag.Position{}) && !slices.Contains(all, q.Pos) {
			all = append(all, q.Pos)
		}
	}
	return all
}
