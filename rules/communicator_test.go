package rules

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"plancheck/internal/symbol"
	"plancheck/ir"
)

// randomGroups draws a program of two groups of three devices with two queues
// each. A rank does all collectives of a group on one queue, and signals and waits
// are among them.
func randomGroups(t *rapid.T) *ir.Plan {
	syms := symbol.NewTable()
	id := func(format string, args ...any) ir.ID { return syms.String(fmt.Sprintf(format, args...)) }
	p := &ir.Program{Commands: []ir.Command{}}
	const ranks, queues = 3, 6
	for q := range queues {
		if q < ranks {
			p.Devices = append(p.Devices, ir.Device{ID: id("d%d", q), Rank: int64(q)})
		}
		p.Queues = append(p.Queues, ir.Queue{ID: id("q%d", q), Device: id("d%d", q/2)})
	}
	lists := make([][]ir.Command, queues)
	add := func(queue int, c ir.Command) {
		c.Queue, c.Bytes, c.Stage, c.Microbatch = p.Queues[queue].ID, ir.None, ir.None, ir.None
		at := rapid.IntRange(0, len(lists[queue])).Draw(t, "place")
		lists[queue] = slices.Insert(lists[queue], at, c)
	}
	x := &ir.QueueExtension{}
	for _, name := range []string{"g", "h"} {
		g := ir.Group{ID: id("%s", name), Ranks: [][]int64{{0, 1}, {1, 2}, {0, 1, 2}}[rapid.IntRange(0, 2).Draw(t, "ranks")]}
		m := ir.Communicator{ID: g.ID, Group: g.ID}
		times := rapid.IntRange(1, 2).Draw(t, "times")
		for _, r := range g.Ranks {
			q := 2*int(r) + rapid.IntRange(0, 1).Draw(t, "queue of rank")
			m.Queues = append(m.Queues, p.Queues[q].ID)
			for k := range times {
				add(q, ir.Command{ID: id("%s%d.%d", name, r, k), Kind: ir.KindCollective, Group: g.ID})
			}
		}
		p.Groups, x.Communicators = append(p.Groups, g), append(x.Communicators, m)
	}
	for i := range rapid.IntRange(0, 3).Draw(t, "tokens") {
		token := id("t%d", i)
		p.Tokens = append(p.Tokens, ir.Token{ID: token})
		queue := rapid.IntRange(0, queues-1)
		add(queue.Draw(t, "queue"), ir.Command{ID: id("s%d", i), Kind: ir.KindSignal, Signals: []ir.ID{token}})
		add(queue.Draw(t, "queue"), ir.Command{ID: id("w%d", i), Kind: ir.KindWait, Waits: []ir.ID{token}})
	}
	p.Commands = slices.Concat(lists...)
	p.Extension = &ir.Extension{Queue: x}
	return &ir.Plan{Symbols: syms, LogicalCores: ir.None, Program: p}
}

// devicePlayer runs a program one step at a time, on devices that run one
// collective at a time: it begins when it has come to the head of its queue and
// the device is free, and has it until all others have begun.
type devicePlayer struct {
	program *ir.Program
	lists   [][]*ir.Command
	seen    map[string]bool
	stuck   bool
}

// busy has the queues whose heads have begun.
type busy [6]bool

func (pl *devicePlayer) from(at [6]int, on busy) {
	key := fmt.Sprint(at, on)
	if pl.seen[key] {
		return
	}
	pl.seen[key] = true
	moved, ended := false, true
	head := func(q int) *ir.Command {
		if at[q] == len(pl.lists[q]) {
			return nil
		}
		return pl.lists[q][at[q]]
	}
	for q := range pl.lists {
		c := head(q)
		if c == nil {
			continue
		}
		ended = false
		next, then := at, on
		switch {
		case c.Kind == ir.KindCollective && !on[q] && !on[q^1]:
			then[q] = true
		case c.Kind == ir.KindCollective && on[q]:
			met := 0
			for r := range pl.lists {
				if d := head(r); on[r] && d.Group == c.Group {
					next[r]++
					then[r] = false
					met++
				}
			}
			group := pl.program.Groups[slices.IndexFunc(pl.program.Groups, func(g ir.Group) bool { return g.ID == c.Group })]
			if met < len(group.Ranks) {
				continue
			}
		case c.Kind == ir.KindCollective, c.Kind == ir.KindWait && !pl.signalled(at, c.Waits[0]):
			continue
		default:
			next[q]++
		}
		moved = true
		pl.from(next, then)
	}
	pl.stuck = pl.stuck || !moved && !ended
}

func (pl *devicePlayer) signalled(at [6]int, token ir.ID) bool {
	for q, list := range pl.lists {
		for _, c := range list[:at[q]] {
			if slices.Contains(c.Signals, token) {
				return true
			}
		}
	}
	return false
}

// Where nothing is found all collectives come to an end, also on devices that run
// one at a time, if the groups have two ranks in common; where something is, there
// is a way to wait for ever.
func TestCommunicatorsAgreeWithAPlayer(t *testing.T) {
	s := builtin(t)
	count := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		p := randomGroups(t)
		if ds := ir.Validate(p); ds != nil {
			t.Fatal(ds[0].Message)
		}
		pl := &devicePlayer{program: p.Program, seen: map[string]bool{}}
		for _, q := range p.Program.Queues {
			var list []*ir.Command
			for i := range p.Program.Commands {
				if p.Program.Commands[i].Queue == q.ID {
					list = append(list, &p.Program.Commands[i])
				}
			}
			pl.lists = append(pl.lists, list)
		}
		pl.from([6]int{}, busy{})
		v, err := s.Judge(t.Context(), p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		found := ""
		for _, f := range v.Findings {
			switch f.Code {
			case "schedule-deadlock", "token-wait-before-signal", "communicator-order-diverges":
				found = f.Code
			default:
				t.Fatalf("found %s: %s\n%s", f.Code, f.Message, ir.Encode(p))
			}
		}
		common := 0
		for _, r := range p.Program.Groups[0].Ranks {
			if slices.Contains(p.Program.Groups[1].Ranks, r) {
				common++
			}
		}
		// With one rank in common nothing is said of what groups do to each other.
		if len(v.Findings) > 1 || found != "" && !pl.stuck || common > 1 && found == "" && pl.stuck {
			t.Fatalf("some order is stuck: %v, found %v\n%s", pl.stuck, tell(v.Findings), ir.Encode(p))
		}
		count[found]++
	})
	if testing.Short() {
		return // too few to hold all kinds every time
	}
	for _, kind := range []string{"", "schedule-deadlock", "communicator-order-diverges"} {
		if count[kind] == 0 {
			t.Errorf("no program had %q: %v", kind, count)
		}
	}
}
