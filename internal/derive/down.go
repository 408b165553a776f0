package derive

import (
	"context"
	"fmt"
	"slices"

	"plancheck/facts"
	binder "plancheck/internal/evidence"
	"plancheck/ir/evidence"
	"plancheck/ir/portable"
	"plancheck/ir/task"
	"plancheck/rules"
)

// The levels of a derivation, and what is given to it.
const (
	ModelLevel    = "model"
	TaskLevel     = "task"
	PortableLevel = "portable"
	BindingLevel  = "binding"
	PlanLevel     = "plan"
	MachineLevel  = "machine"

	TargetInput     = "target"
	DeploymentInput = "deployment"
	EvidenceInput   = "evidence"
)

// Levels are those that Down derives, from the model down.
func Levels() []string {
	return []string{TaskLevel, PortableLevel, BindingLevel, PlanLevel, MachineLevel}
}

// NeedsTarget says whether a level is of a target.
func NeedsTarget(level string) bool {
	return slices.Index(Levels(), level) >= slices.Index(Levels(), BindingLevel)
}

// Input is what a derivation is made of.
type Input struct {
	Model    *facts.Document
	Strategy task.Strategy
	Plan     PlanOptions
	// Target, Deployment and Evidence are nil where no target is asked for.
	Target, Deployment, Evidence *facts.Document
	// Policy is how costs may be found; nil for the default.
	Policy *evidence.Policy
	// Stages is how many pipeline stages a spatial target is cut into; 1 when 0.
	Stages int64
}

// Checkpoint is a document of a derivation: one that was given, or one that a pass
// made and the rules passed.
type Checkpoint struct {
	Level    string // one of the levels, or what was given
	Document *facts.Document
	// Beside are the checkpoints that rules compare it with, the one that it was
	// made from first.
	Beside  []string
	Verdict *rules.Verdict // on it beside the one that it was made from
}

// Down derives documents from a model down to a level, each by its pass. It
// returns all that are legal, in the order in which they are needed, also where
// there is an error: one of those that Apply has.
func Down(ctx context.Context, in Input, to string) ([]Checkpoint, error) {
	d := &descent{ctx: ctx, in: in}
	last := slices.Index(Levels(), to)
	if last < 0 {
		return nil, fmt.Errorf("no level %q to derive", to)
	}
	if err := d.given(ModelLevel, in.Model, ""); err != nil {
		return d.made, err
	}
	if NeedsTarget(to) {
		for _, x := range []struct {
			name   string
			doc    *facts.Document
			beside string
		}{{TargetInput, in.Target, ""}, {DeploymentInput, in.Deployment, TargetInput}, {EvidenceInput, in.Evidence, ""}} {
			if x.doc == nil {
				return d.made, fmt.Errorf("level %s needs a %s", to, x.name)
			}
			if err := d.given(x.name, x.doc, x.beside); err != nil {
				return d.made, err
			}
		}
	}
	for _, step := range []func() error{d.distribute, d.plan, d.bind, d.schedule, d.lower}[:last+1] {
		if err := step(); err != nil {
			return d.made, err
		}
	}
	return d.made, nil
}

// descent is a derivation on its way.
type descent struct {
	ctx  context.Context
	in   Input
	made []Checkpoint
}

// document is that of a checkpoint.
func (d *descent) document(level string) *facts.Document {
	for _, c := range d.made {
		if c.Level == level {
			return c.Document
		}
	}
	return nil
}

// given judges a document that nothing here made.
func (d *descent) given(name string, doc *facts.Document, beside string) error {
	v, err := Pass{Name: name}.legal(d.ctx, doc, d.document(beside))
	if err != nil {
		return err
	}
	d.made = append(d.made, Checkpoint{Level: name, Document: doc, Verdict: v, Beside: d.compared(doc.Schema, d.document(beside))})
	return nil
}

// compared are the checkpoints, of some documents, that the rules compare
// documents of a schema with.
func (d *descent) compared(schema string, beside ...*facts.Document) []string {
	set, _ := rulesOf(schema)
	var all []string
	for _, b := range beside {
		if b == nil || set == nil || !set.ComparesWith(b.Schema) {
			continue
		}
		i := slices.IndexFunc(d.made, func(o Checkpoint) bool { return o.Document.Schema == b.Schema })
		all = append(all, d.made[i].Level)
	}
	return all
}

// step makes the document of a level from that of another one.
func (d *descent) step(p Pass, from, to string) error {
	made, v, err := p.makeJudged(d.ctx, d.document(from))
	if err != nil {
		return err
	}
	beside := append([]*facts.Document{d.document(from)}, p.Beside...)
	d.made = append(d.made, Checkpoint{Level: to, Document: made, Verdict: v, Beside: d.compared(p.To, beside...)})
	return nil
}

func (d *descent) distribute() error {
	return d.step(Distribute(d.in.Strategy), ModelLevel, TaskLevel)
}

func (d *descent) plan() error { return d.step(Plan(d.in.Plan), TaskLevel, PortableLevel) }

func (d *descent) bind() error {
	with := Binding{
		Target:     d.in.Target.Body().(*evidence.Target),
		Deployment: d.in.Deployment.Body().(*evidence.Deployment),
		Evidence:   d.in.Evidence.Body().(*evidence.Evidence),
	}
	if with.Policy = binder.DefaultPolicy(with.Evidence.Provider); d.in.Policy != nil {
		with.Policy = *d.in.Policy
	}
	return d.step(Bind(with), PortableLevel, BindingLevel)
}

func (d *descent) schedule() error {
	return d.step(Schedule(Scheduling{
		Portable:   d.document(PortableLevel).Body().(*portable.Plan),
		Target:     d.in.Target.Body().(*evidence.Target),
		Deployment: d.in.Deployment.Body().(*evidence.Deployment),
		Stages:     d.in.Stages,
	}), BindingLevel, PlanLevel)
}

func (d *descent) lower() error {
	return d.step(LowerPass(Lowering{
		Portable: d.document(PortableLevel).Body().(*portable.Plan),
		Tasks:    d.document(TaskLevel).Body().(*task.Distributed),
		Target:   d.in.Target.Body().(*evidence.Target),
	}), PlanLevel, MachineLevel)
}

// Origin is the op of the model that a task of the portable plan was made for, and
// the name of what all ranks do of it; "" where there is none.
func Origin(made []Checkpoint, id string) (op, name string) {
	d := &descent{made: made}
	p, planned := d.document(PortableLevel).Body().(*portable.Plan)
	t, distributed := d.document(TaskLevel).Body().(*task.Distributed)
	if !planned || !distributed {
		return "", ""
	}
	i := slices.IndexFunc(p.Tasks, func(t portable.Task) bool { return t.ID == id })
	if i < 0 || p.Tasks[i].Lineage == nil || len(p.Tasks[i].Lineage.Sources) == 0 {
		return "", ""
	}
	from := p.Tasks[i].Lineage.Sources[0]
	i = slices.IndexFunc(t.Tasks, func(t task.Task) bool { return t.ID == from })
	if i < 0 || t.Tasks[i].Lineage == nil || len(t.Tasks[i].Lineage.Sources) == 0 {
		return "", ""
	}
	return t.Tasks[i].Lineage.Sources[0], t.Tasks[i].Name
}
