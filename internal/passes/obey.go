package passes

import (
	"context"
	"slices"
	"sync"

	"plancheck/encode"
	"plancheck/facts"
	"plancheck/internal/datalog"
	"plancheck/internal/diag"
	"plancheck/internal/search/schedule"
	"plancheck/internal/symbol"
	"plancheck/ir"
	"plancheck/rules"
)

// obeyer judges the solutions of a search by rules that the search knows nothing
// of, and says what it has to keep to: clauses over its decisions, each of which
// every solution keeps that the rules accept. It may be asked by several
// goroutines.
type obeyer struct {
	mu     sync.Mutex
	ctx    context.Context
	set    *rules.Set
	m      *encode.Model
	limits datalog.Limits
	off    []schedule.Kind
	judged []rules.Invariant
	goals  []string

	may    *may                       // of the first solution that was refused
	opened map[string]bool            // invariants whose siblings are forbidden
	broken map[string]diag.Diagnostic // a finding of each invariant that refused something
}

// newObeyer returns the judge of a search, nil where the search obeys all rules
// of the set by itself: the built-in ones, unless constraints are left out, or the
// plan has a program that what is decided must agree with.
func newObeyer(ctx context.Context, set *rules.Set, m *encode.Model, off []schedule.Kind, l datalog.Limits) *obeyer {
	ob := &obeyer{
		ctx: ctx, set: set, m: m, limits: l, off: off,
		opened: map[string]bool{}, broken: map[string]diag.Diagnostic{},
	}
	for _, inv := range slices.Concat(userInvariants(set, len(off) > 0), programInvariants(set, m, len(off) > 0)) {
		ob.judged = append(ob.judged, inv)
		ob.goals = append(ob.goals, inv.Relation)
	}
	if ob.judged == nil {
		return nil
	}
	return ob
}

// userInvariants are those that must hold and that are not of built-in files;
// with all, these too.
func userInvariants(set *rules.Set, all bool) []rules.Invariant {
	builtin := map[string]bool{}
	for _, f := range set.Files() {
		builtin[f.Name] = f.Builtin
	}
	return slices.DeleteFunc(set.Invariants(), func(inv rules.Invariant) bool {
		return inv.Severity != diag.Error || builtin[inv.Pos.File] && !all
	})
}

// programInvariants are the built-in ones that hold a program, which is given, and
// what a search decides together; nil where userInvariants has them.
func programInvariants(set *rules.Set, m *encode.Model, all bool) []rules.Invariant {
	if all || m.Given().Program == nil {
		return nil
	}
	user := userInvariants(set, false)
	return slices.DeleteFunc(userInvariants(set, true), func(inv rules.Invariant) bool {
		reads, _ := set.Program().Reads([]string{inv.Relation})
		of := func(v rules.Invariant) bool { return v.Relation == inv.Relation }
		return !slices.Contains(reads, "command") || !slices.Contains(reads, "instance_stage") || slices.ContainsFunc(user, of)
	})
}

// without is the same judge without some invariants, which has learned nothing
// yet; nil when none is left.
func (ob *obeyer) without(relations map[string]bool) *obeyer {
	rest := newObeyer(ob.ctx, ob.set, ob.m, ob.off, ob.limits)
	rest.judged, rest.goals, rest.may = nil, nil, ob.may
	for _, inv := range ob.judged {
		if !relations[inv.Relation] {
			rest.judged = append(rest.judged, inv)
			rest.goals = append(rest.goals, inv.Relation)
		}
	}
	if rest.judged == nil {
		return nil
	}
	return rest
}

// plan is the complete plan of a solution.
func planOf(m *encode.Model, s *schedule.Solution) *ir.Plan {
	return encode.Transfers(m.Place(m.Pack(m.Partition(s), s), s))
}

// judge is the Judge of a search.
func (ob *obeyer) judge(s *schedule.Solution) ([]schedule.Clause, error) {
	ob.mu.Lock()
	defer ob.mu.Unlock()
	plan := planOf(ob.m, s)
	reads, _ := ob.set.Program().Reads(ob.goals)
	exported, err := facts.Export(plan, func(name string) bool { return slices.Contains(reads, name) })
	if err != nil {
		return nil, err
	}
	// Also when time is up: the last plan is judged then.
	db, err := ob.set.Program().Eval(context.WithoutCancel(ob.ctx), plan.Symbols, exported.Tables, ob.goals, ob.limits)
	if err != nil {
		return nil, err
	}
	var clauses []schedule.Clause
	for _, inv := range ob.judged {
		rows := db.Rows(inv.Relation)
		if len(rows) == 0 {
			continue
		}
		if err := ob.note(inv, plan); err != nil {
			return nil, err
		}
		if ob.may == nil {
			ob.may = newMay(ob, plan.Symbols, exported.Tables)
		}
		if !ob.opened[inv.Relation] {
			ob.opened[inv.Relation] = true
			clauses = append(clauses, ob.may.siblings(inv.Relation)...)
			clauses = append(clauses, ob.may.amounts(inv.Relation)...)
		}
		clauses = append(clauses, ob.may.explain(db, inv.Relation, rows, s)...)
	}
	return clauses, nil
}

// note keeps a finding of an invariant, for conflicts to be told by.
func (ob *obeyer) note(inv rules.Invariant, plan *ir.Plan) error {
	if _, known := ob.broken[inv.Relation]; known {
		return nil
	}
	v, err := ob.set.Judge(context.WithoutCancel(ob.ctx), plan, rules.Options{Limits: ob.limits})
	if err != nil {
		return err
	}
	for _, d := range v.Findings {
		if d.Proof != nil && d.Proof.Pred == inv.Relation {
			ob.broken[inv.Relation] = d
			break
		}
	}
	return nil
}

// may says what solutions make of facts.
type may struct {
	ob    *obeyer
	facts *datalog.May // nil where it cannot be known
	sees  map[string]map[schedule.What]bool

	claims []schedule.Claim // by literal, from 1 on
	number map[schedule.Claim]datalog.Lit
}

// mostSiblings bounds the clauses for all rows that one invariant may have.
const mostSiblings = 20_000

// newMay derives what could be. Where that takes too much, explanations are left
// to what can be seen at all.
func newMay(ob *obeyer, syms *symbol.Table, exported []*datalog.Table) *may {
	y := &may{ob: ob, claims: make([]schedule.Claim, 1), number: map[schedule.Claim]datalog.Lit{}, sees: map[string]map[schedule.What]bool{}}
	choices, unknown := ob.m.May(ob.off)
	changing := map[string]bool{}
	for _, name := range unknown {
		changing[name] = true
	}
	var decided []*datalog.Decided
	for _, c := range choices {
		changing[c.Relation] = true
		d, kinds := y.decided(&c)
		decided = append(decided, d)
		y.sees[c.Relation] = kinds
	}
	var fixed []*datalog.Table
	for _, t := range exported {
		if !changing[t.Name] {
			fixed = append(fixed, t)
		}
	}
	for _, name := range unknown {
		y.sees[name] = map[schedule.What]bool{schedule.InStage: true, schedule.OnCore: true, schedule.ForwardOnCore: true}
	}
	limits := datalog.Limits{Facts: 1_000_000, Bytes: 1 << 30}
	facts, err := ob.set.Program().May(ob.ctx, syms, fixed, decided, unknown, ob.goals, y.never, limits)
	if err == nil {
		y.facts = facts
	}
	return y
}

// decided puts a choice into literals.
func (y *may) decided(c *encode.Choice) (*datalog.Decided, map[schedule.What]bool) {
	kinds := map[schedule.What]bool{}
	d := &datalog.Decided{Table: &datalog.Table{Name: c.Relation, N: len(c.Rows), Distinct: true}}
	if len(c.Rows) > 0 {
		d.Table.Cols = make([][]symbol.Value, len(c.Rows[0]))
	} else {
		for _, r := range facts.Relations() {
			if r.Name == c.Relation {
				d.Table.Cols = make([][]symbol.Value, len(r.Cols))
			}
		}
	}
	for i, row := range c.Rows {
		for col, v := range row {
			d.Table.Cols[col] = append(d.Table.Cols[col], v)
		}
		var when []datalog.Term
		for _, claims := range c.When[i] {
			term := datalog.Term{}
			for _, claim := range claims {
				kinds[claim.What] = true
				term = append(term, y.literal(claim))
			}
			when = append(when, term)
		}
		d.When = append(d.When, when)
	}
	return d, kinds
}

func (y *may) literal(c schedule.Claim) datalog.Lit {
	sign := datalog.Lit(1)
	if c.Not {
		c, sign = c.Opposite(), -1
	}
	l, known := y.number[c]
	if !known {
		l = datalog.Lit(len(y.claims))
		y.number[c] = l
		y.claims = append(y.claims, c)
	}
	return sign * l
}

func (y *may) claim(l datalog.Lit) schedule.Claim {
	if l < 0 {
		return y.claims[-l].Opposite()
	}
	return y.claims[l]
}

// never says which claims no solution makes both.
func (y *may) never(a, b datalog.Lit) bool { return y.claims[a].Excludes(y.claims[b]) }

// siblings are clauses against all rows that an invariant may have.
func (y *may) siblings(relation string) []schedule.Clause {
	if y.facts == nil {
		return nil
	}
	list, err := y.facts.Forbid(y.ob.ctx, relation, mostSiblings)
	if err != nil {
		return nil
	}
	var clauses []schedule.Clause
	for _, lits := range list {
		clauses = append(clauses, y.clause(lits))
	}
	return clauses
}

// mostCounted bounds the literals times bound of an amount.
const mostCounted = 20_000

// amounts bound how many claims are true, where an invariant counts and does
// nothing else.
func (y *may) amounts(relation string) []schedule.Clause {
	if y.facts == nil {
		return nil
	}
	list, err := y.facts.Amounts(y.ob.ctx, relation)
	if err != nil {
		return nil
	}
	var clauses []schedule.Clause
	for _, a := range list {
		if len(a.Lits)*max(a.Least, min(a.Most, len(a.Lits)-1)) > mostCounted {
			continue
		}
		head := schedule.Clause{{What: schedule.Count, A: a.Least, B: a.Most}}
		clauses = append(clauses, append(head, y.clause(a.Lits)...))
	}
	return clauses
}

func (y *may) clause(lits []datalog.Lit) schedule.Clause {
	c := schedule.Clause{}
	for _, l := range lits {
		c = append(c, y.claim(l))
	}
	return c
}

// mostExplained bounds how many rows of one invariant are explained at once.
const mostExplained = 100

// explain returns clauses against rows that an invariant has in a solution.
func (y *may) explain(db *datalog.Database, relation string, rows [][]symbol.Value, s *schedule.Solution) []schedule.Clause {
	var clauses []schedule.Clause
	for _, row := range rows[:min(len(rows), mostExplained)] {
		if y.facts == nil {
			break
		}
		lits, whole, err := y.facts.Explain(y.ob.ctx, db, relation, row, func(l datalog.Lit) bool { return y.claim(l).Holds(s) })
		if err != nil || whole {
			break
		}
		for i := range lits {
			lits[i] = -lits[i]
		}
		clauses = append(clauses, y.clause(lits))
	}
	if clauses == nil {
		clauses = append(clauses, y.except(relation, s))
	}
	return clauses
}
