package ir

import (
	"fmt"

	"plancheck/internal/strictjson"
)

// lengths reports lists that belong together and are not equally long, and
// halves of pairs.
func (c *checker) lengths() {
	a := &c.plan.Assignment
	for i := range a.Instances {
		x := &a.Instances[i]
		c.lanesAndCores(x.Lanes, x.Cores, x.At)
	}
	for i := range a.Residency {
		x := &a.Residency[i]
		c.lanesAndCores(x.Lanes, x.Cores, x.At)
		if (x.Part == None) != (x.Parts == None) {
			has, lacks := "part", "parts"
			if x.Part == None {
				has, lacks = lacks, has
			}
			c.Report(x.At, "missing-field", fmt.Sprintf("a residency entry with %q must have the field %q", has, lacks), "")
		}
	}
	if t := c.plan.Target; t != nil && t.Cores != nil {
		c.distances(t)
	}
}

// forwardWork reports ops that state the work of forwards of their value though
// the graph lists their values: whose work it is would be a guess.
func (c *checker) forwardWork() {
	g := &c.plan.Graph
	told := map[ID]bool{}
	for i := range g.Values {
		v := &g.Values[i]
		n, ok := v.From.Index()
		if !ok || c.carriables[n].kind != kindOp || told[v.From] || c.Stopped() {
			continue
		}
		if op := &g.Ops[c.carriables[n].index]; op.ForwardCycles != None {
			told[v.From] = true
			c.Report(c.locate(op.At, "forward_cycles"), "field-misplaced",
				fmt.Sprintf("op %s states the work of a forward, but its values are listed", c.quote(op.ID)),
				fmt.Sprintf("move \"forward_cycles\" to the value %s", c.quote(v.ID)))
		}
	}
}

func (c *checker) lanesAndCores(lanes, cores []int64, at uint32) {
	if lanes != nil && cores != nil && len(lanes) != len(cores) {
		c.ReportValue(c.locate(at, "lanes"), "length-mismatch",
			fmt.Sprintf(`has %s, but "cores" has %d`, count(len(lanes), "entry"), len(cores)), "")
	}
}

func (c *checker) distances(t *Target) {
	n := len(t.Cores)
	if t.Distances == nil {
		return
	}
	if len(t.Distances) != n {
		c.ReportValue(t.DistancesAt, "length-mismatch",
			fmt.Sprintf("has %s, but there are %s", count(len(t.Distances), "row"), count(n, "core")), "")
	}
	var rows []uint32
	for i, row := range t.Distances {
		if row == nil || len(row) == n {
			continue
		}
		if rows == nil {
			rows = strictjson.Entries(c.plan.Source, t.DistancesAt)
		}
		c.ReportValue(rows[i], "length-mismatch",
			fmt.Sprintf("has %s, but there are %s", count(len(row), "distance"), count(n, "core")), "")
	}
}
