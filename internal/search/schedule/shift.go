package schedule

import "slices"

// shifter moves ops to neighbouring stages, and whatever has to move with them.
type shifter struct {
	p       *Problem
	reads   [][]int // of each op, the reads that it or its values take part in
	limit   int     // how many ops may move together
	pending []int
}

func newShifter(p *Problem) *shifter {
	s := &shifter{p: p, reads: make([][]int, len(p.Ops)), limit: 12}
	for i, r := range p.Reads {
		s.reads[r.To] = append(s.reads[r.To], i)
		if from := p.Values[r.Value].From; from != Outside {
			s.reads[from] = append(s.reads[from], i)
		}
	}
	return s
}

// shift returns the stages with op moved by one stage, up or down, and with it
// those that may not stay behind; nil when that is not possible, or too many.
func (s *shifter) shift(stage []int, op, by int) []int {
	out := slices.Clone(stage)
	moved := 0
	move := func(o int) bool {
		out[o] += by
		moved++
		s.pending = append(s.pending, o)
		return moved <= s.limit && s.p.Ops[o].Lo <= out[o] && out[o] <= s.p.Ops[o].Hi
	}
	s.pending = s.pending[:0]
	if !move(op) {
		return nil
	}
	for len(s.pending) > 0 {
		o := s.pending[len(s.pending)-1]
		s.pending = s.pending[:len(s.pending)-1]
		for _, i := range s.reads[o] {
			r := s.p.Reads[i]
			v := &s.p.Values[r.Value]
			from := Outside
			if v.From != Outside {
				from = out[v.From]
			}
			to := out[r.To]
			if from <= to && (to <= from+1 || v.Forward > 0) {
				continue
			}
			// The other end follows; an op that has moved already cannot.
			other := r.To
			if other == o {
				other = v.From
			}
			if other == Outside || out[other] != stage[other] || !move(other) {
				return nil
			}
		}
	}
	if s.p.NonEmpty && !s.p.fills(out) {
		return nil
	}
	return out
}

// fills says whether every stage has an op that is no forward.
func (p *Problem) fills(stage []int) bool {
	filled := make([]bool, p.Stages)
	for o, k := range stage {
		filled[k] = filled[k] || !p.Ops[o].Carries
	}
	return !slices.Contains(filled, false)
}
