package cli

import (
	"context"
	"fmt"
	"slices"

	"plancheck/facts"
	"plancheck/internal/derive"
	"plancheck/internal/diag"
	"plancheck/internal/example"
	"plancheck/internal/record"
	"plancheck/internal/report"
	"plancheck/ir"
	"plancheck/ir/evidence"
	"plancheck/ir/levels"
	"plancheck/ir/model"
	"plancheck/ir/task"
)

// profileNames are the targets that are built in with a deployment and evidence.
func profileNames() []string { return []string{"a100", "chip"} }

// read reads the documents that the derivation is made of.
func (f *deriveFlags) read(ctx context.Context, env Env, name string, in *derive.Input) []diag.Diagnostic {
	var diags []diag.Diagnostic
	doc, more := readOf(ctx, env, name, model.Schema)
	in.Model, diags = doc, append(diags, more...)
	if !derive.NeedsTarget(f.to) {
		return diags
	}
	for _, x := range []struct {
		to                   **facts.Document
		value, what, builtIn string
	}{
		{&in.Target, f.target, derive.TargetInput, f.target},
		{&in.Deployment, f.deployment, derive.DeploymentInput, f.target},
		{&in.Evidence, f.evidence, derive.EvidenceInput, f.target},
	} {
		if x.value == "" {
			x.value = x.builtIn
		}
		doc, more := readProfile(ctx, env, x.value, x.what)
		*x.to, diags = doc, append(diags, more...)
	}
	if f.policy != "" {
		src, more := readSource(ctx, env, f.policy)
		if more == nil {
			in.Policy = &evidence.Policy{}
			more = record.Decode(src, in.Policy)
		}
		diags = append(diags, more...)
	}
	if diags == nil && f.stages > 0 && in.Target.Body().(*evidence.Target).Family != ir.FamilySpatial {
		diags = []diag.Diagnostic{{Code: "wrong-family", Severity: diag.Error, Pos: diag.Position{File: in.Target.Source.Name},
			Message: "only spatial targets are cut into stages: leave --stages out"}}
	}
	return diags
}

// readProfile reads a built-in document of a target, or a file of that kind.
func readProfile(ctx context.Context, env Env, name, what string) (*facts.Document, []diag.Diagnostic) {
	if slices.Contains(profileNames(), name) {
		body, err := example.Document(name + "-" + what)
		if err != nil {
			return nil, []diag.Diagnostic{{Code: "file-not-found", Severity: diag.Error, Pos: diag.Position{File: name}, Message: err.Error()}}
		}
		return facts.Decode(diag.NewSource("<"+name+"-"+what+">", levels.Encode(body)))
	}
	return readOf(ctx, env, name, checkpointSchemas()[what])
}

// noteEnvironment says that nobody knows whether times hold where the plan is to
// run: the policy asks for the same environment, and the evidence states none.
func noteEnvironment(env Env, in *derive.Input) {
	e, d := in.Evidence.Body().(*evidence.Evidence), in.Deployment.Body().(*evidence.Deployment)
	if (in.Policy == nil || in.Policy.Fresh) && len(e.Records)+len(e.Factors) > 0 && e.Environment == "" && d.Environment != "" {
		fmt.Fprintf(env.Stderr, "note: %s states no environment: whether its times hold in %s is not known\n", report.FileName(in.Evidence.Source.Name), report.Printable(d.Environment))
	}
}

// readStrategy says how the linear ops of the model are cut. An op is called by
// its id, or by its name if it is the only one of that name.
func (f *deriveFlags) readStrategy(in *derive.Input) error {
	m := in.Model.Body().(*model.Model)
	cuts := map[string]string{}
	for _, s := range f.cuts {
		name, cut, err := assigned("cut", s)
		if err != nil {
			return err
		}
		if err := oneOf("cut", cut, task.Column, task.Row); err != nil {
			return err
		}
		op, err := opNamed(m, name)
		if err != nil {
			return err
		}
		if op.Kind != model.Linear {
			return fmt.Errorf("--cut: op %s is a %s, and only a %s is cut", name, op.Kind, model.Linear)
		}
		if cuts[op.ID] != "" {
			return fmt.Errorf("--cut: op %s is cut twice", name)
		}
		cuts[op.ID] = cut
	}
	for _, op := range m.Ops {
		cut := cuts[op.ID]
		if cut == "" && op.Kind == model.Linear && f.strategy != alternate {
			cut = f.strategy
		}
		if cut != "" {
			in.Strategy.Linear = append(in.Strategy.Linear, task.OpCut{Op: op.ID, Cut: cut})
		}
	}
	return nil
}

// opNamed finds an op by its id or its name.
func opNamed(m *model.Model, name string) (*model.Op, error) {
	var found *model.Op
	var known []string
	for i := range m.Ops {
		op := &m.Ops[i]
		if op.ID == name {
			return op, nil
		}
		if op.Name == "" {
			known = append(known, op.ID)
			continue
		}
		known = append(known, op.Name)
		if op.Name == name && found != nil {
			return nil, fmt.Errorf("--cut: the model has several ops with the name %s: use an id", name)
		}
		if op.Name == name {
			found = op
		}
	}
	if found == nil {
		return nil, fmt.Errorf("--cut: the model has no op %s%s", name, didYouMean(name, known))
	}
	return found, nil
}
