// Command verifier is the checker that someone would write by hand for one
// set of invariants: encoding/json, maps and slices, no rules and no proofs.
// It is the yardstick of the benchmarks and no part of plancheck.
package main

import (
	"encoding/json"
	"fmt"
	"os"
)

type plan struct {
	Target struct {
		Cores []struct {
			ID       int64 `json:"id"`
			Capacity int64 `json:"capacity_bytes"`
		} `json:"cores"`
	} `json:"target"`
	Graph struct {
		Inputs []struct {
			ID        string   `json:"id"`
			Dynamic   bool     `json:"dynamic"`
			Consumers []string `json:"consumers"`
		} `json:"inputs"`
		Weights []struct {
			ID   string `json:"id"`
			Size int64  `json:"size_bytes"`
		} `json:"weights"`
		Ops []struct {
			ID      string   `json:"id"`
			Lanes   int64    `json:"lanes"`
			Work    int64    `json:"work_cycles"`
			Weights []string `json:"weights"`
		} `json:"ops"`
		Edges []struct {
			From string `json:"from"`
			To   string `json:"to"`
		} `json:"edges"`
	} `json:"graph"`
	Stages []struct {
		Index int64 `json:"index"`
		Cores struct {
			First int64 `json:"first"`
			Count int64 `json:"count"`
		} `json:"cores"`
	} `json:"stages"`
	Assignment struct {
		Instances []struct {
			Op    string  `json:"op"`
			Stage int64   `json:"stage"`
			Lanes []int64 `json:"lanes"`
			Cores []int64 `json:"cores"`
		} `json:"instances"`
		Placement []int64 `json:"placement"`
	} `json:"assignment"`
}

type slice struct {
	weight, core int32
	lane         int16
}

func main() {
	data, err := os.ReadFile(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	var p plan
	if err := json.Unmarshal(data, &p); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	faults := 0
	fault := func(format string, args ...any) {
		faults++
		fmt.Printf(format+"\n", args...)
	}
	weightSize := make(map[string]int64, len(p.Graph.Weights))
	weightNo := make(map[string]int32, len(p.Graph.Weights))
	for i, w := range p.Graph.Weights {
		weightSize[w.ID], weightNo[w.ID] = w.Size, int32(i)
	}
	opNo := make(map[string]int, len(p.Graph.Ops))
	for i, op := range p.Graph.Ops {
		opNo[op.ID] = i
	}
	type interval struct{ first, end int64 }
	ranges := make(map[int64]interval, len(p.Stages))
	cover := make([]int, len(p.Assignment.Placement))
	for _, s := range p.Stages { // 6: ranges cover every logical core once
		ranges[s.Index] = interval{s.Cores.First, s.Cores.First + s.Cores.Count}
		for c := s.Cores.First; c < s.Cores.First+s.Cores.Count; c++ {
			if c >= int64(len(cover)) {
				fault("stage %d: no core %d", s.Index, c)
				continue
			}
			cover[c]++
		}
	}
	for c, n := range cover {
		if n != 1 {
			fault("core %d is in %d stages", c, n)
		}
	}
	capacity := make(map[int64]int64, len(p.Target.Cores))
	for _, c := range p.Target.Cores {
		capacity[c.ID] = c.Capacity
	}
	used := make(map[int64]bool, len(cover)) // 7: placement is a permutation
	for l, c := range p.Assignment.Placement {
		if _, ok := capacity[c]; !ok || used[c] {
			fault("logical core %d: place %d", l, c)
		}
		used[c] = true
	}
	stage := make([]int64, len(p.Graph.Ops))
	lanes := make([][]bool, len(p.Graph.Ops))
	for i, op := range p.Graph.Ops {
		stage[i] = -1
		lanes[i] = make([]bool, op.Lanes)
	}
	resident := map[slice]bool{}
	load := make([]int64, len(cover))
	for _, in := range p.Assignment.Instances {
		i, ok := opNo[in.Op]
		if !ok {
			fault("unknown op %s", in.Op)
			continue
		}
		if stage[i] >= 0 && stage[i] != in.Stage { // 2: lanes share a stage
			fault("op %s is in stages %d and %d", in.Op, stage[i], in.Stage)
		}
		stage[i] = in.Stage
		r, ok := ranges[in.Stage]
		if !ok {
			fault("op %s: no stage %d", in.Op, in.Stage)
		}
		for k, lane := range in.Lanes {
			if lane >= int64(len(lanes[i])) || lanes[i][lane] { // 1: each lane once
				fault("op %s lane %d", in.Op, lane)
				continue
			}
			lanes[i][lane] = true
			core := in.Cores[k]
			if core < r.first || core >= r.end { // 5: core in its stage's range
				fault("op %s lane %d: core %d is not in stage %d", in.Op, lane, core, in.Stage)
				continue
			}
			for _, w := range p.Graph.Ops[i].Weights { // a slice counts once a core
				s := slice{weightNo[w], int32(core), int16(lane)}
				if !resident[s] {
					resident[s] = true
					load[core] += weightSize[w]
				}
			}
		}
	}
	for i, op := range p.Graph.Ops {
		for l, ok := range lanes[i] {
			if !ok {
				fault("op %s: lane %d is missing", op.ID, l)
			}
		}
	}
	for c, n := range load { // weights fit
		if n > capacity[p.Assignment.Placement[c]] {
			fault("core %d: %d bytes", c, n)
		}
	}
	for _, in := range p.Graph.Inputs { // 3: dynamic inputs are read in stage 0
		for _, c := range in.Consumers {
			if in.Dynamic && stage[opNo[c]] > 0 {
				fault("input %s: %s", in.ID, c)
			}
		}
	}
	for _, e := range p.Graph.Edges { // 4: edges stay or advance by one
		if d := stage[opNo[e.To]] - stage[opNo[e.From]]; d < 0 || d > 1 {
			fault("edge %s -> %s", e.From, e.To)
		}
	}
	if faults > 0 {
		os.Exit(1)
	}
	fmt.Printf("%d ops, no faults\n", len(p.Graph.Ops))
}
