// Command packing prints how the packing search does on the ops of a published
// network: largest core load beside the area bound, with little memory to spare.
//
//	PLANCHECK_DATA=folder go run ./internal/bench/packing --timeout 2500ms
//
// An op of the graph has 1 + floor(work*cores / (0.6*all work)) lanes and
// ceil(work/lanes) cycles on each. Its weights are the size that the graph
// states, ceil(size/lanes) bytes a lane. All cores have the same capacity: an
// even share of all bytes, each slice counted once, and the spare on top. A lane
// whose slice exceeds it is split into the fewest equal parts that fit, each with
// ceil(work/(lanes*parts)) cycles. With shared weights every second op (2, 3, 6,
// 7, ... of the file) uses the weight of the op two before, where both have as
// many lanes; a part of it is then a part of that op's slices.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/spf13/pflag"

	"plancheck/internal/bench/dnn"
	"plancheck/internal/search/packing"
)

func main() {
	timeout := pflag.Duration("timeout", 2500*time.Millisecond, "time for one problem")
	graph := pflag.String("graph", "layer_resnet50_inference", "graph of dnn-partitioning")
	cores := pflag.IntSlice("cores", []int{8, 16, 32, 64}, "numbers of cores")
	spares := pflag.IntSlice("spare", []int{5, 20}, "spare memory, per cent")
	steps := pflag.Int64("steps", 0, "step budget")
	seed := pflag.Uint64("seed", 1, "seed")
	pflag.Parse()
	folder := os.Getenv(dnn.Env)
	if folder == "" {
		fmt.Fprintf(os.Stderr, "set %s to the folder that holds dnn-partitioning\n", dnn.Env)
		os.Exit(2)
	}
	g, err := dnn.Load(folder, *graph)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	fmt.Println("| cores | spare | weights | items | value | bound | area | gap | memory fill | first | best | seconds | found by | bound by |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|---|---|---|---|")
	for _, m := range *cores {
		for _, spare := range *spares {
			for _, shared := range []bool{false, true} {
				if err := row(g, m, spare, shared, *timeout, packing.Options{Seed: *seed, Steps: *steps}); err != nil {
					fmt.Fprintln(os.Stderr, err)
					os.Exit(1)
				}
			}
		}
	}
}

// row solves one problem and prints its row of the table.
func row(g dnn.Graph, cores, spare int, shared bool, timeout time.Duration, o packing.Options) error {
	p, area, bytes := problem(g, cores, spare, shared)
	ctx, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	started := time.Now()
	first, last, best := "-", "-", int64(-1)
	o.OnChange = func(_, value int64) {
		if value != best {
			best = value
			last = fmt.Sprintf("%.2f", time.Since(started).Seconds())
			if first == "-" {
				first = last
			}
		}
	}
	r, err := packing.Pack(ctx, p, o)
	if err != nil {
		return fmt.Errorf("%d cores, %d %% spare: %w", cores, spare, err)
	}
	took := time.Since(started)
	kind := "apart"
	if shared {
		kind = "shared"
	}
	value, gap := r.Status.String(), "-"
	if r.Cores != nil {
		value = fmt.Sprint(r.Value)
		gap = fmt.Sprintf("%.2f %%", 100*float64(r.Value-area)/float64(area))
	}
	room := p.Cores[0].Capacity * int64(cores)
	fmt.Printf("| %d | %d %% | %s | %d | %s | %d | %d | %s | %.1f %% | %s | %s | %.2f | %s | %s |\n", cores, spare, kind, len(p.Items),
		value, r.Bound, area, gap, 100*float64(bytes)/float64(room), first, last, took.Seconds(), r.FoundBy, r.BoundBy)
	return nil
}

// problem makes the packing problem of a graph and returns its area bound and
// the bytes that it needs at least.
func problem(g dnn.Graph, cores, spare int, shared bool) (p *packing.Problem, area, bytes int64) {
	all := int64(0)
	for _, w := range g.Work {
		all += w
	}
	n := len(g.Work)
	lanes, weight := make([]int64, n), make([]int, n)
	for o, w := range g.Work {
		lanes[o] = 1 + w*int64(cores)*10/(6*all)
		weight[o] = o
		if shared && o >= 2 && o/2%2 == 1 && lanes[o] == lanes[o-2] {
			weight[o] = o - 2
		}
		if weight[o] == o {
			bytes += lanes[o] * ceil(g.Size[o], lanes[o])
		}
	}
	m := int64(cores)
	capacity := ceil(bytes*int64(100+spare), 100*m)
	p = &packing.Problem{}
	for range cores {
		p.Cores = append(p.Cores, packing.Core{Capacity: capacity})
	}
	unit := make([]int, n) // of lane 0 of the op's own weight
	load := int64(0)
	for o, w := range g.Work {
		slice := ceil(g.Size[weight[o]], lanes[o])
		if weight[o] == o {
			unit[o] = len(p.Sizes)
			for range lanes[o] {
				p.Sizes = append(p.Sizes, slice)
			}
		}
		parts := max(1, ceil(slice, capacity))
		cycles := ceil(w, lanes[o]*parts)
		for lane := range lanes[o] {
			for part := range parts {
				load += cycles
				p.Items = append(p.Items, packing.Item{
					Cycles: []int64{cycles},
					Slices: []packing.Slice{{Unit: unit[weight[o]] + int(lane), Part: int(part), Parts: int(parts)}},
					Pin:    packing.Free,
				})
			}
		}
	}
	return p, ceil(load, m), bytes
}

func ceil(a, b int64) int64 { return (a + b - 1) / b }
