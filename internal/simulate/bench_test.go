package simulate

import (
	"fmt"
	"testing"

	"plancheck/internal/symbol"
	"plancheck/ir"
)

// wide is a program of n commands on 64 queues, half of them without order: each
// command depends on one of the queue beside, and every hundredth two meet.
func wide(n int) Input {
	syms := symbol.NewTable()
	id := func(format string, args ...any) ir.ID { return syms.String(fmt.Sprintf(format, args...)) }
	p := &ir.Program{Devices: []ir.Device{{ID: id("d"), Rank: ir.None}}}
	const queues = 64
	for q := range queues {
		p.Queues = append(p.Queues, ir.Queue{ID: id("q%d", q), Device: p.Devices[0].ID, Unordered: q%2 == 1})
	}
	p.Channels = []ir.Channel{{ID: id("c"), Slot: ir.None}}
	in := Input{Plan: &ir.Plan{Symbols: syms, Program: p, LogicalCores: ir.None}}
	for i := range n {
		c := ir.Command{ID: id("c%d", i), Kind: ir.KindLaunch, Queue: p.Queues[i%queues].ID, Bytes: ir.None, Stage: ir.None, Microbatch: ir.None}
		switch i % (100 * queues) {
		case 0:
			c.Kind, c.Channel = ir.KindSend, p.Channels[0].ID
		case 1:
			c.Kind, c.Channel = ir.KindRecv, p.Channels[0].ID
		}
		if i >= queues+1 {
			c.After = []ir.ID{p.Commands[i-queues-1].ID}
		}
		p.Commands = append(p.Commands, c)
		in.Durations = append(in.Durations, int64(1+i*7919%1000))
	}
	return in
}

// A million commands take seconds.
func BenchmarkRun(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			in := wide(n)
			for b.Loop() {
				if _, err := Run(in); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/command")
		})
	}
}
