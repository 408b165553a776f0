package rules

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"plancheck/internal/programtest"
	"plancheck/internal/symbol"
	"plancheck/ir"
)

// randomProgram draws a small program on three queues, whole in all but its
// order: every message is received, every token signalled once and waited for,
// all arrive at barriers. What it reads is initialised, and no buffers share
// bytes.
func randomProgram(t *rapid.T) *ir.Plan {
	syms := symbol.NewTable()
	id := func(format string, args ...any) ir.ID { return syms.String(fmt.Sprintf(format, args...)) }
	p := &ir.Program{Commands: []ir.Command{}, Devices: []ir.Device{{ID: id("d"), Rank: ir.None}}}
	p.Regions = []ir.Region{{ID: id("m"), Device: id("d"), Capacity: 100, Alignment: 1}}
	const queues = 3
	for q := range queues {
		p.Queues = append(p.Queues, ir.Queue{ID: id("q%d", q), Device: id("d")})
	}
	p.Buffers = []ir.Buffer{{ID: id("x"), Region: id("m"), Size: 8, Alignment: 1, Initialised: true},
		{ID: id("y"), Region: id("m"), Offset: 8, Size: 8, Alignment: 1, Initialised: true}}
	lists := make([][]ir.Command, queues)
	add := func(queue int, c ir.Command) {
		c.Queue, c.Bytes, c.Stage, c.Microbatch = p.Queues[queue].ID, ir.None, ir.None, ir.None
		at := rapid.IntRange(0, len(lists[queue])).Draw(t, "place")
		lists[queue] = slices.Insert(lists[queue], at, c)
	}
	queue := func() int { return rapid.IntRange(0, queues-1).Draw(t, "queue") }
	for i := range rapid.IntRange(0, 3).Draw(t, "launches") {
		c := ir.Command{ID: id("f%d", i), Kind: ir.KindLaunch}
		buffer := []ir.ID{p.Buffers[rapid.IntRange(0, 1).Draw(t, "buffer")].ID}
		if rapid.Bool().Draw(t, "writes") {
			c.Writes = buffer
		} else {
			c.Reads = buffer
		}
		add(queue(), c)
	}
	for i := range rapid.IntRange(0, 2).Draw(t, "tokens") {
		token := id("t%d", i)
		p.Tokens = append(p.Tokens, ir.Token{ID: token})
		add(queue(), ir.Command{ID: id("s%d", i), Kind: ir.KindSignal, Signals: []ir.ID{token}})
		add(queue(), ir.Command{ID: id("w%d", i), Kind: ir.KindWait, Waits: []ir.ID{token}})
	}
	for i := range rapid.IntRange(0, 2).Draw(t, "channels") {
		c := ir.Channel{ID: id("c%d", i), Depth: int64(rapid.IntRange(0, 2).Draw(t, "depth")), Slot: ir.None}
		p.Channels = append(p.Channels, c)
		from, to := queue(), queue()
		for k := range rapid.IntRange(1, 2).Draw(t, "messages") {
			add(from, ir.Command{ID: id("o%d.%d", i, k), Kind: ir.KindSend, Channel: c.ID})
			add(to, ir.Command{ID: id("i%d.%d", i, k), Kind: ir.KindRecv, Channel: c.ID})
		}
	}
	if rapid.Bool().Draw(t, "barrier") {
		p.Barriers = []ir.Barrier{{ID: id("b"), Queues: []ir.ID{p.Queues[0].ID, p.Queues[2].ID}}}
		for range rapid.IntRange(1, 2).Draw(t, "arrivals") {
			n := len(slices.Concat(lists...))
			add(0, ir.Command{ID: id("b0.%d", n), Kind: ir.KindBarrier, Barrier: id("b")})
			add(2, ir.Command{ID: id("b2.%d", n), Kind: ir.KindBarrier, Barrier: id("b")})
		}
	}
	p.Commands = append(p.Commands, slices.Concat(lists...)...)
	return &ir.Plan{Symbols: syms, LogicalCores: ir.None, Program: p}
}

// A player that tries all orders agrees with the rules on which programs come to
// an end, and on which of those have a race.
func TestProgramsAgreeWithAPlayer(t *testing.T) {
	s := builtin(t)
	count := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		p := randomProgram(t)
		if ds := ir.Validate(p); ds != nil {
			t.Fatal(ds[0].Message)
		}
		pl := programtest.Play(p.Program)
		want := "legal"
		if pl.Races(p.Program) != nil {
			want = "race"
		}
		if pl.Stuck {
			want = "dead"
		}
		count[want]++
		v, err := s.Judge(t.Context(), p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]bool{}
		for _, f := range v.Findings {
			switch f.Code {
			case "schedule-deadlock", "token-wait-before-signal":
				got["dead"] = true
			case "data-race":
				got["race"] = true
			default:
				got[f.Code+": "+f.Message] = true
			}
		}
		if want == "legal" && len(got) > 0 || want != "legal" && (len(got) != 1 || !got[want]) {
			t.Fatalf("want %s, found %v\n%s", want, got, ir.Encode(p))
		}
	})
	if testing.Short() {
		return // too few to hold all kinds every time
	}
	for _, kind := range strings.Fields("legal race dead") {
		if count[kind] == 0 {
			t.Errorf("no program was %s: %v", kind, count)
		}
	}
}
