package importer

import (
	"fmt"
	"math"

	"plancheck/internal/diag"
	"plancheck/internal/strictjson"
	"plancheck/ir"
)

// dnnGraph is a graph file of dnn-partitioning. Latencies and costs are in a
// unit of time that the file does not name; sizes are bytes.
type dnnGraph struct {
	capacity int64 // bytes of an accelerator, ir.None when absent
	devices  int64 // number of accelerators, ir.None when absent
	nodes    []dnnNode
	edges    []dnnEdge
}

type dnnNode struct {
	at       uint32
	id       int64
	name     string
	latency  float64 // on an accelerator
	size     float64
	backward bool
	class    int64 // nodes of one class must share a device; -1 when absent
	excluded bool  // may not run on an accelerator
}

type dnnEdge struct {
	at       uint32
	from, to member[int64]
	cost     float64
	size     float64 // -1 when absent
}

// dnnSplit is a split file: which nodes each device has.
type dnnSplit struct {
	accelerators, cpus []dnnDevice
}

type dnnDevice struct{ nodes []member[int64] }

// maxDevices bounds the number of stages and cores that a file can ask for.
const maxDevices = 1 << 16

var dnnNodeShape = strictjson.NewShape("a node",
	strictjson.Required("id", func(f *file, n *dnnNode) { n.id, _ = f.Int(0) }),
	strictjson.Required("fpgaLatency", func(f *file, n *dnnNode) { n.latency, _ = f.Float(0) }),
	strictjson.Required("size", func(f *file, n *dnnNode) { n.size, _ = f.Float(0) }),
	strictjson.Optional("name", func(f *file, n *dnnNode) {
		s, _ := f.String("a name")
		n.name = string(s)
	}),
	strictjson.Optional("isBackwardNode", func(f *file, n *dnnNode) { n.backward = f.flag() }),
	strictjson.Optional("supportedOnFpga", func(f *file, n *dnnNode) { n.excluded = !f.flag() }),
	strictjson.Optional("colorClass", func(f *file, n *dnnNode) {
		if !f.Null() {
			n.class, _ = f.Int(0)
		}
	}),
).Open()

var dnnEdgeShape = strictjson.NewShape("an edge",
	strictjson.Required("sourceId", func(f *file, e *dnnEdge) {
		e.from.at = f.Offset()
		e.from.value, _ = f.Int(0)
	}),
	strictjson.Required("destId", func(f *file, e *dnnEdge) {
		e.to.at = f.Offset()
		e.to.value, _ = f.Int(0)
	}),
	strictjson.Required("cost", func(f *file, e *dnnEdge) { e.cost, _ = f.Float(0) }),
	strictjson.Optional("size", func(f *file, e *dnnEdge) { e.size, _ = f.Float(0) }),
).Open()

var dnnGraphShape = strictjson.NewShape("a dnn-partitioning graph",
	strictjson.Required("nodes", func(f *file, g *dnnGraph) {
		for l := f.List("a list of nodes"); l.Next(); {
			n := dnnNode{at: f.Offset(), class: -1}
			dnnNodeShape.Read(f.Reader, f, &n)
			g.nodes = append(g.nodes, n)
		}
	}),
	strictjson.Required("edges", func(f *file, g *dnnGraph) {
		for l := f.List("a list of edges"); l.Next(); {
			e := dnnEdge{at: f.Offset(), size: -1}
			dnnEdgeShape.Read(f.Reader, f, &e)
			g.edges = append(g.edges, e)
		}
	}),
	strictjson.Optional("maxSizePerFPGA", func(f *file, g *dnnGraph) {
		at := f.Offset()
		x, _ := f.Float(0)
		n, ok := wholeBytes(math.Floor(x))
		if !ok {
			f.ReportValue(at, "integer-out-of-range", "is beyond 64 bits", "")
		}
		g.capacity = n
	}),
	strictjson.Optional("maxFPGAs", func(f *file, g *dnnGraph) {
		at := f.Offset()
		n, ok := f.Int(0)
		if ok && n > maxDevices {
			f.ReportValue(at, "integer-out-of-range", fmt.Sprintf("must be at most %d, found %d", maxDevices, n), "")
		}
		g.devices = n
	}),
).Open()

var dnnDeviceShape = strictjson.NewShape("a device",
	strictjson.Required("nodes", func(f *file, d *dnnDevice) { d.nodes = f.ints("a list of node ids", 0) }),
).Open()

var dnnSplitShape = strictjson.NewShape("a dnn-partitioning split",
	strictjson.Required("fpgas", func(f *file, s *dnnSplit) {
		list(f, "a list of devices", dnnDeviceShape, &s.accelerators)
	}),
	strictjson.Optional("cpus", func(f *file, s *dnnSplit) {
		list(f, "a list of devices", dnnDeviceShape, &s.cpus)
	}),
).Open()

// readDNNPartitioning reads a graph and, if there is a second file, a split.
//
// The accelerators of a split are the stages of the pipeline, in the order of
// the file, one core each. CPUs run nodes too, but the file does not say where
// in the pipeline they stand, so a split that uses them is refused. (Those of
// the project's own split files are empty.) A node that the split leaves out is
// a hole of the plan.
func readDNNPartitioning(files []*diag.Source, o Options) (*ir.Plan, []diag.Diagnostic) {
	b := &dnnBuilder{o: o, file: open(files[0]), graph: dnnGraph{capacity: ir.None, devices: ir.None}}
	ok := object(b.file, dnnGraphShape, &b.graph) && b.index()
	var split *file
	if len(files) == 2 {
		split = open(files[1])
		b.split = &dnnSplit{}
		ok = object(split, dnnSplitShape, b.split) && ok
		ok = ok && b.checkSplit(split)
	}
	if ok {
		b.build()
	}
	ds := b.file.Diagnostics()
	if split != nil {
		ds = append(ds, split.Diagnostics()...)
	}
	if len(ds) > 0 {
		return nil, ds
	}
	return b.plan, b.notes
}

// index finds the nodes by id and checks that edges join nodes that exist.
func (b *dnnBuilder) index() bool {
	b.byID = make(map[int64]int, len(b.graph.nodes))
	for i, n := range b.graph.nodes {
		if first, ok := b.byID[n.id]; ok {
			b.file.ReportRepeat(n.at, b.graph.nodes[first].at, "id-duplicate", fmt.Sprintf("node %d is already given", n.id))
			continue
		}
		b.byID[n.id] = i
	}
	for _, e := range b.graph.edges {
		for _, end := range []member[int64]{e.from, e.to} {
			b.known(b.file, end)
		}
	}
	return !b.file.Failed()
}

func (b *dnnBuilder) known(f *file, id member[int64]) {
	if _, ok := b.byID[id.value]; !ok {
		f.ReportValue(id.at, "reference-unknown", fmt.Sprintf("names node %d, which does not exist", id.value), "")
	}
}

func (b *dnnBuilder) checkSplit(f *file) bool {
	for _, d := range b.split.cpus {
		if len(d.nodes) > 0 {
			f.Report(d.nodes[0].at, "split-uses-cpu",
				"a CPU has nodes, and the file does not say which stage of the pipeline it is",
				"give its nodes to an entry of \"fpgas\" at the right place")
		}
	}
	for _, d := range b.split.accelerators {
		for _, n := range d.nodes {
			b.known(f, n)
		}
	}
	if len(b.split.accelerators) > maxDevices {
		f.Report(0, "integer-out-of-range", fmt.Sprintf("the split has %d devices, at most %d can be read", len(b.split.accelerators), maxDevices), "")
	}
	return !f.Failed()
}
