package evidence

import (
	"fmt"
	"slices"

	"plancheck/ir/evidence"
	"plancheck/ir/level"
	"plancheck/ir/levels"
	"plancheck/ir/portable"
)

// Input is what a plan is bound on.
type Input struct {
	Plan       *portable.Plan
	Target     *evidence.Target
	Deployment *evidence.Deployment
	Evidence   *evidence.Evidence
	Policy     evidence.Policy
}

// Bind finds for every task of a plan what does it, and what that costs. A task
// that cannot be bound is in the result as far as it could be; rules/evidence.dl
// finds it there. The error is an *Error: a quantity without a value.
//
// Of the implementations that can do a task, the first in the target's list does
// it; ranks are on the devices of the deployment in their order. The same input gives the same binding.
func Bind(in Input) (*evidence.Binding, error) {
	r := newReader(in.Plan)
	requires, err := r.requirements(in.Target.Family)
	if err != nil {
		return nil, err
	}
	b := &evidence.Binding{
		Header: level.Header{Schema: evidence.BindingSchema, Name: in.Plan.Name},
		Policy: in.Policy, ABI: in.Target.ABI, Environment: in.Deployment.Environment, Requires: requires,
	}
	for _, parent := range []level.Body{in.Plan, in.Target, in.Deployment, in.Evidence} {
		b.Parents = append(b.Parents, levels.Parent(parent))
	}
	for rank := range min(requires.Devices, int64(len(in.Deployment.Devices))) {
		b.Ranks = append(b.Ranks, evidence.Placed{Rank: rank, Device: in.Deployment.Devices[rank]})
	}
	costs := &resolver{in.Target, in.Evidence, in.Policy}
	for i := range in.Plan.Tasks {
		t := &in.Plan.Tasks[i]
		bound := evidence.Bound{ID: t.ID, Body: t.Body, Op: t.Op}
		if bound.Query, err = r.query(t); err != nil {
			return nil, err
		}
		if t.Body != level.Barrier { // which needs nothing and takes no time
			choose(in.Target, &bound)
			if bound.Implementation != "" {
				costs.resolve(&bound)
			}
		}
		b.Tasks = append(b.Tasks, bound)
	}
	return b, nil
}

// choose looks at all implementations of a target for a task.
func choose(target *evidence.Target, task *evidence.Bound) {
	for i := range target.Kernels {
		k := &target.Kernels[i]
		verdict, reason := judge(target, k, task)
		if verdict == evidence.Able && task.Implementation == "" {
			verdict = evidence.Chosen
			task.Implementation, task.Engine, task.Workspace = k.ID, k.Engine, k.Workspace
		}
		task.Candidates = append(task.Candidates, evidence.Candidate{Implementation: k.ID, Verdict: verdict, Reason: reason})
	}
}

// judge says what is against an implementation, or that it is able.
func judge(target *evidence.Target, k *evidence.Implementation, task *evidence.Bound) (verdict, reason string) {
	for _, c := range task.Query.Capabilities {
		if !slices.Contains(k.Capabilities, c) {
			return "capability-unsupported", "it cannot do " + c
		}
	}
	for _, e := range target.Engines {
		if e.ID == k.Engine && e.Kind != task.Body {
			return "capability-unsupported", fmt.Sprintf("it runs on engine %s, which is for tasks of body %s", e.ID, e.Kind)
		}
	}
	if d := task.Query.DType; d != "" && !slices.Contains(k.DTypes, d) {
		return "dtype-unsupported", "it does not work on " + d
	}
	for _, n := range task.Query.Dims {
		if k.MaxDim > 0 && n > k.MaxDim {
			return "shape-limit-exceeded", fmt.Sprintf("it takes axes of up to %d, and one has %d", k.MaxDim, n)
		}
	}
	if k.ABI != target.ABI {
		return "abi-mismatch", fmt.Sprintf("it has ABI %s, and the target %s", k.ABI, target.ABI)
	}
	return evidence.Able, ""
}
