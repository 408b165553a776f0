package main

import (
	"fmt"
	"slices"
	"time"

	"plancheck/internal/search/partition"
)

// medians solves each problem several times and prints a line for it: values
// and bounds of the worst run, the time of the middle one and of the slowest.
func medians(problems []problem, runs int, solve func(p *partition.Problem, run int) (partition.Result, time.Duration)) {
	fmt.Println("| graph | K | mode | value | bound | proven | median seconds | slowest |")
	fmt.Println("|---|---|---|---|---|---|---|---|")
	always, slowest := 0, time.Duration(0)
	var middles []time.Duration
	for _, q := range problems {
		var worst partition.Result
		var times []time.Duration
		proven := 0
		for run := range runs {
			r, took := solve(q.p, run)
			times = append(times, took)
			if r.Status == partition.Optimal {
				proven++
			}
			if run == 0 {
				worst = r
			}
			if r.Stages == nil {
				worst.Status = r.Status
			}
			worst.Value, worst.Bound = max(worst.Value, r.Value), min(worst.Bound, r.Bound)
		}
		slices.Sort(times)
		middle, last := times[len(times)/2], times[len(times)-1]
		remark := ""
		if proven < runs {
			remark = " OPEN"
		} else {
			always++
		}
		middles, slowest = append(middles, middle), max(slowest, last)
		fmt.Printf("| %s | %d | %s | %s%s | %d | %d of %d | %.3f | %.3f |\n", q.graph, q.stages, q.mode,
			value(worst.Status, worst.Value), remark, worst.Bound, proven, runs, middle.Seconds(), last.Seconds())
	}
	if len(middles) > 0 {
		slices.Sort(middles)
		fmt.Printf("\n%d of %d proven in all %d runs; medians %.3f s in the middle, %.3f s at most; slowest run %.3f s\n",
			always, len(problems), runs, middles[len(middles)/2].Seconds(), middles[len(middles)-1].Seconds(), slowest.Seconds())
	}
}
