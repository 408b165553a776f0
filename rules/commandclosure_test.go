package rules

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"plancheck/internal/symbol"
	"plancheck/ir"
)

// partial draws commands on an ordered queue and on one that is not, with
// dependencies on commands before. Each writes a buffer of its own, which may
// share bytes with those of others, and some use a buffer that all have.
func partial(t *rapid.T) *ir.Plan {
	syms := symbol.NewTable()
	id := func(format string, args ...any) ir.ID { return syms.String(fmt.Sprintf(format, args...)) }
	p := &ir.Program{Devices: []ir.Device{{ID: id("d"), Rank: ir.None}}}
	p.Queues = []ir.Queue{{ID: id("in turn"), Device: id("d")}, {ID: id("any"), Device: id("d"), Unordered: true}}
	p.Regions = []ir.Region{{ID: id("m"), Device: id("d"), Capacity: 100, Alignment: 1}}
	p.Buffers = []ir.Buffer{{ID: id("x"), Region: id("m"), Offset: 90, Size: 8, Alignment: 1, Initialised: true}}
	for i := range rapid.IntRange(1, 12).Draw(t, "commands") {
		c := ir.Command{ID: id("c%d", i), Kind: ir.KindLaunch, Queue: p.Queues[rapid.IntRange(0, 1).Draw(t, "queue")].ID, Bytes: ir.None, Stage: ir.None, Microbatch: ir.None}
		for k := range i {
			if rapid.IntRange(0, 2).Draw(t, "depends") == 0 {
				c.After = append(c.After, id("c%d", k))
			}
		}
		own := ir.Buffer{ID: id("b%d", i), Region: id("m"), Offset: int64(rapid.IntRange(0, 12).Draw(t, "offset")), Size: int64(rapid.IntRange(0, 6).Draw(t, "size")), Alignment: 1}
		p.Buffers = append(p.Buffers, own)
		c.Writes = []ir.ID{own.ID}
		switch rapid.IntRange(0, 5).Draw(t, "use") {
		case 0:
			c.Writes = append(c.Writes, id("x"))
		case 1:
			c.Reads = []ir.ID{id("x")}
		}
		p.Commands = append(p.Commands, c)
	}
	return &ir.Plan{Symbols: syms, LogicalCores: ir.None, Program: p}
}

// A closure of all waits agrees with the rules on which programs have a race, and
// in which buffers live on the same bytes at once.
func TestPartialOrdersAgreeWithAClosure(t *testing.T) {
	s := builtin(t)
	count := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		p := partial(t)
		if ds := ir.Validate(p); ds != nil {
			t.Fatal(ds[0].Message)
		}
		cs := p.Program.Commands
		at := map[ir.ID]int{}
		before := make([][]bool, len(cs)) // before[i][k]: k is before i
		last := -1
		for i := range cs {
			at[cs[i].ID] = i
			before[i] = make([]bool, len(cs))
			behind := func(k int) {
				before[i][k] = true
				for n, is := range before[k] {
					before[i][n] = before[i][n] || is
				}
			}
			for _, id := range cs[i].After {
				behind(at[id])
			}
			if cs[i].Queue == p.Program.Queues[0].ID {
				if last >= 0 {
					behind(last)
				}
				last = i
			}
		}
		want := map[string]bool{}
		for i := range cs {
			for k := range i {
				if before[i][k] {
					continue
				}
				if conflicts(&cs[i], &cs[k]) {
					want["data-race"] = true
				}
				a, b := p.Program.Buffers[i+1], p.Program.Buffers[k+1]
				if max(a.Offset, b.Offset) < min(a.Offset+a.Size, b.Offset+b.Size) {
					want["buffer-overlap"] = true
				}
			}
		}
		v, err := s.Judge(t.Context(), p, Options{})
		if err != nil {
			t.Fatal(err)
		}
		got := map[string]bool{}
		for _, f := range v.Findings {
			got[f.Code] = true
			if !want[f.Code] {
				t.Fatalf("%s, but want %v\n%s", f.Message, want, ir.Encode(p))
			}
		}
		if len(got) != len(want) {
			t.Fatalf("found %v, want %v\n%s", got, want, ir.Encode(p))
		}
		count[fmt.Sprint(len(want))]++
	})
	if testing.Short() {
		return // too few to hold all kinds every time
	}
	for _, kind := range strings.Fields("0 1 2") {
		if count[kind] == 0 {
			t.Errorf("no program had %s kinds of faults: %v", kind, count)
		}
	}
}
