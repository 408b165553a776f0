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
// reads, waits until all have, reads theirs in the order of the ranks, so that all
// get the same bytes, and completes when all have written their results.
func (l *linker) meet(st *step, at *opener) error {
	x, m := st.Instruction, *st.Meeting
	read, write, err := ends(x)
	if err != nil {
		return err
	}
	t, me, err := l.meeting(x)
	if err != nil {
		return err
	}
	result, err := t.result(x, read.Shape, write.Shape, int64(me))
	if err != nil {
		return fmt.Errorf("%s: %w", x.Function, err)
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
		t.given[me], err = l.load(read)
		return err
	}
	st.work = func() error {
		y, err := result()
		if err != nil {
			return err
		}
		return tensor.Store(write.DType, l.memory.of(write), y.Data)
	}
	return nil
}

// ends are the operands of a collective: the one that it reads and the one that
// it writes.
func ends(x *machine.Instruction) (read, write *machine.Operand, err error) {
	reads, writes := split(x)
	if len(reads) != 1 || len(writes) != 1 {
		return nil, nil, fmt.Errorf("%s reads 1 operand and writes 1, not %d and %d", x.Function, len(reads), len(writes))
	}
	for _, o := range []*machine.Operand{reads[0], writes[0]} {
		if err := tensorOperand(o); err != nil {
			return nil, nil, err
		}
	}
	return reads[0], writes[0], nil
}

// result returns what makes the result of one rank, by its place, of what all
// have given: for shapes that fit.
func (t *meeting) result(x *machine.Instruction, read, write []int64, me int64) (func() (*tensor.Tensor, error), error) {
	ranks := int64(len(t.ranks))
	reduce := reductions()[x.Meeting.Reduction]
	switch x.Function {
	case "all-reduce", "all_reduce":
		if reduce == nil {
			return nil, fmt.Errorf("it does not say what it reduces by")
		}
		return func() (*tensor.Tensor, error) { return t.reduced(reduce), nil }, sameShapes([][]int64{read}, write)
	case "reduce-scatter", "reduce_scatter":
		if reduce == nil {
			return nil, fmt.Errorf("it does not say what it reduces by")
		}
		first, err := partOf(read, write, ranks, me)
		return func() (*tensor.Tensor, error) { return t.reduced(reduce).Part(first, write) }, err
	case "all-gather", "all_gather":
		_, err := partOf(write, read, ranks, me)
		return func() (*tensor.Tensor, error) { return t.gathered(read, write) }, err
	}
	return nil, fmt.Errorf("this collective is not known; there are all-gather, all-reduce and reduce-scatter")
}

// reduced is the reduction of what all ranks have given.
func (t *meeting) reduced(reduce func(a, b float64) float64) *tensor.Tensor {
	sum := slices.Clone(t.given[0].Data)
	for _, other := range t.given[1:] {
		for i, v := range other.Data {
			sum[i] = reduce(sum[i], v)
		}
	}
	return &tensor.Tensor{Shape: t.given[0].Shape, Data: sum}
}

// gathered is what all ranks have given, one beside the other.
func (t *meeting) gathered(part, whole []int64) (*tensor.Tensor, error) {
	y, err := tensor.New(whole)
	if err != nil {
		return nil, err
	}
	for i, p := range t.given {
		first, err := partOf(whole, part, int64(len(t.ranks)), int64(i))
		if err == nil {
			err = y.SetPart(first, p)
		}
		if err != nil {
			return nil, err
		}
	}
	return y, nil
}

// partOf is where the part of a rank begins in a whole that is cut into equal
// parts along one axis, that on which the shapes differ.
func partOf(whole, part []int64, ranks, me int64) ([]int64, error) {
	first := make([]int64, len(whole))
	if slices.Equal(whole, part) && ranks == 1 {
		return first, nil
	}
	cut := -1
	for i := range whole {
		if len(part) != len(whole) || whole[i] == part[i] {
			continue
		}
		if cut >= 0 || whole[i]%ranks != 0 || whole[i]/ranks != part[i] {
			cut = -1
			break
		}
		cut = i
	}
	if cut < 0 {
		return nil, fmt.Errorf("shape %v is not cut along one axis into %d parts of shape %v", whole, ranks, part)
	}
	first[cut] = me * part[cut]
	return first, nil
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
	if f := t.first; x.Function != f.Function || m.Reduction != f.Meeting.Reduction || !slices.Equal(shape(x), shape(f)) {
		return nil, 0, fmt.Errorf("it does %s on shape %v, reduced by %q, and command %s, which it meets, does %s on shape %v, reduced by %q",
			x.Function, shape(x), m.Reduction, f.Command, f.Function, shape(f), f.Meeting.Reduction)
	}
	return t, me, nil
}
