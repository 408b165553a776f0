package facts

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"plancheck/internal/symbol"
	"plancheck/ir"
)

// someProgram draws commands on ordered queues, one that is not and barriers, all
// of which use one buffer.
func someProgram(t *rapid.T) *ir.Plan {
	syms := symbol.NewTable()
	id := func(format string, args ...any) ir.ID { return syms.String(fmt.Sprintf(format, args...)) }
	p := &ir.Program{Devices: []ir.Device{{ID: id("d"), Rank: ir.None}}}
	for q := range 4 {
		p.Queues = append(p.Queues, ir.Queue{ID: id("q%d", q), Device: id("d"), Unordered: q == 3})
	}
	p.Regions = []ir.Region{{ID: id("m"), Device: id("d"), Capacity: 100, Alignment: 1}}
	p.Buffers = []ir.Buffer{{ID: id("x"), Region: id("m"), Size: 8, Alignment: 1}}
	p.Barriers = []ir.Barrier{{ID: id("b"), Queues: []ir.ID{id("q0"), id("q1")}}}
	add := func(c ir.Command) {
		c.ID, c.Bytes, c.Stage, c.Microbatch = id("c%d", len(p.Commands)), ir.None, ir.None, ir.None
		for k := range p.Commands {
			if c.Kind == ir.KindLaunch && rapid.IntRange(0, 9).Draw(t, "depends") == 0 {
				c.After = append(c.After, p.Commands[k].ID)
			}
		}
		p.Commands = append(p.Commands, c)
	}
	for range rapid.IntRange(1, 20).Draw(t, "commands") {
		if rapid.IntRange(0, 5).Draw(t, "barrier") == 0 {
			add(ir.Command{Kind: ir.KindBarrier, Queue: id("q0"), Barrier: id("b")})
			add(ir.Command{Kind: ir.KindBarrier, Queue: id("q1"), Barrier: id("b")})
			continue
		}
		c := ir.Command{Kind: ir.KindLaunch, Queue: p.Queues[rapid.IntRange(0, 3).Draw(t, "queue")].ID}
		if x := []ir.ID{id("x")}; rapid.Bool().Draw(t, "writes") {
			c.Writes = x
		} else {
			c.Reads = x
		}
		add(c)
	}
	return &ir.Plan{Symbols: syms, LogicalCores: ir.None, Program: p}
}

// Walks and clocks find the same orders, and each certificate is one.
func TestOrdersByWalksAndByClocks(t *testing.T) {
	clocked := 0
	rapid.Check(t, func(t *rapid.T) {
		p := someProgram(t)
		if ds := ir.Validate(p); ds != nil {
			t.Fatal(ds[0].Message)
		}
		e := &exporter{plan: p, limit: MaxRows}
		walked, read := e.findOrders(1_000_000), e.findOrders(0)
		if walked.clocked {
			t.Fatal("clocks were made though walks were free")
		}
		if diff := cmp.Diff(walked.open, read.open); diff != "" {
			t.Fatalf("what is not ordered (-by walks +by clocks):\n%s\n%s", diff, ir.Encode(p))
		}
		for _, o := range []*orders{walked, read} {
			certified(t, o)
		}
		if len(read.entries) > 0 {
			clocked++
		}
	})
	if clocked == 0 && !testing.Short() {
		t.Error("clocks were never needed")
	}
}

// certified checks certificates as the rules do.
func certified(t *rapid.T, o *orders) {
	together := func(a, b int32) bool { return a == b || o.waits.meet[a] >= 0 && o.waits.meet[a] == o.waits.meet[b] }
	notBehind := func(a, b int32) bool { return a == b || o.follows(a, b) }
	known := map[[2]int32]bool{}
	for _, x := range o.entries {
		known[[2]int32{x.command, x.before}] = true
	}
	for _, x := range o.entries {
		right := together(x.command, x.mate) && o.waits.waits(x.mate, x.via)
		if x.through < 0 {
			right = right && together(x.via, x.before)
		} else {
			right = right && notBehind(x.through, x.via) && known[[2]int32{x.through, x.before}]
		}
		if !right {
			t.Fatalf("wrong entry %+v", x)
		}
	}
	for _, x := range o.list {
		if !notBehind(x.first, x.before) || !notBehind(x.join, x.second) ||
			!o.waits.waits(x.join, x.before) && !known[[2]int32{x.join, x.before}] {
			t.Fatalf("wrong order %+v", x)
		}
	}
}
