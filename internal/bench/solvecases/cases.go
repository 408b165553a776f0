// Package solvecases knows the best completions of the plans with holes in
// testdata/cases/solve.
package solvecases

import (
	"fmt"
	"os"
	"path/filepath"

	"plancheck/internal/diag"
	"plancheck/ir"
)

// Case is a plan with holes and its best completion.
type Case struct {
	Name     string // of the file NAME.json
	Feasible bool   // if not, the rest is 0
	Interval int64  // the least there is
	Forwards int    // the fewest for that interval
	// Traffic is the least for these, in bytes times hops; 0 where sizes or
	// distances are not known.
	Traffic int64
	// Counts has how many cores each stage gets, and Places the physical core of
	// each logical one, where only these reach the best; otherwise nil.
	Counts []int
	Places []int
	Why    string
}

// Cases lists the cases, those of one kind together.
func Cases() []Case {
	return []Case{
		{Name: "c18", Feasible: true, Interval: 8, Counts: []int{1, 1, 1, 1},
			Why: "emb alone takes 8, and emb | l1 l2 | l3 l4 | head takes no more; three ops a stage would take 14"},
		{Name: "c18-pinned", Feasible: true, Interval: 11, Counts: []int{1, 1, 1, 1},
			Why: "emb and l1 are pinned to stage 0"},
		{Name: "c18-tied", Feasible: true, Interval: 16, Counts: []int{2},
			Why: "the table fits one core, and there only once: emb and head are there, nothing else fits beside it"},

		{Name: "c20",
			Why: "r3 is at most one stage after r0, with r1 and r2 between: three stages cannot all have an op"},
		{Name: "c20-empty", Feasible: true, Interval: 8, Counts: []int{1, 1, 1},
			Why: "the ops use at most two stages, 16 cycles in all"},
		{Name: "c20-two", Feasible: true, Interval: 8, Counts: []int{1, 1},
			Why: "two ops a stage"},
		{Name: "c20-forward", Feasible: true, Interval: 8, Forwards: 1, Counts: []int{1, 1, 1},
			Why: "r0 is read two stages later, so one forward of 1 cycle is in stage 1: r0 r1 | r2 | r3"},
		{Name: "c20-dear", Feasible: true, Interval: 8, Counts: []int{1, 1, 1},
			Why: "a forward of 6 cycles beside an op of 4 takes 10, two stages take 8"},

		{Name: "c22",
			Why: "a and d read a dynamic input, are in stage 0, and have 130 bytes for 100"},
		{Name: "c22-one-reader", Feasible: true, Interval: 2, Counts: []int{1, 1},
			Why: "d may be in stage 1; three cycles on two cores"},
		{Name: "c22-static", Feasible: true, Interval: 2, Counts: []int{1, 1},
			Why: "a constant may be read in stage 1"},
		{Name: "c22-roomy", Feasible: true, Interval: 2, Counts: []int{1, 1}, Places: []int{1, 0},
			Why: "130 bytes of stage 0 fit physical core 1"},
		{Name: "c22-placed",
			Why: "130 bytes of stage 0 do not fit physical core 0, where it is placed"},
		{Name: "c22-forward", Feasible: true, Interval: 2, Forwards: 1, Counts: []int{1, 1},
			Why: "a or d is in stage 1, behind a forward of 1 cycle in stage 0"},

		{Name: "c25", Feasible: true, Interval: 8, Counts: []int{2},
			Why: "15 lanes of one byte and one cycle fit 8 + 7 exactly; rounding op by op gives 10 + 5"},
		{Name: "c25-pinned", Feasible: true, Interval: 8, Counts: []int{2}, Places: []int{0, 1},
			Why: "six lanes are on core 1, which has room for one more"},
		{Name: "c25-small",
			Why: "15 bytes do not fit 14"},
		{Name: "c25-nine", Feasible: true, Interval: 9, Counts: []int{2},
			Why: "15 lanes fit 6 + 9 exactly"},
		{Name: "c25-shared", Feasible: true, Interval: 10, Counts: []int{2},
			Why: "the core with room for one slice serves one lane of each op, 5 in all; the other ten are on the other core"},
		{Name: "c25-shared-roomy", Feasible: true, Interval: 8, Counts: []int{2},
			Why: "both cores hold the slice of one lane number, whose five lanes are divided 3 and 2"},

		// The ops of a stage are spread over its cores: each op is whole, on
		// one core of its stage, where its weight must fit beside the others.
		{Name: "p30", Feasible: true, Interval: 10, Counts: []int{3, 1},
			Why: "op0 op2 (6 bytes) | op1 op4 | op3, and op5 in stage 1: 10, 8, 8 and 7 cycles"},
		{Name: "p30-even", Feasible: true, Interval: 14, Counts: []int{2, 2},
			Why: "op4 and op5 on one core, op3 on another one of stage 1; op0 to op3 do not fit two cores"},
		{Name: "p30-narrow", Feasible: true, Interval: 12, Counts: []int{1, 3},
			Why: "op0 and op1 have 8 bytes, so op1 to op5 are in stage 1; op2 is beside an op of 7"},
		{Name: "p30-first", Feasible: true, Interval: 14, Counts: []int{2, 2},
			Why: "that stage 1 begins with core 2 decides both ranges"},

		{Name: "mask", Feasible: true, Interval: 18, Counts: []int{1, 1, 1},
			Why: "a dynamic input is read in stage 0 only"},
		{Name: "mask-forward", Feasible: true, Interval: 7, Forwards: 2, Counts: []int{1, 1, 1},
			Why: "a block a stage, with a forward of 1 cycle in stages 0 and 1"},

		{Name: "middle", Feasible: true, Interval: 4, Counts: []int{1, 4, 1},
			Why: "16 lane cycles on the four cores of stage 1; stages 0 and 2 stay empty"},
		{Name: "middle-input", Feasible: true, Interval: 8, Counts: []int{1, 4, 1},
			Why: "a reads a dynamic input, so its four lanes are on the only core of stage 0"},
		{Name: "middle-forward", Feasible: true, Interval: 4, Forwards: 1, Counts: []int{1, 4, 1},
			Why: "a forward of 30 bytes at 16 a cycle, 2 cycles, is in stage 0"},

		{Name: "split", Feasible: true, Interval: 8, Counts: []int{2},
			Why: "91 bytes are parts of 46 and 45, a core each, of 5 cycles; the other op takes 3 and fits beside 46"},
		{Name: "split-once",
			Why: "91 bytes fit no core"},
		{Name: "split-few",
			Why: "half of 111 bytes is 56, and fits no core"},
		{Name: "split-three", Feasible: true, Interval: 6, Counts: []int{3},
			Why: "100 bytes are parts of 34, 33 and 33; two parts would be of 50, and the largest core has 38"},

		{Name: "bins",
			Why: "two weights of 4 bytes do not fit a core of 6, and three ops are on two cores"},
		{Name: "bins-stages", Feasible: true, Interval: 2, Counts: []int{1, 1, 1},
			Why: "an op a stage"},
		{Name: "few-cores",
			Why: "three stages need a core each, and there are two"},

		{Name: "mesh", Feasible: true, Interval: 5, Traffic: 30, Counts: []int{1, 1, 1, 1},
			Why: "an op a stage, each value of 10 bytes goes one hop, around the mesh"},
		{Name: "distances", Feasible: true, Interval: 5, Traffic: 103, Counts: []int{1, 1, 1}, Places: []int{0, 2, 1},
			Why: "100 bytes go one hop, between physical cores 0 and 2, and the last byte three, from 2 to 1"},

		{Name: "pins-far",
			Why: "from a in stage 0 a chain of two edges reaches stage 2, and c is pinned to 3"},
		{Name: "pins-forward", Feasible: true, Interval: 2, Forwards: 1, Counts: []int{1, 1, 1, 1},
			Why: "a forward carries a or b over the stage without op"},
		{Name: "input-behind-pin",
			Why: "c reads a dynamic input, is in stage 0, and cannot read what comes from a in stage 1"},
		{Name: "two-values", Feasible: true, Interval: 6, Forwards: 2, Counts: []int{1, 1, 1},
			Why: "a | b | c with a forward of 1 and one of 2 cycles beside b"},
		{Name: "wide-forward", Feasible: true, Interval: 5, Forwards: 1, Counts: []int{2, 2, 2},
			Why: "each core of stage 1 has a lane of b, 2 cycles, and one of the forward, 3; a forward of one lane would take 6"},
		{Name: "nonempty-dear", Feasible: true, Interval: 5, Forwards: 1, Counts: []int{1, 1, 1},
			Why: "a | b | c with a forward of 4 cycles beside b; without the option a b | c takes 3"},

		{Name: "kinds", Feasible: true, Interval: 4, Counts: []int{1, 1}, Places: []int{1, 0},
			Why: "conv takes 4 on the matrix core, norm 3 on the vector core"},
		{Name: "kinds-placed", Feasible: true, Interval: 12, Counts: []int{1, 1}, Places: []int{0, 1},
			Why: "conv takes 12 in stage 0; in stage 1 norm is there too, 4 + 9"},
		{Name: "large-core", Feasible: true, Interval: 5, Counts: []int{1, 1}, Places: []int{1, 0},
			Why: "100 bytes fit no core, so the ops are apart, and 90 fit physical core 0 only"},
	}
}

// Read reads the plan of a case; folder is testdata/cases/solve.
func (c Case) Read(folder string) (*ir.Plan, error) {
	name := c.Name + ".json"
	text, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		return nil, fmt.Errorf("read case: %w", err)
	}
	p, ds := ir.DecodePlan(diag.NewSource(name, text))
	if p == nil {
		return nil, fmt.Errorf("read case %s: %v", name, ds)
	}
	return p, nil
}
