package rules

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"plancheck/internal/symbol"
	"plancheck/ir"
)

// randomProgram draws a small program on three queues, whole in all but its
// order: every message is received, every token signalled once and waited for,
// all arrive at barriers. What it reads is initialised, and no buffers share
// bytes. Of some the list of commands is in no order, and issue orders are given.
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
	if len(slices.Concat(lists...)) == 0 { // a program has commands
		add(0, ir.Command{ID: id("f"), Kind: ir.KindLaunch})
	}
	p.Commands = append(p.Commands, slices.Concat(lists...)...)
	if rapid.Bool().Draw(t, "issue orders") && len(p.Commands) > 0 {
		x := &ir.QueueExtension{}
		for q, list := range lists {
			o := ir.IssueOrder{Queue: p.Queues[q].ID, Commands: []ir.ID{}}
			for _, c := range list {
				o.Commands = append(o.Commands, c.ID)
			}
			x.Orders = append(x.Orders, o)
		}
		p.Extension = &ir.Extension{Queue: x}
		p.Commands = rapid.Permutation(p.Commands).Draw(t, "list")
	}
	return &ir.Plan{Symbols: syms, LogicalCores: ir.None, Program: p}
}

// player runs a program one step at a time: the queues are where they are, and
// nothing else is known. It shares no code with the rules.
type player struct {
	program  *ir.Program
	lists    [][]*ir.Command // by queue
	seen     map[string]bool
	stuck    bool            // some order ends before the program does
	together map[string]bool // pairs of commands that some order may run at once
}

func play(p *ir.Program) *player {
	pl := &player{program: p, seen: map[string]bool{}, together: map[string]bool{}}
	for _, q := range p.Queues {
		var list []*ir.Command
		for i := range p.Commands {
			switch c := &p.Commands[i]; {
			case c.Queue != q.ID:
			case q.Unordered: // as if each had a queue of its own
				pl.lists = append(pl.lists, []*ir.Command{c})
			default:
				list = append(list, c)
			}
		}
		if p.Extension != nil && !q.Unordered {
			orders := p.Extension.Queue.Orders
			order := orders[slices.IndexFunc(orders, func(o ir.IssueOrder) bool { return o.Queue == q.ID })].Commands
			slices.SortFunc(list, func(a, b *ir.Command) int {
				return slices.Index(order, a.ID) - slices.Index(order, b.ID)
			})
		}
		pl.lists = append(pl.lists, list)
	}
	pl.from(make([]int, len(pl.lists)))
	return pl
}

// done counts the completed commands that satisfy a condition.
func (pl *player) done(at []int, is func(*ir.Command) bool) int64 {
	n := int64(0)
	for q, list := range pl.lists {
		for _, c := range list[:at[q]] {
			if is(c) {
				n++
			}
		}
	}
	return n
}

// depends says that a command has all that it depends on.
func (pl *player) depends(at []int, c *ir.Command) bool {
	return pl.program.Declared || pl.done(at, func(d *ir.Command) bool { return slices.Contains(c.After, d.ID) }) == int64(len(c.After))
}

// ready returns the queues whose next commands complete together with that of a
// queue; nil when it cannot complete now.
func (pl *player) ready(at []int, q int) []int {
	if at[q] == len(pl.lists[q]) {
		return nil
	}
	c := pl.lists[q][at[q]]
	if !pl.depends(at, c) {
		return nil
	}
	of := func(kind string, channel ir.ID) int64 {
		return pl.done(at, func(d *ir.Command) bool { return d.Kind == kind && d.Channel == channel })
	}
	next := func(is func(*ir.Command) bool) []int {
		var all []int
		for r, list := range pl.lists {
			if at[r] < len(list) && is(list[at[r]]) && pl.depends(at, list[at[r]]) {
				all = append(all, r)
			}
		}
		return all
	}
	switch c.Kind {
	case ir.KindWait:
		if pl.done(at, func(d *ir.Command) bool { return slices.Equal(d.Signals, c.Waits) }) == 0 {
			return nil
		}
	case ir.KindBarrier:
		if all := next(func(d *ir.Command) bool { return d.Kind == ir.KindBarrier }); len(all) == len(pl.program.Barriers[0].Queues) {
			return all
		}
		return nil
	case ir.KindSend, ir.KindRecv:
		i := slices.IndexFunc(pl.program.Channels, func(x ir.Channel) bool { return x.ID == c.Channel })
		depth, inside := pl.program.Channels[i].Depth, of(ir.KindSend, c.Channel)-of(ir.KindRecv, c.Channel)
		switch {
		case depth == 0:
			both := next(func(d *ir.Command) bool { return d.Channel == c.Channel })
			if len(both) < 2 {
				return nil
			}
			return both
		case c.Kind == ir.KindSend && inside == depth, c.Kind == ir.KindRecv && inside == 0:
			return nil
		}
	}
	return []int{q}
}

func (pl *player) from(at []int) {
	key := fmt.Sprint(at)
	if pl.seen[key] {
		return
	}
	pl.seen[key] = true
	moved, ended := false, true
	for q, list := range pl.lists {
		ended = ended && at[q] == len(list)
		all := pl.ready(at, q)
		if all == nil {
			continue
		}
		for r := range q {
			if pl.ready(at, r) != nil {
				pl.together[pairOf(pl.lists[q][at[q]].ID, pl.lists[r][at[r]].ID)] = true
			}
		}
		next := slices.Clone(at)
		for _, r := range all {
			next[r]++
		}
		moved = true
		pl.from(next)
	}
	pl.stuck = pl.stuck || !moved && !ended
}

func pairOf(a, b ir.ID) string { return fmt.Sprint(min(a, b), max(a, b)) }

// conflicts says whether two commands use a buffer that one of them writes.
func conflicts(a, b *ir.Command) bool {
	shared := func(x, y []ir.ID) bool {
		return slices.ContainsFunc(x, func(id ir.ID) bool { return slices.Contains(y, id) })
	}
	return shared(a.Writes, b.Writes) || shared(a.Writes, b.Reads) || shared(a.Reads, b.Writes)
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
		pl := play(p.Program)
		want := "legal"
		cs := p.Program.Commands
		for i := range cs {
			for j := range i {
				if conflicts(&cs[i], &cs[j]) && pl.together[pairOf(cs[i].ID, cs[j].ID)] {
					want = "race"
				}
			}
		}
		if pl.stuck {
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
