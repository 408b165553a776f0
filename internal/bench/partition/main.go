// Command partition prints how the stage partition search does on the
// dnn-partitioning workloads: value, proven bound, time, and the parts that
// found the one and proved the other.
//
//	PLANCHECK_DATA=folder go run ./internal/bench/partition --timeout 20s
//
// With --cores, stages own several cores and the search chooses how many. With
// --fewest there is a second line: how many pairs of a value and a stage that it
// is carried through the assignment of that value has, and at least must have.
package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"plancheck/internal/bench/dnn"
	"plancheck/internal/search/partition"
)

func main() {
	timeout := pflag.Duration("timeout", 20*time.Second, "time for one problem")
	stages := pflag.IntSlice("stages", []int{4, 8}, "numbers of stages")
	only := pflag.String("graph", "", "graphs whose name contains this")
	modes := pflag.StringSlice("mode", []string{"strict", "forward"}, "strict, forward")
	steps := pflag.Int64("steps", 0, "step budget; parts then take turns")
	seed := pflag.Uint64("seed", 1, "seed")
	cores := pflag.Int("cores", 0, "cores to share out among the stages; 0 for one each")
	fewest := pflag.Bool("fewest", false, "then look for the assignment of that value that carries least")
	pflag.Parse()
	folder := os.Getenv(dnn.Env)
	if folder == "" {
		fmt.Fprintf(os.Stderr, "set %s to the folder that holds dnn-partitioning\n", dnn.Env)
		os.Exit(2)
	}
	known := map[string]dnn.Optimum{}
	var graphs []string
	for _, o := range dnn.Optima() {
		known[fmt.Sprint(o.Graph, o.Stages, o.Forward)] = o
		if o.Stages == 4 && !o.Forward && strings.Contains(o.Graph, *only) {
			graphs = append(graphs, o.Graph)
		}
	}
	fmt.Println("| graph | K | mode | value | bound | seconds | found by | bound by |")
	fmt.Println("|---|---|---|---|---|---|---|---|")
	count, proven, wrong := 0, 0, 0
	for _, name := range graphs {
		g, err := dnn.Load(folder, name)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		for _, k := range *stages {
			for _, mode := range *modes {
				forward := mode == "forward"
				ctx, cancel := context.WithTimeout(context.Background(), *timeout)
				started := time.Now()
				p := g.Problem(k, forward)
				if *cores > 0 {
					p.Cores = &partition.Cores{Total: *cores}
				}
				r, err := partition.Solve(ctx, p, partition.Options{Seed: *seed, Steps: *steps})
				took := time.Since(started)
				cancel()
				if err != nil {
					fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
					os.Exit(1)
				}
				note := ""
				if o, ok := known[fmt.Sprint(name, k, forward)]; ok && *cores == 0 {
					if r.Bound > o.High || r.Stages != nil && r.Value < o.Low {
						wrong++
						note = fmt.Sprintf(" WRONG: known %d to %d", o.Low, o.High)
					} else if r.Value > o.High {
						note = fmt.Sprintf(" (known %d)", o.High)
					}
				}
				count++
				if r.Status == partition.Optimal {
					proven++
				} else {
					note += " OPEN"
				}
				fmt.Printf("| %s | %d | %s | %d%s | %d | %.2f | %s | %s |\n",
					name, k, mode, r.Value, note, r.Bound, took.Seconds(), r.FoundBy, r.BoundBy)
				if *fewest && r.Stages != nil {
					before, err := p.Carried(r.Stages)
					if err != nil {
						fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
						os.Exit(1)
					}
					ctx, cancel := context.WithTimeout(context.Background(), *timeout)
					started := time.Now()
					f, err := partition.Fewest(ctx, p, r.Value, r.Stages, partition.Options{Seed: *seed, Steps: *steps})
					took := time.Since(started)
					cancel()
					if err != nil {
						fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
						os.Exit(1)
					}
					fmt.Printf("| | | carried, of %d | %d | %d | %.2f | %s | %s |\n", before, f.Carried, f.Bound, took.Seconds(), f.FoundBy, f.BoundBy)
				}
			}
		}
	}
	fmt.Printf("\n%d of %d proven\n", proven, count)
	if wrong > 0 {
		os.Exit(1)
	}
}
