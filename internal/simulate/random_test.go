package simulate

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"plancheck/facts"
	"plancheck/internal/symbol"
	"plancheck/ir"
	"plancheck/ir/levels"
	"plancheck/ir/timeline"
	"plancheck/rules"
)

// randomInput draws a small program on four queues, the last two of which have no
// order, whole in all but its order, and how long its commands take. With
// written the buffers hold nothing at first, and one command writes each.
func randomInput(t *rapid.T, written bool) Input {
	syms := symbol.NewTable()
	id := func(format string, args ...any) ir.ID { return syms.String(fmt.Sprintf(format, args...)) }
	p := &ir.Program{Commands: []ir.Command{}, Devices: []ir.Device{{ID: id("d0"), Rank: 0}, {ID: id("d1"), Rank: 1}}}
	const queues = 4
	for q := range queues {
		p.Queues = append(p.Queues, ir.Queue{ID: id("q%d", q), Device: p.Devices[q%2].ID, Unordered: q >= 2})
	}
	p.Regions = []ir.Region{{ID: id("m"), Device: p.Devices[0].ID, Capacity: 100, Alignment: 1}}
	for i := range 2 {
		p.Buffers = append(p.Buffers, ir.Buffer{ID: id("x%d", i), Region: p.Regions[0].ID, Offset: int64(8 * i), Size: 8, Alignment: 1, Initialised: !written})
	}
	lists := make([][]ir.Command, queues)
	add := func(queue int, c ir.Command) {
		c.Queue, c.Bytes, c.Stage, c.Microbatch = p.Queues[queue].ID, ir.None, ir.None, ir.None
		at := rapid.IntRange(0, len(lists[queue])).Draw(t, "place")
		lists[queue] = slices.Insert(lists[queue], at, c)
	}
	queue := func() int { return rapid.IntRange(0, queues-1).Draw(t, "queue") }
	var launched []ir.ID
	launch := func(c ir.Command) {
		if len(launched) > 0 && rapid.Bool().Draw(t, "depends") {
			c.After = []ir.ID{rapid.SampledFrom(launched).Draw(t, "after")}
		}
		launched = append(launched, c.ID)
		add(queue(), c)
	}
	for i, b := range p.Buffers {
		if written {
			launch(ir.Command{ID: id("w%d", i), Kind: ir.KindLaunch, Writes: []ir.ID{b.ID}})
		}
	}
	for i := range rapid.IntRange(0, 4).Draw(t, "launches") {
		c := ir.Command{ID: id("f%d", i), Kind: ir.KindLaunch}
		if b := rapid.IntRange(0, 2).Draw(t, "buffer"); b < 2 {
			c.Reads = []ir.ID{p.Buffers[b].ID}
		}
		launch(c)
	}
	for i := range rapid.IntRange(0, 2).Draw(t, "tokens") {
		token := ir.Token{ID: id("t%d", i), Consuming: rapid.Bool().Draw(t, "consuming")}
		p.Tokens = append(p.Tokens, token)
		signals, waits := 1, rapid.IntRange(1, 2).Draw(t, "waits")
		if token.Consuming {
			signals = waits
		}
		for k := range signals {
			add(queue(), ir.Command{ID: id("s%d.%d", i, k), Kind: ir.KindSignal, Signals: []ir.ID{token.ID}})
		}
		for k := range waits {
			add(queue(), ir.Command{ID: id("v%d.%d", i, k), Kind: ir.KindWait, Waits: []ir.ID{token.ID}})
		}
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
	if rapid.Bool().Draw(t, "group") {
		p.Groups = []ir.Group{{ID: id("g"), Ranks: []int64{0, 1}}}
		for k := range rapid.IntRange(1, 2).Draw(t, "collectives") {
			for rank := range 2 {
				on := rank + 2*rapid.IntRange(0, 1).Draw(t, "queue of the rank")
				add(on, ir.Command{ID: id("k%d.%d", k, rank), Kind: ir.KindCollective, Group: p.Groups[0].ID})
			}
		}
	}
	if rapid.Bool().Draw(t, "barrier") {
		p.Barriers = []ir.Barrier{{ID: id("b"), Queues: []ir.ID{p.Queues[0].ID, p.Queues[3].ID}}}
		for k := range rapid.IntRange(1, 2).Draw(t, "arrivals") {
			add(0, ir.Command{ID: id("b0.%d", k), Kind: ir.KindBarrier, Barrier: id("b")})
			add(3, ir.Command{ID: id("b3.%d", k), Kind: ir.KindBarrier, Barrier: id("b")})
		}
	}
	p.Commands = append(p.Commands, slices.Concat(lists...)...)
	in := Input{Plan: &ir.Plan{Symbols: syms, LogicalCores: ir.None, Program: p}}
	for i := range p.Commands {
		takes := rapid.Int64Range(0, 4).Draw(t, "takes")
		if timeless(p.Commands[i].Kind) {
			takes = 0
		}
		in.Durations = append(in.Durations, takes)
	}
	if ds := ir.Validate(in.Plan); ds != nil {
		t.Fatal(ds[0].Message)
	}
	return in
}

// The simulator ends where the rules find no wait cycle, and only there; and a
// deadlock that it tells is a cycle of what commands wait for.
func TestDeadlocksAgreeWithRules(t *testing.T) {
	s, _ := rules.Load([]string{"builtin:concrete"})
	if s == nil {
		t.Fatal("the rules cannot be loaded")
	}
	count := map[bool]int{}
	rapid.Check(t, func(t *rapid.T) {
		in := randomInput(t, false)
		verdict, err := s.Judge(t.Context(), in.Plan, rules.Options{})
		if err != nil {
			t.Fatal(err)
		}
		want := false
		for _, f := range verdict.Findings {
			switch f.Code {
			case "schedule-deadlock", "token-wait-before-signal", "dag-cycle":
				want = true
			}
		}
		count[want]++
		_, err = Run(in)
		var dead *Deadlock
		if errors.As(err, &dead) != want {
			t.Fatalf("the simulator says %v, rules that it is dead: %v\n%s", err, want, ir.Encode(in.Plan))
		}
		if !want {
			return
		}
		for i, step := range dead.Steps {
			if next := dead.Steps[(i+1)%len(dead.Steps)].Command; step.For != next {
				t.Fatalf("step %d is %v, and behind it comes %s: %v", i, step, next, dead)
			}
			if !waitsByWord(in.Plan, step) {
				t.Fatalf("%v is no wait of\n%s", step, ir.Encode(in.Plan))
			}
		}
	})
	if !testing.Short() && (count[true] == 0 || count[false] == 0) {
		t.Errorf("not both were drawn: %v", count)
	}
}

// waitsByWord says whether a command waits for another one in the way that is
// told.
func waitsByWord(plan *ir.Plan, s Stuck) bool {
	o := newOracle(Input{Plan: plan, Durations: make([]int64, len(plan.Program.Commands))})
	at := func(id string) int {
		return slices.IndexFunc(plan.Program.Commands, func(c ir.Command) bool { return plan.Text(c.ID) == id })
	}
	c, on := at(s.Command), at(s.For)
	if s.Why == together {
		return c != on && slices.Contains(o.mates(c), on)
	}
	for _, w := range o.waits(c) {
		if w.on == on && reasons[w.why] == s.Why {
			return true
		}
	}
	return false
}

// The intervals are those of a plain player that looks at every command again
// and again.
func TestIntervalsAreThoseOfAPlainPlayer(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := randomInput(t, rapid.Bool().Draw(t, "written"))
		if rapid.Bool().Draw(t, "prioritised") {
			for range in.Durations {
				in.Priorities = append(in.Priorities, rapid.Int64Range(0, 2).Draw(t, "priority"))
			}
		}
		o := newOracle(in)
		o.play()
		var want []string
		for c := range o.commands {
			want = append(want, fmt.Sprintf("%s %d-%d", in.Plan.Text(o.commands[c].ID), o.start[c], o.end[c]))
		}
		r, err := Run(in)
		if dead := new(Deadlock); errors.As(err, &dead) != slices.Contains(o.end, -1) {
			t.Fatalf("%v, but the player has %v", err, want)
		}
		if err != nil {
			return
		}
		var got []string
		for c, x := range r.Intervals {
			got = append(got, fmt.Sprintf("%s %d-%d", in.Plan.Text(in.Plan.Program.Commands[c].ID), x.Start, x.End))
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Fatalf("(-want +got):\n%s\n%s", diff, ir.Encode(in.Plan))
		}
	})
}

// Every timeline passes the rules beside its plan, its document reads back as it
// was written, and another run has the same bytes.
func TestTimelinesPassTheirRules(t *testing.T) {
	s := timelineRules(t)
	played := 0
	rapid.Check(t, func(t *rapid.T) {
		in := randomInput(t, rapid.Bool().Draw(t, "written"))
		digest := ir.PlanDigest(in.Plan)
		b := bundle(t, in)
		if b == nil {
			return
		}
		played++
		if again := bundle(t, in); string(levels.Encode(again)) != string(levels.Encode(b)) {
			t.Fatalf("another run has other bytes:\n%s\n%s", levels.Encode(b), levels.Encode(again))
		}
		if now := ir.PlanDigest(in.Plan); now != digest {
			t.Fatal("the plan was changed")
		}
		v, err := s.JudgeDocument(t.Context(), facts.OfLevel(b, nil), rules.Options{Parent: facts.OfPlan(in.Plan)})
		if err != nil {
			t.Fatal(err)
		}
		var told []string
		for _, f := range v.Findings {
			told = append(told, f.Code+": "+f.Message)
		}
		if told != nil {
			t.Fatalf("%s\n%s\n%s", strings.Join(told, "\n"), ir.Encode(in.Plan), levels.Encode(b))
		}
	})
	if !testing.Short() && played == 0 {
		t.Error("no program came to its end")
	}
}

// bundle is the timeline of an input; nil for a deadlock.
func bundle(t *rapid.T, in Input) *timeline.Bundle {
	table := &Table{Schema: TableSchema}
	for i, takes := range in.Durations {
		table.Durations = append(table.Durations, Duration{Command: in.Plan.Text(in.Plan.Program.Commands[i].ID), Picoseconds: takes})
	}
	costs, err := FromTable(in.Plan, table)
	if err != nil {
		t.Fatal(err)
	}
	r, err := Run(in)
	if dead := new(Deadlock); errors.As(err, &dead) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	b := Bundle(in.Plan, costs, r)
	AddEvents(b, in.Plan, r)
	return b
}

// oracle plays a program by looking at every command again and again. It shares
// no code with the simulator but the names of edges.
type oracle struct {
	in         Input
	p          *ir.Program
	commands   []ir.Command
	start, end []int64 // -1 where that has not come
	ready      []int64
}

func newOracle(in Input) *oracle {
	n := len(in.Durations)
	none := func() []int64 { return slices.Repeat([]int64{-1}, n) }
	return &oracle{in: in, p: in.Plan.Program, commands: in.Plan.Program.Commands, start: none(), end: none(), ready: none()}
}

// nth returns the commands that satisfy a condition, and the number of c among
// them.
func (o *oracle) nth(c int, is func(*ir.Command) bool) (all []int, number int) {
	for i := range o.commands {
		if is(&o.commands[i]) {
			if i == c {
				number = len(all)
			}
			all = append(all, i)
		}
	}
	return all, number
}

func (o *oracle) queueOf(c int) *ir.Queue {
	return &o.p.Queues[slices.IndexFunc(o.p.Queues, func(q ir.Queue) bool { return q.ID == o.commands[c].Queue })]
}

func (o *oracle) rank(c int) int64 {
	q := o.queueOf(c)
	return o.p.Devices[slices.IndexFunc(o.p.Devices, func(d ir.Device) bool { return d.ID == q.Device })].Rank
}

type plainWait struct {
	on  int
	why Edge
}

func (o *oracle) channel(c *ir.Command) *ir.Channel {
	return &o.p.Channels[slices.IndexFunc(o.p.Channels, func(x ir.Channel) bool { return x.ID == c.Channel })]
}

func (o *oracle) waits(c int) (all []plainWait) {
	x := &o.commands[c]
	onQueue, place := o.nth(c, func(d *ir.Command) bool { return d.Queue == x.Queue })
	if !o.queueOf(c).Unordered && place > 0 {
		all = append(all, plainWait{onQueue[place-1], Queue})
	}
	for i := range o.commands {
		if slices.Contains(x.After, o.commands[i].ID) {
			all = append(all, plainWait{i, Dependency})
		}
	}
	for _, token := range x.Waits {
		signals, _ := o.nth(-1, func(d *ir.Command) bool { return slices.Contains(d.Signals, token) })
		_, number := o.nth(c, func(d *ir.Command) bool { return slices.Contains(d.Waits, token) })
		if o.p.Tokens[slices.IndexFunc(o.p.Tokens, func(t ir.Token) bool { return t.ID == token })].Consuming {
			signals = signals[number : number+1]
		}
		for _, on := range signals {
			all = append(all, plainWait{on, Token})
		}
	}
	if x.Kind == ir.KindSend || x.Kind == ir.KindRecv {
		sends, _ := o.nth(-1, func(d *ir.Command) bool { return d.Kind == ir.KindSend && d.Channel == x.Channel })
		recvs, _ := o.nth(-1, func(d *ir.Command) bool { return d.Kind == ir.KindRecv && d.Channel == x.Channel })
		_, number := o.nth(c, func(d *ir.Command) bool { return d.Kind == x.Kind && d.Channel == x.Channel })
		depth := int(o.channel(x).Depth)
		switch {
		case depth == 0:
		case x.Kind == ir.KindRecv:
			all = append(all, plainWait{sends[number], Message})
		case number >= depth:
			all = append(all, plainWait{recvs[number-depth], Space})
		}
	}
	return all
}

// mates are the commands that complete together with a command, with itself.
func (o *oracle) mates(c int) []int {
	x := &o.commands[c]
	same := func(is func(d int) bool) (all []int) {
		for d := range o.commands {
			if o.commands[d].Kind == x.Kind && is(d) {
				all = append(all, d)
			}
		}
		return all
	}
	switch {
	case (x.Kind == ir.KindSend || x.Kind == ir.KindRecv) && o.channel(x).Depth == 0:
		sends, send := o.nth(c, func(d *ir.Command) bool { return d.Kind == ir.KindSend && d.Channel == x.Channel })
		recvs, recv := o.nth(c, func(d *ir.Command) bool { return d.Kind == ir.KindRecv && d.Channel == x.Channel })
		n := max(send, recv) // one of them is not found, and 0
		return []int{sends[n], recvs[n]}
	case x.Kind == ir.KindCollective:
		number := func(c int) int {
			return slices.Index(same(func(d int) bool { return o.commands[d].Group == x.Group && o.rank(d) == o.rank(c) }), c)
		}
		return same(func(d int) bool { return o.commands[d].Group == x.Group && number(d) == number(c) })
	case x.Kind == ir.KindBarrier:
		number := func(c int) int {
			return slices.Index(same(func(d int) bool { return o.commands[d].Queue == o.commands[c].Queue }), c)
		}
		return same(func(d int) bool { return number(d) == number(c) })
	}
	return []int{c}
}

func (o *oracle) done(c int, now int64) bool { return o.end[c] >= 0 && o.end[c] <= now }

// isReady says whether nothing but resources keeps a command from starting.
func (o *oracle) isReady(c int, done []bool) bool {
	for _, m := range o.mates(c) {
		for _, w := range o.waits(m) {
			if !done[w.on] {
				return false
			}
		}
		for _, id := range o.commands[m].Reads {
			b := &o.p.Buffers[slices.IndexFunc(o.p.Buffers, func(b ir.Buffer) bool { return b.ID == id })]
			written := b.Initialised
			for d := range o.commands {
				written = written || done[d] && slices.Contains(o.commands[d].Writes, id)
			}
			if !written {
				return false
			}
		}
	}
	return true
}

func (o *oracle) play() {
	done := make([]bool, len(o.commands))
	for now := int64(0); ; {
		for c := range o.commands {
			done[c] = o.done(c, now)
		}
		for {
			best := -1
			for c := range o.commands {
				if o.start[c] >= 0 || !o.isReady(c, done) {
					continue
				}
				if o.ready[c] < 0 {
					o.ready[c] = now
				}
				if o.free(c, done) && (best < 0 || o.before(c, best)) {
					best = c
				}
			}
			if best < 0 {
				break
			}
			takes := int64(0)
			for _, m := range o.mates(best) {
				takes = max(takes, o.in.Durations[m])
			}
			for _, m := range o.mates(best) {
				o.start[m], o.end[m] = now, now+takes
			}
		}
		next := int64(math.MaxInt64)
		for c := range o.commands {
			if o.end[c] >= 0 && !done[c] {
				next = min(next, o.end[c])
			}
		}
		if next == math.MaxInt64 {
			return
		}
		now = next
	}
}

// free says whether the queues of a command and its mates run nothing.
func (o *oracle) free(c int, done []bool) bool {
	for _, m := range o.mates(c) {
		for d := range o.commands {
			if o.start[d] >= 0 && !done[d] && o.commands[d].Queue == o.commands[m].Queue {
				return false
			}
		}
	}
	return true
}

// before says whether of two ready commands the first one begins first.
func (o *oracle) before(a, b int) bool {
	key := func(c int) (k [3]int64, id string) {
		k = [3]int64{0, math.MaxInt64, math.MaxInt64}
		for _, m := range o.mates(c) {
			priority := int64(0)
			if o.in.Priorities != nil {
				priority = o.in.Priorities[m]
			}
			_, place := o.nth(m, func(d *ir.Command) bool { return d.Queue == o.commands[m].Queue })
			mine, text := [3]int64{o.ready[c], priority, int64(place)}, o.in.Plan.Text(o.commands[m].ID)
			if x := slices.Compare(mine[1:], k[1:]); x < 0 || x == 0 && text < id {
				k, id = mine, text
			}
		}
		return k, id
	}
	ka, ia := key(a)
	kb, ib := key(b)
	return cmp.Or(slices.Compare(ka[:], kb[:]), cmp.Compare(ia, ib)) < 0
}
