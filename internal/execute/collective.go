package execute

import (
	"fmt"
	"slices"

	"plancheck/internal/tensor"
	"plancheck/ir/machine"
)

// meeting is a collective: what each of its ranks, sorted, gives. A rank writes
// its own entry, and reads those of others when these have arrived.
type meeting struct {
	ranks []int64
	given []*tensor.Tensor
	first *machine.Instruction // with which the others are compared
}

// reductions are how two numbers become one.
func reductions() map[string]func(a, b float64) float64 {
	return map[string]func(a, b float64) float64{
		"sum":     func(a, b float64) float64 { return a + b },
		"max":     func(a, b float64) float64 { return max(a, b) },
		"min":     func(a, b float64) float64 { return min(a, b) },
		"product": func(a, b float64) float64 { return a * b },
	}
}

// meet makes a call that meets the other ranks of its group. It gives what it
// reads, waits until all have, reduces in the order of the ranks, so that all get
// the same bytes, and completes when all have written theirs.
func (l *linker) meet(st *step, at *opener) error {
	x, m := st.Instruction, *st.Meeting
	if x.Function != "all-reduce" && x.Function != "all_reduce" {
		return fmt.Errorf("collective %q is not known; there is all-reduce", x.Function)
	}
	reduce := reductions()[m.Reduction]
	if reduce == nil {
		return fmt.Errorf("it does not say what it reduces by")
	}
	reads, writes := split(x)
	if len(reads) != 1 || len(writes) != 1 {
		return fmt.Errorf("%s reads 1 operand and writes 1, not %d and %d", x.Function, len(reads), len(writes))
	}
	for _, o := range []*machine.Operand{reads[0], writes[0]} {
		if err := tensorOperand(o); err != nil {
			return err
		}
	}
	if err := sameShapes([][]int64{reads[0].Shape}, writes[0].Shape); err != nil {
		return fmt.Errorf("%s: %w", x.Function, err)
	}
	t, me, err := l.meeting(x)
	if err != nil {
		return err
	}
	for _, rank := range t.ranks {
		arrival, done := l.attendance(m, rank)
		st.gates, st.exits = append(st.gates, arrival), append(st.exits, done)
		if rank != m.Rank {
			continue
		}
		if st.arrived, err = arrival.opened(at, true); err != nil {
			return err
		}
		if st.done, err = done.opened(at, false); err != nil {
			return err
		}
	}
	st.give = func() (err error) {
		t.given[me], err = l.load(reads[0])
		return err
	}
	st.work = func() error {
		sum := slices.Clone(t.given[0].Data)
		for _, other := range t.given[1:] {
			for i, v := range other.Data {
				sum[i] = reduce(sum[i], v)
			}
		}
		return tensor.Store(writes[0].DType, l.memory.of(writes[0]), sum)
	}
	return nil
}

// attendance returns the gates of a rank in a meeting: that it has arrived, and
// that it is done.
func (l *linker) attendance(m machine.Meeting, rank int64) (arrival, done *gate) {
	who, name := fmt.Sprint(rank), fmt.Sprintf("rank %d in collective %d of group %s", rank, m.Round, m.Group)
	return l.gate(gateKey{"meeting", m.Group, who, m.Round}, name), l.gate(gateKey{"met", m.Group, who, m.Round}, "the end of "+name)
}

// meeting returns the meeting that a call is about, and the place of its rank.
func (l *linker) meeting(x *machine.Instruction) (*meeting, int, error) {
	m := *x.Meeting
	k := meetingKey{m.Group, m.Round}
	t := l.meetings[k]
	if t == nil {
		ranks := l.ranks[m.Group]
		t = &meeting{ranks: ranks, given: make([]*tensor.Tensor, len(ranks)), first: x}
		l.meetings[k] = t
	}
	me := slices.Index(t.ranks, m.Rank)
	if me < 0 {
		return nil, 0, fmt.Errorf("group %s has no rank %d", m.Group, m.Rank)
	}
	shape := func(x *machine.Instruction) []int64 { reads, _ := split(x); return reads[0].Shape }
	if f := t.first; m.Reduction != f.Meeting.Reduction || !slices.Equal(shape(x), shape(f)) {
		return nil, 0, fmt.Errorf("it reduces shape %v by %s, and command %s, which it meets, reduces shape %v by %s",
			shape(x), m.Reduction, f.Command, shape(f), f.Meeting.Reduction)
	}
	return t, me, nil
}
