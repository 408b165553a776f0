package encode

import (
	"cmp"
	"fmt"
	"slices"

	"plancheck/internal/search/schedule"
	"plancheck/ir"
)

// loosen copies a plan and corrects numbers that frame all decisions: how many
// cores there are, the indexes of stages, of which there are to be so many or as
// many as are listed, and into how many parts lanes may be split at most. Where
// there is a target, the cores that it lists count.
func loosen(p *ir.Plan, stages int, c *changes) *ir.Plan {
	copied := *p
	q := &copied
	q.Stages = slices.Clone(p.Stages)
	q.Assignment.Splits = slices.Clone(p.Assignment.Splits)
	if q.Target != nil {
		target := *q.Target
		t := &target
		q.Target = t
		listed := int64(len(t.Cores))
		if t.CoreCount != ir.None && t.CoreCount != listed {
			c.number(ChangeCount, "target: core_count", t.CoreCount, listed, pointer("target", "core_count"))
			t.CoreCount = listed
		}
		if q.LogicalCores != ir.None && q.LogicalCores != listed {
			c.number(ChangeCount, "plan: logical_cores", q.LogicalCores, listed, pointer("logical_cores"))
			q.LogicalCores = listed
		}
	}
	renumber(q, stages, c)
	parts := map[ir.ID]int64{} // the most that each op allows
	for i := range q.Graph.Ops {
		parts[q.Graph.Ops[i].ID] = q.Graph.Ops[i].MaxParts
	}
	for i := range q.Assignment.Splits {
		s := &q.Assignment.Splits[i]
		if most := parts[s.Op]; most != ir.None && s.Parts > most {
			c.number(ChangeSplit, "op "+q.Symbols.Show(s.Op)+": parts of lanes", s.Parts, most, pointer("assignment", "splits", i))
			s.Parts = most
		}
	}
	return q
}

// renumber gives stages beyond the number of stages the indexes that are missing
// below it, in order, and adds stages to the list that are missing then.
func renumber(q *ir.Plan, stages int, c *changes) {
	n := int64(max(stages, len(q.Stages)))
	there := make([]bool, n)
	var beyond []int
	for i := range q.Stages {
		if s := &q.Stages[i]; s.Index < n {
			there[s.Index] = true
		} else {
			beyond = append(beyond, i)
		}
	}
	slices.SortFunc(beyond, func(a, b int) int { return cmp.Compare(q.Stages[a].Index, q.Stages[b].Index) })
	filled := q.Stages == nil
	for index, taken := range there {
		switch {
		case taken:
		case len(beyond) > 0:
			s := &q.Stages[beyond[0]]
			c.number(ChangeCount, "a stage: index", s.Index, int64(index), append(named(q, int64(index)), pointer("stages", beyond[0]))...)
			s.Index = int64(index)
			beyond = beyond[1:]
		default:
			c.add(ChangeCount, filled, fmt.Sprintf("stage %d: is listed", index), named(q, int64(index))...)
			q.Stages = append(q.Stages, ir.Stage{Index: int64(index), First: ir.None, Count: ir.None})
		}
	}
}

// named are the instances that name a stage.
func named(p *ir.Plan, stage int64) []string {
	var at []string
	for i := range p.Assignment.Instances {
		if p.Assignment.Instances[i].Stage == stage {
			at = append(at, pointer("assignment", "instances", i, "stage"))
		}
	}
	return at
}

// StagesNamed is how many stages a plan has for every stage that it lists or that
// an instance names to be one of them; 0 where it names none.
func StagesNamed(p *ir.Plan) int {
	n := int64(len(p.Stages))
	for i := range p.Assignment.Instances {
		n = max(n, plus(p.Assignment.Instances[i].Stage, 1))
	}
	return int(min(n, schedule.MostStages+1))
}
