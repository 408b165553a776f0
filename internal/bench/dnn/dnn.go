// Package dnn reads the published workloads of dnn-partitioning (Tarnawski et
// al., "Efficient Algorithms for Device Placement of DNN Graph Operators",
// 2020) as stage partition problems, and knows the least values that were
// proven for them.
package dnn

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"

	"plancheck/internal/search/partition"
)

// Scale is the work that all ops of a graph are scaled to; each op's is rounded
// on its own, so a graph's sum differs by a few.
const Scale = 200_000

// Env names the environment variable that holds the folder of public data, one
// that contains workloads/dnn-partitioning.
const Env = "PLANCHECK_DATA"

// Graph is a workload with integral work and carry costs.
type Graph struct {
	Name  string
	Work  []int64
	Carry []int64
	Size  []int64 // bytes, as the graph states them
	Edges [][2]int
}

// Load reads NAME.json of the workloads in folder (the value of Env).
func Load(folder, name string) (Graph, error) {
	path := filepath.Join(folder, "workloads", "dnn-partitioning", name+".json")
	text, err := os.ReadFile(path)
	if err != nil {
		return Graph{}, fmt.Errorf("read workload: %w", err)
	}
	var file struct {
		Nodes []struct {
			ID          int     `json:"id"`
			FPGALatency float64 `json:"fpgaLatency"`
			Size        float64 `json:"size"`
		} `json:"nodes"`
		Edges []struct {
			SourceID int     `json:"sourceId"`
			DestID   int     `json:"destId"`
			Cost     float64 `json:"cost"`
		} `json:"edges"`
	}
	if err := json.Unmarshal(text, &file); err != nil {
		return Graph{}, fmt.Errorf("read workload %s: %w", path, err)
	}
	sum := 0.0
	index := map[int]int{}
	for i, n := range file.Nodes {
		sum += n.FPGALatency
		index[n.ID] = i
	}
	factor := Scale / sum
	g := Graph{Name: name, Work: make([]int64, len(file.Nodes)), Carry: make([]int64, len(file.Nodes)), Size: make([]int64, len(file.Nodes))}
	for i, n := range file.Nodes {
		g.Work[i] = int64(math.Round(n.FPGALatency * factor))
		g.Size[i] = int64(math.Round(n.Size))
	}
	for _, e := range file.Edges {
		from, okFrom := index[e.SourceID]
		to, okTo := index[e.DestID]
		if !okFrom || !okTo {
			return Graph{}, fmt.Errorf("read workload %s: edge %d -> %d names no node", path, e.SourceID, e.DestID)
		}
		g.Edges = append(g.Edges, [2]int{from, to})
		g.Carry[from] = max(g.Carry[from], int64(math.Round(e.Cost*factor)))
	}
	return g, nil
}

// Problem is the graph's partition into at most that many stages, any of which
// may be empty. With forward, edges may pass over stages at their carry cost.
func (g Graph) Problem(stages int, forward bool) *partition.Problem {
	p := &partition.Problem{Stages: stages, Work: g.Work, Carry: g.Carry}
	for _, e := range g.Edges {
		p.Edges = append(p.Edges, partition.Edge{From: e[0], To: e[1], Far: forward})
	}
	return p
}

// Optimum is what was proven of a graph's least value: it lies in [Low, High].
type Optimum struct {
	Graph     string
	Stages    int
	Forward   bool
	Low, High int64
}

// Optima lists the proven values, by graph, then stages, strict before forward.
func Optima() []Optimum {
	table := []struct {
		graph      string
		s4, f4     int64
		s8, f8     int64
		f4hi, f8hi int64 // where only an interval is known
	}{
		{graph: "layer_bert24_inference", s4: 93441, f4: 53921, s8: 93441, f8: 30734},
		{graph: "layer_bert24_training", s4: 52920, f4: 50269, s8: 52863, f8: 25334},
		{graph: "layer_resnet50_inference", s4: 50577, f4: 50577, s8: 26307, f8: 26307},
		{graph: "layer_resnet50_training", s4: 50010, f4: 50010, s8: 25008, f8: 25008},
		{graph: "operator_bert_L-12_training", s4: 99816, f4: 99099, f4hi: 99103, s8: 99816, f8: 99095, f8hi: 99107},
		{graph: "operator_bert_l-12_inference", s4: 90163, f4: 53512, s8: 90163, f8: 34668},
		{graph: "operator_bert_l-3_inference", s4: 52961, f4: 52961, s8: 52610, f8: 47350},
		{graph: "operator_bert_l-3_training", s4: 103726, f4: 103647, s8: 103726, f8: 103647},
		{graph: "operator_bert_l-6_inference", s4: 65540, f4: 55709, s8: 65540, f8: 35945},
		{graph: "operator_resnet50_inference", s4: 50305, f4: 50305, s8: 25388, f8: 25388},
	}
	var list []Optimum
	for _, t := range table {
		list = append(list,
			Optimum{t.graph, 4, false, t.s4, t.s4},
			Optimum{t.graph, 4, true, t.f4, max(t.f4, t.f4hi)},
			Optimum{t.graph, 8, false, t.s8, t.s8},
			Optimum{t.graph, 8, true, t.f8, max(t.f8, t.f8hi)})
	}
	return list
}
