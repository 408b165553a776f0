// Command partition prints how the stage partition search does on the
// dnn-partitioning workloads: value, proven bound, time, and the parts that
// found the one and proved the other.
//
//	PLANCHECK_DATA=folder go run ./internal/bench/partition --timeout 20s
//
// With --clasp, clasp has the same time for the same problem after each, and
// its answers stand beside. With --median N, each problem is solved N times,
// with a seed of its own each time; the problems are then the inference graphs
// in 2 to 8 stages in 2 seconds, unless flags say otherwise.
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

	"plancheck/internal/bench/clasp"
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
	beside := pflag.Bool("clasp", false, "clasp beside, where it is installed")
	runs := pflag.Int("median", 0, "solve each problem this many times; show medians")
	pflag.Parse()
	if *runs > 0 {
		for flag, value := range map[string]string{"graph": "inference", "stages": "2,3,4,5,6,7,8", "timeout": "2s"} {
			if f := pflag.Lookup(flag); !f.Changed {
				exitOn(2, f.Value.Set(value))
			}
		}
	}
	folder := os.Getenv(dnn.Env)
	if folder == "" {
		exitOn(2, fmt.Errorf("set %s to the folder that holds dnn-partitioning", dnn.Env))
	}
	problems, err := load(folder, *only, *stages, *modes)
	exitOn(2, err)
	if *cores > 0 {
		for i := range problems {
			problems[i].p.Cores = &partition.Cores{Total: *cores}
			problems[i].known = nil // that is known of one core a stage
		}
	}

	ours := func(p *partition.Problem, seed uint64) (partition.Result, time.Duration) {
		ctx, cancel := context.WithTimeout(context.Background(), *timeout)
		defer cancel()
		started := time.Now()
		r, err := partition.Solve(ctx, p, partition.Options{Seed: seed, Steps: *steps})
		exitOn(1, err)
		return r, time.Since(started)
	}
	if *runs > 0 {
		medians(problems, *runs, func(p *partition.Problem, run int) (partition.Result, time.Duration) {
			return ours(p, *seed+uint64(run))
		})
		return
	}
	var theirs func(*partition.Problem) (clasp.Answer, time.Duration)
	if solver, ok := clasp.Find(); *beside && !ok {
		fmt.Printf("Without clasp: %s.\n\n", clasp.Missing)
	} else if *beside {
		theirs = func(p *partition.Problem) (clasp.Answer, time.Duration) {
			ctx, cancel := context.WithTimeout(context.Background(), *timeout)
			defer cancel()
			started := time.Now()
			a, err := solver.Solve(ctx, p)
			exitOn(1, err)
			return a, time.Since(started)
		}
	}
	var after func(*partition.Problem, partition.Result)
	if *fewest {
		after = func(p *partition.Problem, r partition.Result) {
			before, err := p.Carried(r.Stages)
			exitOn(1, err)
			ctx, cancel := context.WithTimeout(context.Background(), *timeout)
			defer cancel()
			started := time.Now()
			f, err := partition.Fewest(ctx, p, r.Value, r.Stages, partition.Options{Seed: *seed, Steps: *steps})
			exitOn(1, err)
			fmt.Printf("| | | carried, of %d | | %d | %d | %.2f | %s | %s |\n", before, f.Carried, f.Bound, time.Since(started).Seconds(), f.FoundBy, f.BoundBy)
		}
	}
	wrong := table(problems, func(p *partition.Problem) (partition.Result, time.Duration) { return ours(p, *seed) }, theirs, after)
	if wrong > 0 {
		exitOn(1, fmt.Errorf("%d values or bounds contradict what is known", wrong))
	}
}

// problem is a line of a table.
type problem struct {
	graph  string
	stages int
	mode   string
	p      *partition.Problem
	known  *dnn.Optimum // nil when nothing is known
}

// load reads the graphs whose names contain a word, in every number of stages
// and every mode.
func load(folder, only string, stages []int, modes []string) ([]problem, error) {
	known := map[string]*dnn.Optimum{}
	var graphs []string
	for _, o := range dnn.Optima() {
		known[fmt.Sprint(o.Graph, o.Stages, o.Forward)] = &o
		if o.Stages == 4 && !o.Forward && strings.Contains(o.Graph, only) {
			graphs = append(graphs, o.Graph)
		}
	}
	var list []problem
	for _, name := range graphs {
		g, err := dnn.Load(folder, name)
		if err != nil {
			return nil, err
		}
		for _, k := range stages {
			for _, mode := range modes {
				if mode != "strict" && mode != "forward" {
					return nil, fmt.Errorf("mode %q is neither strict nor forward", mode)
				}
				forward := mode == "forward"
				list = append(list, problem{name, k, mode, g.Problem(k, forward), known[fmt.Sprint(name, k, forward)]})
			}
		}
	}
	return list, nil
}

func exitOn(code int, err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(code)
	}
}
