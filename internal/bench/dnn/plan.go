package dnn

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"plancheck/internal/diag"
	"plancheck/internal/importer"
	"plancheck/ir"
)

// Shape says what plan is made of a workload.
type Shape struct {
	Stages int
	Cores  int // logical cores, of which each stage gets a range that is open
	// Forward allows forwards, at the cost of the dearest edge of each value.
	Forward bool
	// UnitLanes gives each op as many lanes as it has cycles, so that its work
	// can lie on any cores of its stage; otherwise it has one lane.
	UnitLanes bool
}

// Shape returns the shape of the plan whose least interval is the known value:
// every stage has one core, so that its interval is its load.
func (o Optimum) Shape() Shape {
	return Shape{Stages: o.Stages, Cores: o.Stages, Forward: o.Forward}
}

// Uneven is the plan of the graph layer_resnet50_inference in which ranges of
// different sizes pay most: with 8 even ranges of its 64 cores its interval is
// 3412, with the best ranges for the same stages 3312, and UnevenInterval is
// the least of all, proven.
var Uneven = Shape{Stages: 8, Cores: 64, UnitLanes: true}

// UnevenInterval is the least interval of the plan of shape Uneven.
const UnevenInterval = 3132

// Plan imports NAME.json of the workloads in folder (the value of Env) as a
// plan in which everything is open but the shape. Nodes that read nothing are
// ops, no input keeps an op in stage 0, weights and the machine are left out,
// and stages may be empty. All ops together have the work Scale, each one's
// rounded on its own.
func Plan(folder, name string, s Shape) (*ir.Plan, error) {
	path := filepath.Join(folder, "workloads", "dnn-partitioning", name+".json")
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read workload: %w", err)
	}
	options := importer.Options{Total: Scale, Sources: importer.SourcesAsOps, EdgeSize: importer.EdgeCost}
	p, told := importer.Import("dnn-partitioning", []*diag.Source{diag.NewSource(name+".json", text)}, options)
	if p == nil {
		var errs []error
		for _, d := range told {
			errs = append(errs, errors.New(d.Message))
		}
		return nil, fmt.Errorf("import workload %s: %w", path, errors.Join(errs...))
	}
	p.LogicalCores, p.Target, p.Graph.Weights = int64(s.Cores), nil, nil
	p.Options.Forward = s.Forward
	p.Stages = nil
	for k := range s.Stages {
		p.Stages = append(p.Stages, ir.Stage{Index: int64(k), First: ir.None, Count: ir.None})
	}
	for i := range p.Graph.Ops {
		op := &p.Graph.Ops[i]
		op.Weights = nil
		if s.UnitLanes {
			op.Lanes = max(op.Work, 1)
		}
	}
	return p, nil
}
