package schedule

import (
	"slices"

	"plancheck/internal/search/partition"
)

// stageClause is a clause that speaks of stages of ops only, as the partition
// search knows it; false for any other.
func stageClause(c Clause) (partition.Clause, bool) {
	p := partition.Clause{}
	for _, claim := range c {
		switch claim.What {
		case StageAtMost:
			p = append(p, partition.Claim{Op: claim.A, Lo: Outside, Hi: claim.B, Not: claim.Not})
		case InStage:
			p = append(p, partition.Claim{Op: claim.A, Lo: claim.B, Hi: claim.B, Not: claim.Not})
		case Count:
			p = append(p, partition.Claim{Op: partition.Count, Lo: claim.A, Hi: claim.B})
		default:
			return nil, false
		}
	}
	return p, true
}

// stageLessons are those of the judge that speak of stages of ops only.
func (b *board) stageLessons() []partition.Clause {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clip(b.stages)
}

// keepsStages says whether stages keep what the judge has said of stages.
func (b *board) keepsStages(stage []int) bool {
	return !slices.ContainsFunc(b.stageLessons(), func(c partition.Clause) bool { return !c.Holds(stage) })
}
