package cli

import (
	"errors"
	"fmt"

	"plancheck/internal/diag"
	"plancheck/internal/execute"
	"plancheck/internal/reference"
	"plancheck/internal/report"
	"plancheck/internal/tensor"
	"plancheck/ir/machine"
	"plancheck/ir/model"
)

// tell says how the program ended, and compares its outputs with the model. The
// document of the outputs goes to document.
func (f *runFlags) tell(env Env, name string, p *machine.Program, memory *execute.Memory, m *model.Model, inputs map[string]*tensor.Tensor, document *[]byte) (int, error) {
	about := func(err error) (int, error) {
		return exitBad, complain(env, []diag.Diagnostic{{Code: "not-compared", Severity: diag.Error, Message: err.Error(), Pos: diag.Position{File: name}}})
	}
	ids, outputs, err := memory.Outputs()
	if err != nil {
		return exitViolations, complain(env, []diag.Diagnostic{{Code: "output-wrong", Severity: diag.Error, Message: err.Error(), Pos: diag.Position{File: name}}})
	}
	if f.output != "" {
		*document = tensor.Encode(ids, outputs)
	}
	instructions := 0
	for _, s := range p.Sections {
		instructions += len(s.Instructions)
	}
	fmt.Fprintf(env.Stdout, "%s: %s in %s, ran to the end\n", name, several(instructions, "instruction"), several(len(p.Entries), "section"))
	if m == nil {
		return exitOK, nil
	}
	if len(ids) == 0 {
		return about(errors.New("the program has no output port: lower the plan with its portable plan and its tasks"))
	}
	want, err := reference.Evaluate(m, inputs)
	if err != nil {
		return about(err)
	}
	exit := exitOK
	for _, id := range ids {
		c, err := f.compare(want, id, outputs[id], p)
		if err != nil {
			return about(err)
		}
		verdict := "is right"
		if !c.Within() {
			verdict, exit = "is wrong", exitViolations
		}
		fmt.Fprintf(env.Stdout, "%s %s: %s, largest error %.3g, at most %.3g of what rounding explains\n",
			id, verdict, several(len(outputs[id].Data), "element"), c.Error, c.Share)
		if !c.Within() {
			fmt.Fprintf(env.Stdout, "  element %d is %g, and the model says %g within %.3g\n", c.Worst, c.Got, c.Reference, c.Tolerance)
		}
	}
	return exit, nil
}

// compare compares an output with the reference, the more closely where all inputs
// were drawn.
func (f *runFlags) compare(want *reference.Result, id string, got *tensor.Tensor, p *machine.Program) (reference.Comparison, error) {
	if f.inputs != "" {
		return want.Compare(id, got)
	}
	ranks := map[int64]bool{}
	for _, x := range p.Ports {
		ranks[x.Rank] = true
	}
	return want.CompareDrawn(id, got, int64(len(ranks)))
}

// several is a number of things in words.
func several(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return report.Thousands(n) + " " + noun + "s"
}
