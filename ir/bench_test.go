package ir

import (
	"encoding/json"
	"fmt"
	"testing"

	"plancheck/internal/diag"
	"plancheck/internal/symbol"
)

// bigPlan builds a legal plan of n ops in a row of layers: 4 lanes, 2 edges an
// op, 3 weights an op, every third of them shared with the op before.
func bigPlan(n int) *Plan {
	const lanes, stages, coresPerStage = 4, 16, 8
	syms := symbol.NewTable()
	id := func(prefix string, i int) ID { return syms.String(fmt.Sprintf("%s_%d", prefix, i)) }
	p := &Plan{Symbols: syms, Name: fmt.Sprintf("generated-%d", n), LogicalCores: stages * coresPerStage}
	p.Target = &Target{Mesh: []int64{stages, coresPerStage}, CoreCount: None}
	for c := range int64(stages * coresPerStage) {
		p.Target.Cores = append(p.Target.Cores,
			Core{ID: c, Row: c / coresPerStage, Col: c % coresPerStage, Capacity: 1 << 40})
		p.Assignment.Placement = append(p.Assignment.Placement, c)
	}
	for s := range int64(stages) {
		p.Stages = append(p.Stages, Stage{Index: s, First: s * coresPerStage, Count: coresPerStage})
	}
	for i := range n {
		op := Op{ID: id("block/layer", i), Kind: "linear", Lanes: lanes, Work: int64(1000 + i%977), MaxParts: None, Windows: None}
		for k := range 3 {
			w := 3*i + k
			if k == 2 && i%3 == 1 {
				w = 3*(i-1) + 2
			} else {
				p.Graph.Weights = append(p.Graph.Weights, Weight{ID: id("weight", w), Size: int64(64 + w%4096)})
			}
			op.Weights = append(op.Weights, id("weight", w))
		}
		p.Graph.Ops = append(p.Graph.Ops, op)
		for _, back := range []int{1, 7} {
			if i >= back {
				p.Graph.Edges = append(p.Graph.Edges, Edge{From: p.Graph.Ops[i-back].ID, To: op.ID, Size: int64(256 + i%512)})
			}
		}
		stage := int64(i * stages / n)
		instance := Instance{Op: op.ID, Stage: stage, Part: None, Lanes: []int64{0, 1, 2, 3}}
		for k := range int64(lanes) {
			instance.Cores = append(instance.Cores, stage*coresPerStage+(int64(i)+k)%coresPerStage)
		}
		p.Assignment.Instances = append(p.Assignment.Instances, instance)
	}
	p.Graph.Inputs = []Input{{ID: id("input", 0), Dynamic: true, Size: 512, Consumers: []ID{p.Graph.Ops[0].ID}}}
	return p
}

func BenchmarkDecodePlan(b *testing.B) {
	for _, n := range []int{1000, 100_000} {
		data := Encode(bigPlan(n))
		b.Run(fmt.Sprintf("ops=%d/plancheck", n), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if _, ds := DecodePlan(diag.NewSource("plan.json", data)); ds != nil {
					b.Fatal(ds)
				}
			}
		})
		b.Run(fmt.Sprintf("ops=%d/encoding-json", n), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				var plan looseplan
				if err := json.Unmarshal(data, &plan); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// looseplan is what a program would give to encoding/json for the same document.
type looseplan struct {
	Schema, Name string
	LogicalCores int64 `json:"logical_cores"`
	Target       struct {
		Topology struct{ Mesh []int64 }
		Cores    []struct {
			ID       int64
			At       []int64
			Capacity int64 `json:"capacity_bytes"`
		}
	}
	Graph struct {
		Inputs []struct {
			ID        string
			Dynamic   bool
			Size      int64 `json:"size_bytes"`
			Consumers []string
		}
		Weights []struct {
			ID   string
			Size int64 `json:"size_bytes"`
		}
		Ops []struct {
			ID, Kind string
			Lanes    int64
			Work     int64 `json:"work_cycles"`
			Weights  []string
		}
		Edges []struct {
			From, To string
			Size     int64 `json:"size_bytes"`
		}
	}
	Stages []struct {
		Index int64
		Cores struct{ First, Count int64 }
	}
	Assignment struct {
		Instances []struct {
			Op           string
			Stage        int64
			Lanes, Cores []int64
		}
		Placement []int64
	}
}

func BenchmarkEncode(b *testing.B) {
	p := bigPlan(100_000)
	b.SetBytes(int64(len(Encode(p))))
	b.ReportAllocs()
	for b.Loop() {
		Encode(p)
	}
}

func BenchmarkPlanDigest(b *testing.B) {
	p := bigPlan(100_000)
	b.SetBytes(int64(len(Encode(p))))
	b.ReportAllocs()
	for b.Loop() {
		PlanDigest(p)
	}
}
