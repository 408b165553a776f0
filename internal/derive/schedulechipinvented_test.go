package derive

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/facts"
	"plancheck/internal/example"
	"plancheck/ir"
	"plancheck/ir/level"
)

// A plan that invents hardware is found out beside the documents that it was made
// from, each fault once.
func TestInventedHardware(t *testing.T) {
	s := onChip(t, "mlp", example.ModelSize{Hidden: 32, FFN: 64, DType: "bf16"}, 4, 2, 16)
	for _, c := range []struct {
		name   string
		invent func(*spoilable)
		beside level.Body
		want   string // the code
		times  int
	}{
		{"quick ops", func(p *spoilable) {
			for i := range p.Units {
				for k := range p.Units[i].Operations {
					if o := &p.Units[i].Operations[k]; !strings.HasPrefix(o.Op, "sum ") {
						o.Latency = 1
					}
				}
			}
		}, s.binding, "latency-understated", 12},
		{"quick sums", func(p *spoilable) {
			for i := range p.Units {
				for k := range p.Units[i].Operations {
					if o := &p.Units[i].Operations[k]; strings.HasPrefix(o.Op, "sum ") {
						o.Latency = 1
					}
				}
			}
		}, s.Target, "latency-understated", 4},
		{"quick hops", func(p *spoilable) { p.Routes[0].Hops[0].Cycles = 1 }, s.Target, "hop-too-short", 1},
		{"links without latency", func(p *spoilable) { p.Links[0].Latency = 0 }, s.Target, "target-link-changed", 1},
		{"a link across the mesh", func(p *spoilable) {
			ends := p.Program.Devices
			p.Links = append(p.Links, ir.Link{ID: p.Symbols.String("far"), Source: ends[0].ID, Destination: ends[len(ends)-1].ID, Domain: p.Links[0].Domain, Latency: p.Links[0].Latency})
		}, s.Target, "target-link-changed", 1},
		{"a quick clock", func(p *spoilable) { p.ClockDomains[0].Frequency = 1_000_000_000_000 }, s.Target, "target-clock-changed", 1},
		{"large cores", func(p *spoilable) { p.Target.Cores[3].Capacity = 1 << 40 }, s.Target, "target-memory-exceeded", 1},
		{"large regions", func(p *spoilable) { p.Program.Regions[3].Capacity = 1 << 40 }, s.Target, "target-memory-exceeded", 1},
		{"two memories", func(p *spoilable) {
			r := p.Program.Regions[0]
			r.ID = p.Symbols.String("more")
			p.Program.Regions = append(slices.Clone(p.Program.Regions), r)
		}, s.Target, "target-memory-exceeded", 1},
		{"wide links", func(p *spoilable) { p.Plan.Target.BytesPerCycle = 1 << 20 }, s.Target, "target-link-changed", 1},
		{"narrow links", func(p *spoilable) { p.Plan.Target.BytesPerCycle = 1 }, s.Target, "target-link-changed", 1},
		{"little work", func(p *spoilable) { p.Graph.Ops[0].Work = 1 }, s.binding, "work-cycles-changed", 1},
		{"small weights", func(p *spoilable) { p.Graph.Weights[0].Size = 1 }, s.Portable, "graph-weight-changed", 1},
		{"small values", func(p *spoilable) { p.Graph.Edges[0].Size = 1 }, s.Portable, "graph-edge-changed", 1},
	} {
		d, err := Schedule(s.Scheduling).Make(context.Background(), facts.OfLevel(s.binding, nil))
		if err != nil {
			t.Fatal(err)
		}
		p := &spoilable{d.Plan(), d.Plan().Program.Extension.Spatial}
		c.invent(p)
		p.Digest = ""
		var got []string
		for _, f := range judgedPlan(t, again(t, p.Plan), facts.OfLevel(c.beside, nil)) {
			code, _, _ := strings.Cut(f, ":")
			got = append(got, code)
		}
		if diff := cmp.Diff(slices.Repeat([]string{c.want}, c.times), got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
