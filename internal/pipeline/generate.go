package pipeline

import "fmt"

// MaxActions bounds the schedules that are generated.
const MaxActions = 1 << 20

// Size is the size of a schedule.
type Size struct {
	Ranks        int
	Microbatches int
	// Chunks is the number of stages of each rank, 1 but for interleaved
	// schedules: rank r has the stages r, r + Ranks, r + 2 Ranks, ...
	Chunks int
}

func (z Size) check() error {
	if z.Ranks < 1 || z.Microbatches < 1 || z.Chunks < 1 {
		return fmt.Errorf("a schedule needs at least 1 rank, 1 microbatch and 1 stage a rank")
	}
	for left, n := int64(MaxActions), []int{3, z.Ranks, z.Microbatches, z.Chunks}; len(n) > 0; n = n[1:] {
		if left /= int64(n[0]); left == 0 {
			return fmt.Errorf("%d microbatches in %d stages of %d ranks are more than a schedule of %d actions holds", z.Microbatches, z.Chunks, z.Ranks, MaxActions)
		}
	}
	return nil
}

// Generator makes the schedules of one name.
type Generator struct {
	Name, Doc string
	// Interleaves says that a rank may have several stages.
	Interleaves bool

	rank func(z Size, rank int) []Action
}

// Generators lists the schedules that can be generated.
func Generators() []Generator {
	return []Generator{
		{"gpipe", "all forwards of a rank before its backwards (Huang et al. 2019)", false, gpipe},
		{"1f1b", "forwards and backwards in turn, once the pipeline is full (Narayanan et al. 2019)", false, oneForwardOneBackward},
		{"interleaved-1f1b", "the same with several stages a rank (Narayanan et al. 2021)", true, interleaved},
		{"zero-bubble-h1", "1f1b with the backward of the weights as work for idle steps, in the memory of 1f1b (Qi et al. 2023)", false, zeroBubbleH1},
	}
}

// Make generates the schedule of a size. It fails for a size that it does not
// exist for.
func (g Generator) Make(z Size) (Schedule, error) {
	if err := z.check(); err != nil {
		return Schedule{}, err
	}
	if !g.Interleaves && z.Chunks != 1 {
		return Schedule{}, fmt.Errorf("%s has 1 stage a rank, not %d", g.Name, z.Chunks)
	}
	if g.Interleaves && z.Microbatches%z.Ranks != 0 {
		return Schedule{}, fmt.Errorf("%s needs a number of microbatches that %d ranks divide, not %d", g.Name, z.Ranks, z.Microbatches)
	}
	s := Schedule{Ranks: make([][]Action, z.Ranks)}
	for r := range s.Ranks {
		s.Ranks[r] = g.rank(z, r)
	}
	return s, nil
}

func gpipe(z Size, rank int) (actions []Action) {
	for _, k := range []Kind{Forward, Backward} {
		for m := range z.Microbatches {
			actions = append(actions, Action{k, int64(rank), int64(m)})
		}
	}
	return actions
}

// oneForwardOneBackward fills the pipeline with as many forwards as there are
// ranks behind this one.
func oneForwardOneBackward(z Size, rank int) []Action {
	return alternate(z.Microbatches, min(z.Ranks-rank-1, z.Microbatches),
		func(i int) []Action { return []Action{{Forward, int64(rank), int64(i)}} },
		func(i int) []Action { return []Action{{Backward, int64(rank), int64(i)}} })
}

// interleaved goes through the stages of the rank in turn, a round of as many
// microbatches as there are ranks in each. A rank fills up with a round for each
// of its stages but the first, and then two forwards for each rank behind it.
func interleaved(z Size, rank int) []Action {
	total := z.Chunks * z.Microbatches
	warmup := min((z.Chunks-1)*z.Ranks+2*(z.Ranks-rank-1), total)
	step := func(k Kind, i int) []Action {
		round, chunk := i/(z.Ranks*z.Chunks), i/z.Ranks%z.Chunks
		if k == Backward {
			chunk = z.Chunks - 1 - chunk
		}
		return []Action{{k, int64(chunk*z.Ranks + rank), int64(round*z.Ranks + i%z.Ranks)}}
	}
	return alternate(total, warmup,
		func(i int) []Action { return step(Forward, i) },
		func(i int) []Action { return step(Backward, i) })
}

// zeroBubbleH1 does the forwards and the backwards of inputs like 1F1B. The
// backwards of weights come so many microbatches later that the rank holds the
// activations of as many microbatches as the first one, which has to hold one
// for each rank.
func zeroBubbleH1(z Size, rank int) []Action {
	stage, behind := int64(rank), 0
	actions := alternate(z.Microbatches, min(z.Ranks-rank-1, z.Microbatches),
		func(i int) []Action { return []Action{{Forward, stage, int64(i)}} },
		func(i int) []Action {
			actions := []Action{{BackwardInput, stage, int64(i)}}
			if i >= rank {
				actions = append(actions, Action{BackwardWeights, stage, int64(behind)})
				behind++
			}
			return actions
		})
	for ; behind < z.Microbatches; behind++ {
		actions = append(actions, Action{BackwardWeights, stage, int64(behind)})
	}
	return actions
}

// alternate does warmup forwards, then the others and backwards in turn, and
// then the backwards that are left.
func alternate(total, warmup int, forward, backward func(i int) []Action) (actions []Action) {
	for i := range total + warmup {
		if i < total {
			actions = append(actions, forward(i)...)
		}
		if i >= warmup {
			actions = append(actions, backward(i-warmup)...)
		}
	}
	return actions
}
