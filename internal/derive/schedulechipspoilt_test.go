package derive

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/facts"
	"plancheck/internal/example"
	"plancheck/ir"
)

// spoilable is a plan on a chip and the ways to its parts.
type spoilable struct {
	*ir.Plan
	*ir.SpatialExtension
}

func (p *spoilable) command(kind, op string) *ir.Command {
	cs := p.Program.Commands
	return &cs[slices.IndexFunc(cs, func(c ir.Command) bool { return c.Kind == kind && c.Function() == op })]
}

func (p *spoilable) slot(c *ir.Command) *ir.Slot {
	return &p.Slots[slices.IndexFunc(p.Slots, func(s ir.Slot) bool { return s.Command == c.ID })]
}

func (p *spoilable) route(c *ir.Command) *ir.Route {
	return &p.Routes[slices.IndexFunc(p.Routes, func(r ir.Route) bool { return r.Command == c.ID })]
}

// reader is a sum, and its transfer the one by which it gets the partial of another
// rank.
func (p *spoilable) reader() (sum, transfer *ir.Command) {
	sum = p.command(ir.KindLaunch, "sum")
	for i := range p.Program.Commands {
		if c := &p.Program.Commands[i]; c.Kind == ir.KindTransfer && slices.Contains(sum.Reads, c.Writes[0]) {
			return sum, c
		}
	}
	return sum, nil
}

// What is spoilt in a plan on a chip the rules find.
func TestSpoiltChips(t *testing.T) {
	s := onChip(t, "mlp", example.ModelSize{Hidden: 32, FFN: 64, DType: "bf16"}, 4, 2, 16)
	for _, c := range []struct {
		name  string
		spoil func(*spoilable)
		want  []string // codes
	}{
		{"nothing", func(*spoilable) {}, nil},
		{"a transfer a cycle early", func(p *spoilable) { p.slot(p.command(ir.KindTransfer, "")).Cycle-- }, []string{"slot-latency-violated"}},
		{"a sum a cycle early", func(p *spoilable) {
			sum, _ := p.reader()
			p.slot(sum).Cycle--
		}, []string{"slot-latency-violated"}},
		{"a payload that leaves a cycle early", func(p *spoilable) {
			_, x := p.reader()
			p.route(x).Hops[0].Depart = p.slot(x).Cycle
		}, []string{"route-discontinuous"}},
		{"a payload on a busy link", func(p *spoilable) {
			until := map[ir.ID]int64{}
			for _, r := range p.Routes {
				h := &r.Hops[0]
				if h.Depart == until[h.Link] { // it has waited
					h.Depart--
					return
				}
				until[h.Link] = h.Depart + h.Cycles
			}
			t.Fatal("no payload waits for a link")
		}, []string{"link-overcommitted"}},
		{"a link that there is not", func(p *spoilable) {
			_, x := p.reader()
			p.route(x).Hops[0].Link = p.Symbols.String("elsewhere")
		}, []string{"route-link-unknown"}},
		{"a partial that is left out", func(p *spoilable) {
			sum, x := p.reader()
			sum.Reads = slices.DeleteFunc(slices.Clone(sum.Reads), func(id ir.ID) bool { return id == x.Writes[0] })
		}, []string{"partial-consumed-unreduced"}},
		{"a partial that is read twice", func(p *spoilable) {
			sum, x := p.reader()
			b := p.Program.Buffers[slices.IndexFunc(p.Program.Buffers, func(b ir.Buffer) bool { return b.ID == x.Writes[0] })]
			b.ID, b.Offset = p.Symbols.String("again"), 1<<20
			again, slot, route := *x, *p.slot(x), *p.route(x)
			again.ID, again.Writes = p.Symbols.String("once more"), []ir.ID{b.ID}
			slot.Command, slot.Cycle = again.ID, 1<<20
			route.Command, route.Hops = again.ID, slices.Clone(route.Hops)
			for i := range route.Hops {
				route.Hops[i].Depart = 1<<20 + 1 + int64(i)<<10
			}
			p.slot(sum).Cycle = 1 << 21
			sum.Reads, sum.After = append(slices.Clone(sum.Reads), b.ID), append(slices.Clone(sum.After), again.ID)
			at := slices.IndexFunc(p.Program.Commands, func(c ir.Command) bool { return c.ID == sum.ID })
			p.Program.Commands, p.Program.Buffers = slices.Insert(p.Program.Commands, at, again), append(p.Program.Buffers, b)
			p.Slots, p.Routes = append(p.Slots, slot), append(p.Routes, route)
		}, []string{"collective-attributes-lost"}},
		{"another reduction", func(p *spoilable) {
			sum := p.command(ir.KindLaunch, "sum")
			before, after := sum.Op, strings.Replace(sum.Op, "sum", "max", 1)
			sum.Op = after
			for i := range p.Units {
				for k := range p.Units[i].Operations {
					if o := &p.Units[i].Operations[k]; o.Op == before {
						p.Units[i].Operations = append(slices.Clone(p.Units[i].Operations), ir.Operation{Op: after, Latency: o.Latency})
					}
				}
			}
		}, []string{"reduction-kind-wrong"}},
		{"a rank without a sum", func(p *spoilable) {
			id := p.command(ir.KindLaunch, "sum").ID
			p.Program.Commands = slices.DeleteFunc(slices.Clone(p.Program.Commands), func(c ir.Command) bool { return c.ID == id })
			p.Slots = slices.DeleteFunc(slices.Clone(p.Slots), func(s ir.Slot) bool { return s.Command == id })
		}, []string{"task-not-covered"}},
		{"a launch of another stage", func(p *spoilable) { p.command(ir.KindLaunch, "sum").Stage = 0 }, []string{"command-stage-disagrees"}},
		{"memory of another buffer", func(p *spoilable) {
			sum, x := p.reader()
			at := func(id ir.ID) *ir.Buffer {
				return &p.Program.Buffers[slices.IndexFunc(p.Program.Buffers, func(b ir.Buffer) bool { return b.ID == id })]
			}
			at(x.Writes[0]).Offset = at(sum.Writes[0]).Offset
		}, []string{"buffer-overlap"}},
	} {
		d, err := Schedule(s.Scheduling).Make(context.Background(), facts.OfLevel(s.binding, nil))
		if err != nil {
			t.Fatal(err)
		}
		p := &spoilable{d.Plan(), d.Plan().Program.Extension.Spatial}
		c.spoil(p)
		p.Digest = ""
		var got []string
		for _, f := range judgedPlan(t, again(t, p.Plan), facts.OfLevel(s.Portable, nil)) {
			if code, _, _ := strings.Cut(f, ":"); !slices.Contains(got, code) {
				got = append(got, code)
			}
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// again is a plan as somebody else reads it.
func again(t testing.TB, p *ir.Plan) *facts.Document {
	t.Helper()
	return facts.OfPlan(decodedPlan(t, ir.Encode(p)))
}

// What does not fit a chip is refused, and what fits is spread no farther than it
// must.
func TestChipMemory(t *testing.T) {
	cores := func(size example.ModelSize, degree, rows int64) (perRank int, err error) {
		s := onChip(t, "mlp", size, degree, 1, rows)
		d, err := Schedule(s.Scheduling).Make(context.Background(), facts.OfLevel(s.binding, nil))
		if err != nil {
			return 0, err
		}
		if found := judgedPlan(t, d, facts.OfLevel(s.Portable, nil)); found != nil {
			t.Error(found)
		}
		seats := map[int64]bool{}
		for _, in := range d.Plan().Assignment.Instances {
			seats[in.Cores[0]] = true
		}
		return len(seats), nil
	}
	for _, c := range []struct {
		name         string
		size         example.ModelSize
		degree, rows int64
		want         int
		refused      string
	}{
		{"all on one core", example.ModelSize{Hidden: 512, FFN: 512, DType: "bf16"}, 2, 16, 1, ""},
		{"weights that leave no room", example.ModelSize{Hidden: 1024, FFN: 1920, DType: "bf16"}, 2, 64, 2, ""},
		{"partials of all ranks", example.ModelSize{Hidden: 1024, FFN: 4096, DType: "bf16"}, 16, 256, 0,
			"core core0 has 4194304 bytes of memory for buffers, and 6291456 are missing for its weights and what else lives at once [region-capacity-exceeded]"},
	} {
		got, err := cores(c.size, c.degree, c.rows)
		if got != c.want || (err == nil) != (c.refused == "") || err != nil && err.Error() != c.refused {
			t.Errorf("%s: %d cores, %v", c.name, got, err)
		}
	}
}

func TestChipRefuses(t *testing.T) {
	fresh := func() *scheduling {
		return onChip(t, "mlp", example.ModelSize{Hidden: 32, FFN: 64, DType: "bf16"}, 2, 1, 4)
	}
	for _, c := range []struct {
		name string
		of   func() *scheduling
		want string
	}{
		{"more stages than ops", func() *scheduling {
			s := fresh()
			s.Stages = 5
			return s
		}, "schedule: 5 stages and 4 ops: a stage would have nothing to do [stage-empty]"},
		{"more stages and ranks than cores", func() *scheduling {
			return onChip(t, "mlp", example.ModelSize{Hidden: 32, FFN: 64, DType: "bf16"}, 8, 3, 4)
		}, "schedule: 3 stages of 8 ranks need 24 cores, and the target has 16 [stage-without-cores]"},
		{"fewer devices than cores", func() *scheduling {
			s := fresh()
			s.Deployment.Devices = s.Deployment.Devices[:15]
			return rebound(t, s)
		}, "schedule: the deployment has 15 devices, and the mesh of the target is 4 x 4 [device-count-out-of-range]"},
		{"no engine that moves data", func() *scheduling {
			s := fresh()
			s.Target.Engines, s.Target.Kernels = s.Target.Engines[:3], s.Target.Kernels[:3]
			return rebound(t, s)
		}, "schedule: the target has no engine that does a transfer [capability-unsupported]"},
		{"nothing that adds", func() *scheduling {
			s := fresh()
			s.Target.Kernels[1].Capabilities = slices.DeleteFunc(s.Target.Kernels[1].Capabilities, func(c string) bool { return c == "add" })
			return rebound(t, s)
		}, "schedule: the partials of task down.all-reduce: no implementation of the target can do sum on bf16 [capability-unsupported]"},
	} {
		s := c.of()
		d, err := Schedule(s.Scheduling).Apply(context.Background(), read(t, s.binding))
		if d != nil || err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s := fresh()
	if _, err := s.plan(ctx, s.binding); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}
