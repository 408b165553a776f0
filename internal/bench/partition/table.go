package main

import (
	"fmt"
	"strings"
	"time"

	"plancheck/internal/bench/clasp"
	"plancheck/internal/bench/dnn"
	"plancheck/internal/search/partition"
)

// table solves each problem, by clasp too unless theirs is nil, in turn, prints
// a line for it, and returns how many values and bounds contradict what is
// known or each other. After the line of a problem with an assignment, after is
// called, unless it is nil.
func table(problems []problem,
	ours func(*partition.Problem) (partition.Result, time.Duration),
	theirs func(*partition.Problem) (clasp.Answer, time.Duration),
	after func(*partition.Problem, partition.Result),
) (wrong int) {
	head := "| graph | K | mode | known | value | bound | seconds | found by | bound by |"
	if theirs != nil {
		head += " clasp's value | bound | seconds |"
	}
	fmt.Println(head)
	fmt.Println(strings.Repeat("|---", strings.Count(head, "|")-1) + "|")
	proven, provenByClasp := 0, 0
	for _, q := range problems {
		r, took := ours(q.p)
		if r.Status == partition.Optimal {
			proven++
		}
		remark, bad := judge(r.Status, r.Value, r.Bound, q.known)
		wrong += bad
		fmt.Printf("| %s | %d | %s | %s | %s%s | %d | %.2f | %s | %s |", q.graph, q.stages, q.mode, interval(q.known),
			value(r.Status, r.Value), remark, r.Bound, took.Seconds(), r.FoundBy, r.BoundBy)
		if theirs != nil {
			a, took := theirs(q.p)
			if a.Status == partition.Optimal {
				provenByClasp++
			}
			remark, bad := judge(a.Status, a.Value, a.Bound, q.known)
			wrong += bad
			if r.Stages != nil && a.Bound > r.Value || a.Stages != nil && r.Bound > a.Value {
				wrong++
				remark += " DISAGREES"
			}
			fmt.Printf(" %s%s | %d | %.2f |", value(a.Status, a.Value), remark, a.Bound, took.Seconds())
		}
		fmt.Println()
		if after != nil && r.Stages != nil {
			after(q.p, r)
		}
	}
	fmt.Printf("\n%d of %d proven", proven, len(problems))
	if theirs != nil {
		fmt.Printf("; by clasp %s, %d of %d", strings.Join(clasp.Options(), " "), provenByClasp, len(problems))
	}
	fmt.Println()
	return wrong
}

// judge holds an answer against what is known of the problem, and says whether
// it is open.
func judge(status partition.Status, value, bound int64, known *dnn.Optimum) (remark string, wrong int) {
	if known != nil {
		found := status == partition.Feasible || status == partition.Optimal
		if status == partition.Infeasible || bound > known.High || found && value < known.Low {
			return " WRONG", 1
		}
	}
	if status == partition.Optimal || status == partition.Infeasible {
		return "", 0
	}
	return " OPEN", 0
}

func value(status partition.Status, v int64) string {
	if status == partition.Unknown || status == partition.Infeasible {
		return status.String()
	}
	return fmt.Sprint(v)
}

func interval(o *dnn.Optimum) string {
	switch {
	case o == nil:
		return ""
	case o.Low == o.High:
		return fmt.Sprint(o.Low)
	}
	return fmt.Sprintf("%d to %d", o.Low, o.High)
}
