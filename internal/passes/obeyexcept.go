package passes

import "plancheck/internal/search/schedule"

// except is the clause that is always right: not all decisions that an invariant
// can see are as in this solution.
func (y *may) except(relation string, s *schedule.Solution) schedule.Clause {
	sees := y.seen(relation)
	c := schedule.Clause{}
	not := func(claim schedule.Claim) {
		claim.Not = true
		c = append(c, claim)
	}
	if sees[schedule.InStage] {
		for o, stage := range s.Stage {
			not(schedule.Claim{What: schedule.InStage, A: o, B: stage})
		}
	}
	if sees[schedule.OnCore] {
		for o, cores := range s.Core {
			for share, core := range cores {
				not(schedule.Claim{What: schedule.OnCore, A: o, B: share, C: core})
			}
		}
	}
	if sees[schedule.ForwardOnCore] {
		for _, f := range s.Forwards {
			for lane, core := range f.Core {
				not(schedule.Claim{What: schedule.ForwardOnCore, A: f.Value, B: f.Stage, C: lane, D: core})
			}
		}
	}
	if sees[schedule.Begins] {
		for stage, first := range s.First[1:] {
			not(schedule.Claim{What: schedule.Begins, A: stage + 1, B: first})
		}
	}
	if sees[schedule.PlacedOn] {
		for core, machine := range s.Place {
			not(schedule.Claim{What: schedule.PlacedOn, A: core, B: machine})
		}
	}
	return c
}

// seen are the kinds of claims that the facts depend on which an invariant
// reads. Which forwards there are follows from the stages.
func (y *may) seen(relation string) map[schedule.What]bool {
	all := map[schedule.What]bool{}
	reads, _ := y.ob.set.Program().Reads([]string{relation})
	for _, name := range reads {
		for k := range y.sees[name] {
			all[k] = true
		}
	}
	if all[schedule.IsCarried] || all[schedule.ForwardOnCore] {
		all[schedule.InStage] = true
	}
	return all
}
