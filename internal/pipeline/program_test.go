package pipeline

import (
	"flag"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"plancheck/ir"
)

var update = flag.Bool("update", false, "write the expected plans of testdata anew")

func planned(t interface{ Fatal(...any) }, s Schedule, o Options) *ir.Plan {
	p, err := s.Plan("test", o)
	if err != nil {
		t.Fatal(err)
	}
	if ds := ir.Validate(p); len(ds) > 0 {
		t.Fatal(ds)
	}
	return p
}

func TestPlanGolden(t *testing.T) {
	for _, test := range []struct {
		file string
		s    Schedule
		o    Options
	}{
		{"1f1b.json", generated(t, "1f1b", Size{2, 3, 1}), Options{100, 10, ir.None, ir.None, nil}},
		{"interleaved.json", generated(t, "interleaved-1f1b", Size{2, 2, 2}), Options{100, 10, 4096, 0, nil}},
		{"zero-bubble.json", generated(t, "zero-bubble-h1", Size{2, 2, 1}), Options{100, 0, ir.None, 3, func(a Action) string { return "do " + a.String() }}},
		{"disordered.json", disordered(), Options{100, 10, ir.None, ir.None, nil}},
	} {
		got := ir.Encode(planned(t, test.s, test.o))
		if *update {
			if err := os.WriteFile("testdata/"+test.file, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile("testdata/" + test.file)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), string(got)); d != "" {
			t.Errorf("%s: %s", test.file, d)
		}
	}
}

// disordered works on microbatches in another order on its second rank.
func disordered() Schedule {
	return Schedule{Ranks: [][]Action{{{Forward, 0, 0}, {Forward, 0, 1}}, {{Forward, 1, 1}, {Forward, 1, 0}}}}
}

func TestDisordered(t *testing.T) {
	if d := cmp.Diff([]Way{{0, 1}}, disordered().WithTransfers().Disordered()); d != "" {
		t.Error(d)
	}
}

func TestPlanRefuses(t *testing.T) {
	twice, elsewhere := train(), train()
	twice.Ranks[0][1] = twice.Ranks[0][0]
	elsewhere.Ranks[0][1].Stage = 1
	elsewhere.Ranks[0][1].Microbatch = 7
	big := DefaultOptions()
	big.ActivationBytes = 1 << 62
	deep := DefaultOptions()
	deep.Depth = 1 << 62
	for _, test := range []struct {
		s    Schedule
		o    Options
		want string
	}{
		{twice, DefaultOptions(), "0F0 is done twice"},
		{elsewhere, DefaultOptions(), "1F0 is on rank 1, where its stage is not"},
		{train(), Options{-1, 0, 0, 0, nil}, "bytes and the depth of channels must be at least 0"},
		{train(), Options{0, 0, 0, -2, nil}, "bytes and the depth of channels must be at least 0"},
		{train(), big, "the memory of a rank is beyond 64 bits: 4611686018427387904 bytes 2 times"},
		{train(), deep, "the memory of a rank is beyond 64 bits: 1048576 bytes 4611686018427387904 times"},
	} {
		p, err := test.s.Plan("test", test.o)
		if err == nil || err.Error() != test.want || p != nil {
			t.Errorf("%v, want %s", err, test.want)
		}
	}
}

// carryOut does the commands of a program as docs/command-plan.md says, and
// returns those that are left when nothing more can be done. It knows queues,
// dependencies and channels.
func carryOut(p *ir.Plan) (left []string) {
	depth := map[ir.ID]int64{}
	for _, c := range p.Program.Channels {
		depth[c.ID] = c.Depth
	}
	queues := map[ir.ID][]*ir.Command{}
	var order []ir.ID
	for i := range p.Program.Commands {
		c := &p.Program.Commands[i]
		if queues[c.Queue] == nil {
			order = append(order, c.Queue)
		}
		queues[c.Queue] = append(queues[c.Queue], c)
	}
	done := map[ir.ID]bool{}
	sent, received := map[ir.ID]int64{}, map[ir.ID]int64{}
	begins := func(c *ir.Command) bool {
		return !slices.ContainsFunc(c.After, func(id ir.ID) bool { return !done[id] })
	}
	finish := func(q ir.ID) {
		done[queues[q][0].ID] = true
		queues[q] = queues[q][1:]
	}
	for moved := true; moved; {
		moved = false
		for _, q := range order {
			if len(queues[q]) == 0 || !begins(queues[q][0]) {
				continue
			}
			c := queues[q][0]
			switch c.Kind {
			case ir.KindSend:
				if depth[c.Channel] > 0 {
					if sent[c.Channel]-received[c.Channel] == depth[c.Channel] {
						continue
					}
					sent[c.Channel]++
					break
				}
				mate := ir.NoID
				for _, other := range order {
					if len(queues[other]) > 0 && queues[other][0].Kind == ir.KindRecv && queues[other][0].Channel == c.Channel && begins(queues[other][0]) {
						mate = other
					}
				}
				if mate == ir.NoID {
					continue
				}
				finish(mate)
			case ir.KindRecv:
				if received[c.Channel] == sent[c.Channel] {
					continue
				}
				received[c.Channel]++
			}
			finish(q)
			moved = true
		}
	}
	for _, q := range order {
		for _, c := range queues[q] {
			left = append(left, p.Text(c.ID))
		}
	}
	return left
}

// A program ends with the depths that it chooses; a rank does not write what it
// still needs, and has no byte too much. In each direction messages carry what
// their receiver waits for.
func TestProgramsWork(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, _, s := drawSchedule(t)
		o := Options{rapid.Int64Range(0, 9).Draw(t, "activation"), rapid.Int64Range(0, 9).Draw(t, "message"), ir.None, ir.None, nil}
		p := planned(t, s, o)
		if left := carryOut(p); len(left) > 0 {
			t.Fatalf("%v are never done", left)
		}
		checkMemory(t, p)
		checkMessages(t, p)
	})
}

// checkMemory walks through the commands of each rank.
func checkMemory(t *rapid.T, p *ir.Plan) {
	buffers, regions := map[ir.ID]ir.Buffer{}, map[ir.ID]int64{}
	for _, b := range p.Program.Buffers {
		buffers[b.ID] = b
	}
	first, last := map[ir.ID]int{}, map[ir.ID]int{}
	for i, c := range p.Program.Commands {
		for _, id := range c.Reads {
			if _, ok := first[id]; !ok {
				t.Fatalf("%s reads %s before it is written", p.Text(c.ID), p.Text(id))
			}
			last[id] = i
		}
		for _, id := range c.Writes {
			if _, ok := first[id]; ok {
				t.Fatalf("%s is written twice", p.Text(id))
			}
			first[id], last[id] = i, i
		}
	}
	if len(first) != len(buffers) {
		t.Fatalf("%d of %d buffers are used", len(first), len(buffers))
	}
	for i, a := range p.Program.Buffers {
		regions[a.Region] = max(regions[a.Region], a.Offset+a.Size)
		for _, b := range p.Program.Buffers[:i] {
			if a.Region == b.Region && a.Offset < b.Offset+b.Size && b.Offset < a.Offset+a.Size &&
				first[a.ID] <= last[b.ID] && first[b.ID] <= last[a.ID] {
				t.Fatalf("%s and %s live at once in the same bytes", p.Text(a.ID), p.Text(b.ID))
			}
		}
	}
	for _, c := range p.Program.Channels {
		regions[c.Region] += c.Depth * c.Slot
	}
	for _, r := range p.Program.Regions {
		if r.Capacity != regions[r.ID] {
			t.Fatalf("%s has %d bytes, %d are used", p.Text(r.ID), r.Capacity, regions[r.ID])
		}
	}
}

// checkMessages pairs sends and receives.
func checkMessages(t *rapid.T, p *ir.Plan) {
	ends := map[string][][2]int64{} // stage and microbatch
	for _, c := range p.Program.Commands {
		if c.Channel != ir.NoID {
			key := c.Kind + " " + p.Text(c.Channel)
			ends[key] = append(ends[key], [2]int64{c.Stage, c.Microbatch})
		}
	}
	for _, c := range p.Program.Channels {
		sends, receives := ends["send "+p.Text(c.ID)], ends["recv "+p.Text(c.ID)]
		if !slices.EqualFunc(sends, receives, func(a, b [2]int64) bool {
			return (a[0]-b[0] == 1 || b[0]-a[0] == 1) && a[1] == b[1]
		}) {
			t.Fatalf("%s: sends %v, receives %v", p.Text(c.ID), sends, receives)
		}
	}
}

// Where every send waits for its receive, GPipe alone goes on: the others send
// in both directions at once.
func TestRendezvous(t *testing.T) {
	o := DefaultOptions()
	o.Depth = 0
	got := map[string]bool{}
	for _, g := range Generators() {
		got[g.Name] = len(carryOut(planned(t, generated(t, g.Name, Size{2, 4, 1}), o))) == 0
	}
	want := map[string]bool{"gpipe": true, "1f1b": false, "interleaved-1f1b": false, "zero-bubble-h1": false}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// The order that gets stuck is in the program as it is.
func TestStuckSchedulesBecomePrograms(t *testing.T) {
	s := train()
	s.Ranks[1][0], s.Ranks[1][1] = s.Ranks[1][1], s.Ranks[1][0]
	want := []string{"0RECV_B0", "0BW0", "0RECV_B1", "0BW1", "1B0", "1SEND_B0", "1RECV_F0", "1F0", "1W0", "1RECV_F1", "1F1", "1BW1", "1SEND_B1"}
	if d := cmp.Diff(want, carryOut(planned(t, s, DefaultOptions()))); d != "" {
		t.Error(d)
	}
}
