package example

import (
	"fmt"
	"strings"

	"plancheck/ir"
)

// Variant says how much of a plan is decided.
type Variant string

// The variants of every network.
const (
	// Complete is a legal plan: stages with uneven ranges of cores, a core for
	// every lane, forwards where a value would skip a stage, a placement.
	Complete Variant = "complete"
	// Holes is the same network and machine with nothing decided but the number
	// of stages and two pins: the first op is in the first stage and the last op
	// in the last one.
	Holes Variant = "holes"
	// Faulty is the complete plan with the faults that Faults lists.
	Faulty Variant = "faulty"
)

// Variants lists all variants.
func Variants() []Variant { return []Variant{Complete, Holes, Faulty} }

// Names lists the networks that Build knows.
func Names() []string {
	var names []string
	for _, m := range models() {
		names = append(names, m.name)
	}
	return names
}

// model is a network together with the machine and the cut that its plan uses.
type model struct {
	name    string
	layers  func() *network
	machine machine
	stages  int
	// skipFrom and skipTo are the ends of the edge that the faulty plan lets
	// jump over a stage. A skipTo that reads a forward of skipFrom reads
	// skipFrom itself instead; otherwise the edge is added.
	skipFrom, skipTo string
	skipDoc          string
}

func models() []model {
	return []model{
		{
			name: "resnet50", layers: resnet50, stages: 4,
			machine:  machine{rows: 4, cols: 4, capacity: 4 << 20},
			skipFrom: "layer1.2.relu", skipTo: "fc",
			skipDoc: "The classifier also reads the features of layer1, which end two stages or more before it.",
		},
		{
			name: "bert-base", layers: bertBase, stages: 6,
			machine:  machine{rows: 4, cols: 6, capacity: 16 << 20},
			skipFrom: "mask", skipTo: "layer.11.attention.softmax",
			skipDoc: "The last layer reads the attention mask from stage 0 and not from the forward in the stage before its own.",
		},
		{
			name: "gpt2", layers: gpt2, stages: 8,
			machine:  machine{rows: 4, cols: 8, capacity: 16 << 20},
			skipFrom: "embed.add", skipTo: "ln_f",
			skipDoc: "The last norm also reads the embedding, which is made in stage 0.",
		},
	}
}

func find(name string) (model, error) {
	for _, m := range models() {
		if m.name == name {
			return m, nil
		}
	}
	return model{}, fmt.Errorf("no built-in network %q; there are %s", name, strings.Join(Names(), ", "))
}

// Build returns a variant of the plan of a network. The same arguments give
// the same plan. It fails for a name or a variant that does not exist.
func Build(name string, variant Variant) (*ir.Plan, error) {
	m, err := find(name)
	if err != nil {
		return nil, err
	}
	switch variant {
	case Complete:
		return m.complete()
	case Holes:
		return m.holes()
	case Faulty:
		return m.faulty()
	}
	return nil, fmt.Errorf("no variant %q of a built-in network; there are %s, %s and %s", variant, Complete, Holes, Faulty)
}
