package schedule

import (
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		want string
		edit func(p *Problem)
	}{
		{"0 stages", func(p *Problem) { p.Stages = 0 }},
		{"121 stages and 4 cores, more than 120 or 65536", func(p *Problem) { p.Stages = 121 }},
		{"3 stages and 65537 cores, more than 120 or 65536", func(p *Problem) { p.Cores = 1<<16 + 1 }},
		{"2 cores for 3 stages", func(p *Problem) { p.Cores = 2 }},
		{"0 kinds of cores", func(p *Problem) { p.Kinds = 0 }},
		{"weight 1 has slices of -1 bytes", func(p *Problem) { p.Slices[1] = -1 }},
		{"op 0 is in stages 0 to 3 of 3", func(p *Problem) { p.Ops[0].Hi = 3 }},
		{"op 0 is in stages 1 to 0 of 3", func(p *Problem) { p.Ops[0].Lo, p.Ops[0].Hi = 1, 0 }},
		{"op 0 has 0 lanes of 2 parts", func(p *Problem) { p.Ops[0].Lanes = 0 }},
		{"op 0 has 1073741824 lanes of 2 parts", func(p *Problem) { p.Ops[0].Lanes = 1 << 30 }},
		{"op 2 has 2 pins for 1 shares", func(p *Problem) { p.Ops[2].Pins = []int{3, 3} }},
		{"op 1: cycles on 1 kinds of cores, of 2", func(p *Problem) { p.Ops[1].Cycles = []int64{1} }},
		{"op 1: -1 cycles", func(p *Problem) { p.Ops[1].Cycles[1] = -1 }},
		{"op 1 has weight 0, which does not exist or is listed twice", func(p *Problem) { p.Ops[1].Weights[1] = 0 }},
		{"op 1 has weight 2, which does not exist or is listed twice", func(p *Problem) { p.Ops[1].Weights[1] = 2 }},
		{"share 0 of op 2 is on core 4 of 4", func(p *Problem) { p.Ops[2].Pins[0] = 4 }},
		{"value 2 is from op 3 of 3", func(p *Problem) { p.Values[2].From = 3 }},
		{"value 2 has -2 bytes", func(p *Problem) { p.Values[2].Bytes = -2 }},
		{"forwards of value 2 have -1 lanes", func(p *Problem) { p.Values[2].Forward = -1 }},
		{"forwards of value 2: cycles on 0 kinds of cores, of 2", func(p *Problem) { p.Values[2].Forward = 1 }},
		{"read 3 is of value 3 by op 2", func(p *Problem) { p.Reads[3].Value = 3 }},
		{"read 3 is of value 2 by op -1", func(p *Problem) { p.Reads[3].To = -1 }},
		{"2 ranges for 3 stages", func(p *Problem) { p.Ranges = p.Ranges[:2] }},
		{"stage 0 has 0 cores from core 0 on, of 4", func(p *Problem) { p.Ranges[0].Count = 0 }},
		{"stage 2 has -1 cores from core 4 on, of 4", func(p *Problem) { p.Ranges[2].First = 4 }},
		{"3 machine cores for 4 logical ones", func(p *Problem) { p.Machine = p.Machine[:3] }},
		{"3 places on 4 machine cores", func(p *Problem) { p.Places = p.Places[:3] }},
		{"distances of 3 machine cores, of 4", func(p *Problem) { p.Hops = p.Hops[:3] }},
		{"machine core 0 holds -2 bytes and is of kind 0 of 2", func(p *Problem) { p.Machine[0].Capacity = -2 }},
		{"machine core 0 holds 9 bytes and is of kind 2 of 2", func(p *Problem) { p.Machine[0].Kind = 2 }},
		{"core 1 is placed on machine core 4 of 4", func(p *Problem) { p.Places[1] = 4 }},
		{"machine core 1 has distances to 3 cores, of 4", func(p *Problem) { p.Hops[1] = p.Hops[1][:3] }},
		{"machine cores 1 and 2 are -1 hops apart", func(p *Problem) { p.Hops[1][2] = -1 }},
		{"op 1 waits for itself, or for an op that does", func(p *Problem) { p.Reads = append(p.Reads, Read{2, 1}) }},
		{"op 0 waits for itself, or for an op that does", func(p *Problem) { p.Reads = append(p.Reads, Read{2, 0}) }},
		{"more than 2147483647 shares", func(p *Problem) { p.Ops[1].Lanes = math.MaxInt32 }},
		{"the cycles of all shares are more than 9223372036854775807", func(p *Problem) { p.Ops[0].Cycles[1] = math.MaxInt64 / 4 }},
		{"the cycles of all shares are more than 9223372036854775807", func(p *Problem) { p.Values[1].Cycles[0] = math.MaxInt64 / 3 }},
		{"the weights of all lanes have more than 9223372036854775807 bytes", func(p *Problem) { p.Slices[0] = math.MaxInt64 / 2 }},
		{"the traffic may be more than 9223372036854775807", func(p *Problem) { p.Values[2].Bytes = math.MaxInt64 / 2 }},
	} {
		p, _ := example()
		c.edit(p)
		if err := p.Check(); !errors.Is(err, ErrProblem) || strings.TrimPrefix(err.Error(), "ill-formed scheduling problem: ") != c.want {
			t.Errorf("error is %v, want %s", err, c.want)
		}
	}
}

func TestOrder(t *testing.T) {
	p, _ := example()
	if diff := cmp.Diff([]int{0, 1, 2}, p.Order()); diff != "" {
		t.Error(diff)
	}
	p.Reads = append(p.Reads, Read{2, 1})
	if diff := cmp.Diff([]int{0}, p.Order()); diff != "" {
		t.Error(diff)
	}
}

// A factor of 0 makes the product 0, wherever it stands.
func TestTally(t *testing.T) {
	var sum tally
	sum.add(math.MaxInt64, 2, 0)
	sum.add(3, 4)
	if diff := cmp.Diff(tally{sum: 12}, sum, cmp.AllowUnexported(tally{})); diff != "" {
		t.Error(diff)
	}
}
