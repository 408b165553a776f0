package rules

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"plancheck/facts"
	"plancheck/internal/datalog"
	"plancheck/internal/diag"
	"plancheck/internal/symbol"
	"plancheck/ir"
	"plancheck/ir/evidence"
	"plancheck/ir/machine"
	modelir "plancheck/ir/model"
	"plancheck/ir/portable"
	"plancheck/ir/task"
	"plancheck/ir/timeline"
)

// Judge evaluates the invariants on a plan. Those that compare it with a parent
// find nothing where the options name none. Errors are *facts.Error for a
// document too large, *datalog.RuleError where a rule cannot be evaluated, or
// that of ctx. The plan's symbol table grows; apart from that it is not changed.
func (s *Set) Judge(ctx context.Context, p *ir.Plan, o Options) (*Verdict, error) {
	return s.JudgeDocument(ctx, facts.OfPlan(p), o)
}

// JudgeDocument is Judge for a document of any level.
func (s *Set) JudgeDocument(ctx context.Context, d *facts.Document, o Options) (*Verdict, error) {
	d = d.Beside(o.Parent)
	goals := s.goals()
	reads, rules := s.program.Reads(goals)
	exported, err := facts.ExportChild(d, o.Parent, among(reads))
	if err != nil {
		return nil, err
	}
	db, err := s.program.Eval(ctx, d.Symbols, exported.Tables, goals, o.Limits)
	if err != nil {
		return nil, err
	}
	v := &Verdict{
		Symbols: d.Symbols, Facts: exported.Rows(), Rules: rules, Unread: unread(d, reads),
	}
	v.count(d)
	if d.Source != nil {
		v.Document = d.Source.Name
	}
	if o.Profile {
		v.Profile = db.Costs()
	}
	j := &judgement{document: d, name: v.Document, parent: o.Parent, facts: exported, db: db}
	for i := range s.invariants {
		inv := &s.invariants[i]
		if o.Partial && inv.Hole {
			v.Holes += db.Len(inv.Relation)
			continue
		}
		v.Invariants++
		if err := j.judge(ctx, inv); err != nil {
			return nil, err
		}
	}
	j.locate()
	j.tell(s.Sentences())
	for _, read := range []*facts.Document{d, o.Parent} {
		if read != nil && read.Source != nil && read.Source.Err() != nil {
			return nil, read.Source.Err()
		}
	}
	for _, f := range j.findings {
		v.Findings = append(v.Findings, f.Diagnostic)
	}
	diag.Sort(v.Findings)
	return v, nil
}

// count counts what a document has.
func (v *Verdict) count(d *facts.Document) {
	switch b := d.Body().(type) {
	case *modelir.Model:
		v.Ops = len(b.Ops)
	case *task.Distributed:
		v.Ops = len(b.Tasks)
	case *portable.Plan:
		v.Ops = len(b.Tasks)
	case *evidence.Binding:
		v.Ops = len(b.Tasks)
	case *machine.Program:
		for _, s := range b.Sections {
			v.Ops += len(s.Instructions)
		}
	case *timeline.Bundle:
		v.Commands, v.Queues = len(b.Intervals), len(b.Resources)
	default:
		v.Opless = d.Plan() == nil
	}
	if p := d.Plan(); p != nil {
		v.Ops = len(p.Graph.Ops)
		if pr := p.Program; pr != nil {
			v.Commands, v.Queues, v.Buffers = len(pr.Commands), len(pr.Queues), len(pr.Buffers)
		}
	}
}

// Costs derives the objectives of a plan. Errors are those of Judge.
func (s *Set) Costs(ctx context.Context, p *ir.Plan, l datalog.Limits) ([]Cost, error) {
	var goals []string
	for _, o := range s.objectives {
		goals = append(goals, o.Relation)
	}
	db, err := s.Derive(ctx, p, goals, l)
	if err != nil {
		return nil, err
	}
	var costs []Cost
	for _, o := range s.objectives {
		c := Cost{Objective: o}
		rows := db.Rows(o.Relation)
		if len(rows) > 1 {
			return nil, fmt.Errorf("objective %s has %d values, among them %s and %s",
				o.Name, len(rows), p.Symbols.Format(rows[0][0]), p.Symbols.Format(rows[1][0]))
		}
		if len(rows) == 1 {
			if c.Value, c.Known = p.Symbols.Number(rows[0][0]); !c.Known {
				return nil, fmt.Errorf("objective %s is %s, which is not a number", o.Name, p.Symbols.Format(rows[0][0]))
			}
		}
		costs = append(costs, c)
	}
	return costs, nil
}

// Derive evaluates relations of the rules, or facts, on a plan. Errors are those
// of Judge.
func (s *Set) Derive(ctx context.Context, p *ir.Plan, goals []string, l datalog.Limits) (*datalog.Database, error) {
	reads, _ := s.program.Reads(goals)
	exported, err := facts.Export(p, among(reads))
	if err != nil {
		return nil, err
	}
	return s.program.Eval(ctx, p.Symbols, exported.Tables, goals, l)
}

func among(names []string) func(string) bool {
	set := map[string]bool{}
	for _, n := range names {
		set[n] = true
	}
	return func(name string) bool { return set[name] }
}

// judgement gathers the findings about one document.
type judgement struct {
	document *facts.Document
	parent   *facts.Document // nil when there is none
	facts    *facts.Facts
	db       *datalog.Database
	name     string
	findings []finding
	nodes    int // of all proofs so far
}

// How many nodes the proof of a finding may have, all proofs of a document
// together, and a proof that comes when those are spent.
const (
	largestProof = 100_000
	allProofs    = 400_000
	leastProof   = 200
)

// finding is a diagnostic whose place is not known yet.
type finding struct {
	diag.Diagnostic
	inv *Invariant
	row []symbol.Value
	// offset is its place in the document, if it has one.
	offset uint32
	placed bool
}

// judge makes a finding of every row of an invariant.
func (j *judgement) judge(ctx context.Context, inv *Invariant) error {
	rows := j.db.Rows(inv.Relation)
	for i, row := range rows {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("%s: %d of %d violations proven: %w", inv.Code, i, len(rows), err)
		}
		proof, made, err := j.db.ProveWithin(ctx, inv.Relation, row, max(leastProof, min(largestProof, allProofs-j.nodes)))
		j.nodes += made
		if err != nil {
			return fmt.Errorf("proof of %s: %w", j.document.Symbols.FormatAtom(inv.Relation, row), err)
		}
		j.findings = append(j.findings, finding{
			inv: inv, row: row,
			Diagnostic: diag.Diagnostic{
				Code:        inv.Code,
				Severity:    inv.Severity,
				Message:     fill(inv.message, inv.Cols, row, j.document.Symbols),
				Help:        fill(inv.help, inv.Cols, row, j.document.Symbols),
				Group:       group(inv, row, j.document.Symbols),
				Fingerprint: fingerprint(inv, row, j.document.Symbols),
				Proof:       proof,
			},
		})
	}
	return nil
}

// group names the story that a row belongs to.
func group(inv *Invariant, row []symbol.Value, syms *symbol.Table) string {
	if inv.Cause == nil {
		return ""
	}
	var values []symbol.Value
	for _, name := range inv.Cause {
		values = append(values, row[slices.Index(inv.Cols, name)])
	}
	return syms.FormatAtom(inv.Relation, values)
}

// fingerprint names a finding by what it says, not by where: it is the same
// after the document was formatted anew or other entries were added.
func fingerprint(inv *Invariant, row []symbol.Value, syms *symbol.Table) string {
	sum := sha256.Sum256([]byte(inv.Code + "\n" + syms.FormatAtom(inv.Relation, row)))
	return hex.EncodeToString(sum[:16])
}
