// Package encode puts a plan into the numbers that the scheduler works on, and
// the scheduler's answer back into a plan, phase by phase:
//
//	plan with holes ─ New ─> Model.Problem ─ search ─> schedule.Solution
//
//	plan ─ Partition ─> stages, ranges, splits, forwards; cores are holes
//	     ─ Pack ──────> the core of every share, residency
//	     ─ Place ─────> the placement
//	     ─ Transfers ─> transfers and synchronisation records
//
// A plan that breaks rules goes another way: nothing is decided, what the plan
// says is a wish, and the answer is written into the entries that are there:
//
//	plan ─ NewRepairer ─> Problem, Wish ─ schedule.Repair ─> Solution ─ Mend ─> plan, changes
//
// Model.May says which facts of these plans depend on the schedule, and how.
//
// Each phase makes a new plan, which the rules can judge before the next phase,
// and takes nothing back that an earlier one decided.
package encode
