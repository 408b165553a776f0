// Command placement prints how the placement search does on meshes: traffic of
// the best placement, the proven bound, and for comparison the traffic of
// greedy construction with swaps and of logical core i on machine core i, which
// is row by row.
//
//	go run ./internal/bench/placement --timeout 5s
//
// The flows are those of generated pipelines: stages of random sizes, each with
// one to three results of random size, of which each core holds a slice, within
// a byte of the others, that every core of the next stage reads.
package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"github.com/spf13/pflag"

	"plancheck/internal/search/placement"
)

func main() {
	timeout := pflag.Duration("timeout", 5*time.Second, "time for one problem")
	steps := pflag.Int64("steps", 0, "step budget")
	sides := pflag.IntSlice("side", []int{4, 12}, "sides of square meshes")
	seeds := pflag.Uint64("pipelines", 4, "pipelines for each mesh")
	pflag.Parse()
	fmt.Println("| cores | stages | flows | row by row | greedy and swaps | best | bound | best over bound | greedy over best | best of row by row | seconds | found by | bound by |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|---|---|---|---|")
	for _, side := range *sides {
		for seed := range *seeds {
			r := rand.New(rand.NewPCG(seed, uint64(side)))
			p := &placement.Problem{Cores: side * side, Hops: mesh(side)}
			stages := deal(r, side*side, 3+r.IntN(side))
			p.Flows = pipeline(r, stages)
			rows := make([]int, p.Cores)
			for i := range rows {
				rows[i] = i
			}
			rowByRow, err := p.Traffic(rows)
			if err != nil {
				fail(err)
			}
			greedy := int64(-1)
			ctx, cancel := context.WithTimeout(context.Background(), *timeout)
			started := time.Now()
			got, err := placement.Solve(ctx, p, placement.Options{Seed: 1, Steps: *steps, OnChange: func(_, value int64) {
				// The first placement is that of greedy construction.
				if greedy < 0 {
					greedy = value
				}
			}})
			took := time.Since(started)
			cancel()
			if err != nil {
				fail(err)
			}
			fmt.Printf("| %d | %d | %d | %d | %d | %d | %d | %+.1f %% | %+.1f %% | %.0f %% | %.2f | %s | %s |\n",
				p.Cores, len(stages), len(p.Flows), rowByRow, greedy, got.Value, got.Bound,
				percent(got.Value-got.Bound, got.Bound), percent(greedy-got.Value, got.Value),
				percent(got.Value, rowByRow), took.Seconds(), got.FoundBy, got.BoundBy)
		}
	}
}

func percent(a, b int64) float64 { return 100 * float64(a) / float64(max(b, 1)) }

// deal gives each of some stages at least one core.
func deal(r *rand.Rand, cores, stages int) []int {
	sizes := make([]int, stages)
	for s := range sizes {
		sizes[s] = 1
	}
	// Stages differ: each draws the rest with a weight of its own.
	weight, total := make([]int, stages), 0
	for s := range weight {
		weight[s] = 1 + r.IntN(4)
		total += weight[s]
	}
	for range cores - stages {
		s, at := 0, r.IntN(total)
		for at >= weight[s] {
			at -= weight[s]
			s++
		}
		sizes[s]++
	}
	return sizes
}

// pipeline returns the flows of a pipeline, in bytes.
func pipeline(r *rand.Rand, stages []int) []placement.Flow {
	var flows []placement.Flow
	first := 0
	for s := 0; s+1 < len(stages); s++ {
		for range 1 + r.IntN(3) {
			size := 1<<14 + r.Int64N(1<<20)
			for i := range stages[s] {
				slice := size / int64(stages[s])
				if int64(i) < size%int64(stages[s]) {
					slice++
				}
				for j := range stages[s+1] {
					flows = append(flows, placement.Flow{From: first + i, To: first + stages[s] + j, Amount: slice})
				}
			}
		}
		first += stages[s]
	}
	return flows
}

// mesh is the hops on a square mesh.
func mesh(side int) [][]int64 {
	hops := make([][]int64, side*side)
	for k := range hops {
		for l := range hops {
			x, y := k%side-l%side, k/side-l/side
			hops[k] = append(hops[k], int64(max(x, -x)+max(y, -y)))
		}
	}
	return hops
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
