package rules

import (
	"fmt"
	"slices"
	"testing"

	"plancheck/internal/symbol"
	"plancheck/ir"
)

// relay is a pipeline that only goes forward: in step n + s stage s does
// microbatch n.
type relay struct {
	stages, microbatches int
	launches             int  // of a stage for a microbatch: the first writes buffers, the last reads them
	from, to             int  // of a value that is used in another stage
	depth                int  // of the channel that carries it; or, by buffers:
	buffered             bool // between queues of one device
	buffers              int  // that are written in turn
	prefetched           bool // the message of the next microbatch is received before this one is begun
	early                bool // stages do not wait for the one before them
}

// program writes the pipeline down: a queue for each stage, and a channel from
// each to the next one.
func (r relay) program() *ir.Plan {
	syms := symbol.NewTable()
	id := func(format string, args ...any) ir.ID { return syms.String(fmt.Sprintf(format, args...)) }
	p := &ir.Program{Devices: []ir.Device{{ID: id("d"), Rank: ir.None}}, Regions: []ir.Region{{ID: id("m"), Device: id("d"), Capacity: 1 << 10, Alignment: 1}}}
	add := func(stage, microbatch int, kind, name string, also func(*ir.Command)) {
		c := ir.Command{ID: id("%s%d.%d", name, stage, microbatch), Kind: kind, Queue: id("q%d", stage), Bytes: ir.None, Stage: int64(stage), Microbatch: int64(microbatch)}
		also(&c)
		p.Commands = append(p.Commands, c)
	}
	through := func(format string, args ...any) func(*ir.Command) {
		return func(c *ir.Command) { c.Channel = id(format, args...) }
	}
	for s := range r.stages {
		p.Queues = append(p.Queues, ir.Queue{ID: id("q%d", s), Device: id("d")})
		if s > 0 && !r.early {
			p.Channels = append(p.Channels, ir.Channel{ID: id("c%d", s), Depth: 0, Slot: ir.None})
		}
	}
	if r.buffered {
		for b := range r.buffers {
			p.Buffers = append(p.Buffers, ir.Buffer{ID: id("b%d", b), Region: id("m"), Offset: int64(8 * b), Size: 8, Alignment: 1})
		}
	} else {
		p.Channels = append(p.Channels, ir.Channel{ID: id("skip"), Depth: int64(r.depth), Slot: ir.None})
	}
	for s := range r.stages {
		for m := range r.microbatches {
			receive := func(m int) {
				if s == r.to && !r.buffered && m < r.microbatches {
					add(s, m, ir.KindRecv, "j", through("skip"))
				}
			}
			if s == r.to && r.prefetched && m == 0 {
				receive(0)
			}
			if s > 0 && !r.early {
				add(s, m, ir.KindRecv, "i", through("c%d", s))
			}
			if r.prefetched {
				receive(m + 1)
			} else {
				receive(m)
			}
			for l := range r.launches {
				add(s, m, ir.KindLaunch, "f", func(c *ir.Command) {
					c.ID, c.Op = id("f%d.%d.%d", s, m, l), fmt.Sprintf("forward%d", l)
					if !r.buffered {
						return
					}
					buffer, written, read := id("b%d", m%r.buffers), id("w%d", m), id("r%d", m)
					switch {
					case s == r.from && l == 0:
						p.Tokens = append(p.Tokens, ir.Token{ID: written})
						c.Writes, c.Signals = []ir.ID{buffer}, []ir.ID{written}
						if m >= r.buffers {
							c.Waits = []ir.ID{id("r%d", m-r.buffers)}
						}
					case s == r.to && l == r.launches-1:
						c.Reads, c.Waits = []ir.ID{buffer}, []ir.ID{written}
						if m+r.buffers < r.microbatches {
							p.Tokens = append(p.Tokens, ir.Token{ID: read})
							c.Signals = []ir.ID{read}
						}
					}
				})
			}
			if s+1 < r.stages && !r.early {
				add(s, m, ir.KindSend, "o", through("c%d", s+1))
			}
			if s == r.from && !r.buffered {
				add(s, m, ir.KindSend, "k", through("skip"))
			}
		}
	}
	return &ir.Plan{Symbols: syms, LogicalCores: ir.None, Program: p}
}

// steps carries a program out, as early as it can be: a launch takes a step, and
// all else no time. It returns in which step each launch ends, nil when the
// program stops. It knows queues, channels and tokens that are signalled once.
func steps(p *ir.Program) map[ir.ID]int {
	queues, sends, recvs := map[ir.ID][]*ir.Command{}, map[ir.ID][]ir.ID{}, map[ir.ID][]ir.ID{}
	depth, signal := map[ir.ID]int{}, map[ir.ID]ir.ID{}
	for i := range p.Commands {
		c := &p.Commands[i]
		queues[c.Queue] = append(queues[c.Queue], c)
		switch c.Kind {
		case ir.KindSend:
			sends[c.Channel] = append(sends[c.Channel], c.ID)
		case ir.KindRecv:
			recvs[c.Channel] = append(recvs[c.Channel], c.ID)
		}
		for _, t := range c.Signals {
			signal[t] = c.ID
		}
	}
	for _, c := range p.Channels {
		depth[c.ID] = int(c.Depth)
	}
	begun, ended := map[ir.ID]int{}, map[ir.ID]int{} // begun: when its turn has come
	next := map[ir.ID]int{}
	for moved := true; moved; {
		moved = false
		for _, q := range p.Queues {
			if next[q.ID] == len(queues[q.ID]) {
				continue
			}
			c, at, ready := queues[q.ID][next[q.ID]], 0, true
			if next[q.ID] > 0 {
				at = ended[queues[q.ID][next[q.ID]-1].ID]
			}
			begun[c.ID] = at
			wait := func(when map[ir.ID]int, id ir.ID) {
				t, ok := when[id]
				at, ready = max(at, t), ready && ok
			}
			for _, t := range c.Waits {
				wait(ended, signal[t])
			}
			i, d := slices.Index(sends[c.Channel], c.ID), depth[c.Channel]
			switch {
			case c.Kind == ir.KindRecv && d > 0:
				wait(ended, sends[c.Channel][slices.Index(recvs[c.Channel], c.ID)])
			case c.Kind == ir.KindRecv:
				wait(begun, sends[c.Channel][slices.Index(recvs[c.Channel], c.ID)])
			case c.Kind == ir.KindSend && d == 0:
				wait(begun, recvs[c.Channel][i])
			case c.Kind == ir.KindSend && i >= d:
				wait(ended, recvs[c.Channel][i-d])
			}
			if !ready {
				continue
			}
			if c.Kind == ir.KindLaunch {
				at++
			}
			ended[c.ID] = at
			next[q.ID]++
			moved = true
		}
	}
	if len(ended) < len(p.Commands) {
		return nil
	}
	return ended
}

// A pipeline whose stages have the depth that the rules ask for does a microbatch
// each step, and one that they find wanting does not.
func TestDepthKeepsASteadyState(t *testing.T) {
	s := builtin(t)
	count := map[string]int{}
	stages := 5
	if testing.Short() {
		stages = 3
	}
	for _, r := range relays(stages) {
		if kind := heldAgainst(t, s, r); kind != "" {
			count[kind]++
		}
	}
	for _, buffered := range []bool{false, true} {
		for _, right := range []bool{false, true} {
			if kind := fmt.Sprintf("buffered %v, steady %v, found %v", buffered, right, !right); count[kind] == 0 && (buffered || !testing.Short()) {
				t.Errorf("no pipeline was %s: %v", kind, count)
			}
		}
	}
}

// relays are all pipelines of up to so many stages.
func relays(most int) (all []relay) {
	for stages := 2; stages <= most; stages++ {
		for to := 1; to < stages; to++ {
			for from := range to {
				for launches := 1; launches <= 2; launches++ {
					for _, early := range []bool{false, true} {
						r := relay{stages: stages, microbatches: 9, launches: launches, from: from, to: to, early: early}
						for r.depth = 0; r.depth <= 4; r.depth++ {
							for _, r.prefetched = range []bool{false, true} {
								all = append(all, r)
							}
						}
						r.depth, r.prefetched, r.buffered = 0, false, true
						for r.buffers = 1; r.buffers <= 6; r.buffers++ {
							all = append(all, r)
						}
					}
				}
			}
		}
	}
	return all
}

// heldAgainst judges a pipeline, runs it, and says what was found; "" for one
// that is dead.
func heldAgainst(t *testing.T, s *Set, r relay) string {
	t.Helper()
	p := r.program()
	if ds := ir.Validate(p); ds != nil {
		t.Fatal(ds[0].Message)
	}
	v, err := s.Judge(t.Context(), p, Options{})
	if err != nil {
		t.Fatal(err)
	}
	ended := steps(p.Program)
	if ended == nil && r.prefetched && len(v.Findings) == 1 && v.Findings[0].Code == "schedule-deadlock" {
		return "" // what it fetches first is not on its way yet
	}
	if ended == nil {
		t.Fatalf("%+v stops: %v", r, tell(v.Findings))
	}
	last := func(m int) int { return ended[p.Symbols.String(fmt.Sprintf("f%d.%d.%d", r.to, m, r.launches-1))] }
	steady := last(r.microbatches-1)-last(0) == (r.microbatches-1)*r.launches
	found := len(v.Findings) > 0
	for _, f := range v.Findings {
		if f.Code != "pipeline-depth-insufficient" {
			t.Fatalf("%+v: %v", r, tell(v.Findings))
		}
	}
	kind := fmt.Sprintf("buffered %v, steady %v, found %v", r.buffered, steady, found)
	certain := !r.prefetched && (!r.early || r.buffered && r.to == r.from+1 && r.launches == 1)
	if found && steady || !found && !steady && certain {
		t.Fatalf("%s: %+v: %v", kind, r, tell(v.Findings))
	}
	return kind
}
