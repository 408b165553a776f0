package importer

import (
	"fmt"

	"plancheck/internal/diag"
	"plancheck/internal/strictjson"
	"plancheck/ir"
)

// pimNode is a node of a PIMCOMP network.
type pimNode struct {
	at                 uint32
	name               string
	operation          string
	outputs            []member[int64] // dimensions of the result, batch first
	outputsAt          uint32
	bitwidth           int64 // of an element of the result
	providers, readers []member[string]
	param              pimParam
}

type pimParam struct {
	kernelHeight, kernelWidth     int64
	inputChannels, outputChannels int64
	inputs, outputs               int64
}

// chip is a PIMCOMP configuration, as far as plans need it.
type chip struct {
	rows, columns                 int64 // mesh of cores
	coreCount                     int64 // as the file states it
	crossbars                     int64 // of a core
	crossbarRows, crossbarColumns int64 // cells
	cellBits                      int64
	crossbarLatency               int64 // cycles of a matrix-vector product
	vectorWidth, vectorLatency    int64 // elements and cycles of a vector instruction
}

// maxSide bounds the sides of the mesh and of a crossbar.
const maxSide = 1 << 12

// pimInt is a field that holds an integer of at least 1.
func pimInt[T any](name string, of func(*T) *int64) strictjson.Field[*file, T] {
	return strictjson.Required(name, func(f *file, v *T) { *of(v), _ = f.Int(1) })
}

func optionalInt[T any](name string, of func(*T) *int64) strictjson.Field[*file, T] {
	return strictjson.Optional(name, func(f *file, v *T) { *of(v), _ = f.Int(1) })
}

// nested is a field that holds an object which fills the same value.
func nested[T any](name string, shape *strictjson.Shape[*file, T]) strictjson.Field[*file, T] {
	return strictjson.Required(name, func(f *file, v *T) { shape.Read(f.Reader, f, v) })
}

var pimParamShape = strictjson.NewShape("the parameters of a node",
	optionalInt("kernel_h", func(p *pimParam) *int64 { return &p.kernelHeight }),
	optionalInt("kernel_w", func(p *pimParam) *int64 { return &p.kernelWidth }),
	optionalInt("input_channel", func(p *pimParam) *int64 { return &p.inputChannels }),
	optionalInt("output_channel", func(p *pimParam) *int64 { return &p.outputChannels }),
	optionalInt("num_input", func(p *pimParam) *int64 { return &p.inputs }),
	optionalInt("num_output", func(p *pimParam) *int64 { return &p.outputs }),
).Open()

var pimNodeShape = strictjson.NewShape("a node",
	strictjson.Required("name", func(f *file, n *pimNode) {
		at := f.Offset()
		s, ok := f.String("a name")
		if ok && len(s) == 0 {
			f.ReportValue(at, "id-empty", "must not be empty", "")
		}
		n.name = string(s)
	}),
	strictjson.Required("operation", func(f *file, n *pimNode) {
		s, _ := f.String("an operation such as \"OP_CONV\"")
		n.operation = string(s)
	}),
	strictjson.Required("output_dim", func(f *file, n *pimNode) {
		n.outputsAt = f.Offset()
		n.outputs = f.ints("a list of dimensions", 1)
	}),
	pimInt("bitwidth", func(n *pimNode) *int64 { return &n.bitwidth }),
	strictjson.Optional("provider", func(f *file, n *pimNode) { n.providers = f.names("a list of node names") }),
	strictjson.Optional("consumer", func(f *file, n *pimNode) { n.readers = f.names("a list of node names") }),
	strictjson.Optional("param", func(f *file, n *pimNode) { pimParamShape.Read(f.Reader, f, &n.param) }),
).Open()

var pimNetworkShape = strictjson.NewShape("a PIMCOMP network",
	strictjson.Required("node_list", func(f *file, nodes *[]pimNode) {
		for l := f.List("a list of nodes"); l.Next(); {
			n := pimNode{at: f.Offset()}
			pimNodeShape.Read(f.Reader, f, &n)
			*nodes = append(*nodes, n)
		}
	}),
).Open()

var pimChipShape = strictjson.NewShape("a PIMCOMP configuration",
	nested("chip_config", strictjson.NewShape("the chip",
		pimInt("core_cnt", func(c *chip) *int64 { return &c.coreCount }),
		nested("core_config", strictjson.NewShape("a core",
			nested("matrix_config", strictjson.NewShape("the matrix unit",
				pimInt("xbar_array_count", func(c *chip) *int64 { return &c.crossbars }),
				strictjson.Required("xbar_size", func(f *file, c *chip) { c.crossbarRows, c.crossbarColumns = f.sides() }),
				pimInt("cell_precision", func(c *chip) *int64 { return &c.cellBits }),
				pimInt("xbar_latency", func(c *chip) *int64 { return &c.crossbarLatency }),
			).Open()),
			pimInt("vector_width", func(c *chip) *int64 { return &c.vectorWidth }),
			pimInt("vector_latency_cycle", func(c *chip) *int64 { return &c.vectorLatency }),
		).Open()),
		nested("network_config", strictjson.NewShape("the network on the chip",
			strictjson.Required("bus_topology", func(f *file, c *chip) {
				at := f.Offset()
				if s, ok := f.String("a topology"); ok && string(s) != "mesh" {
					f.ReportValue(at, "topology-unsupported", fmt.Sprintf("must be \"mesh\", found %s", strictjson.Quote(string(s))), "")
				}
			}),
			strictjson.Required("layout", func(f *file, c *chip) {
				at := f.Offset()
				c.rows, c.columns = f.sides()
				if c.cores() > maxDevices {
					f.ReportValue(at, "integer-out-of-range", fmt.Sprintf("must have at most %d cores, found %d", maxDevices, c.cores()), "")
				}
			}),
		).Open()),
	).Open()),
).Open()

// sides reads a list of two integers.
func (f *file) sides() (int64, int64) {
	at := f.Offset()
	ns := f.ints("a list of two integers", 1)
	if len(ns) != 2 {
		f.ReportValue(at, "length-mismatch", fmt.Sprintf("must have 2 entries, found %d", len(ns)), "")
		return 0, 0
	}
	for _, n := range ns {
		if n.value > maxSide {
			f.ReportValue(n.at, "integer-out-of-range", fmt.Sprintf("must be at most %d, found %d", maxSide, n.value), "")
			return 0, 0
		}
	}
	return ns[0].value, ns[1].value
}

// readPIMCOMP reads a network and the configuration of a chip.
//
// Nodes of operation OP_INPUT are dynamic inputs, all others are ops. A
// convolution or dense layer has a lane for every array group of its weights.
// Memory is counted in bytes of crossbar cells, so that every size is a
// multiple of a crossbar: rows x columns x bits of a cell / 8, rounded up. As in
// PIMCOMP one cell holds one weight, whatever its width.
//
// Work: a matrix-vector product takes the crossbar's latency for each position
// of the sliding window, in all array groups at once; every other op takes a
// vector instruction's latency for each vector of its result.
//
// All ops are in one stage that has all cores: PIMCOMP's cores are shared
// between layers. Array groups go to the first core that has room, in the
// order of the file; other ops go where the first lane of what they read first
// is, or on core 0 where they read an input.
func readPIMCOMP(files []*diag.Source, _ Options) (*ir.Plan, []diag.Diagnostic) {
	b := &pimBuilder{file: open(files[0]), config: open(files[1])}
	ok := object(b.file, pimNetworkShape, &b.nodes)
	ok = object(b.config, pimChipShape, &b.chip) && ok
	if ok && b.index() {
		b.build()
	}
	if ds := append(b.file.Diagnostics(), b.config.Diagnostics()...); len(ds) > 0 {
		return nil, ds
	}
	return b.plan, b.notes
}

// index finds nodes by name and checks that both ends of every edge name it.
func (b *pimBuilder) index() bool {
	b.byName = make(map[string]int, len(b.nodes))
	for i, n := range b.nodes {
		if first, ok := b.byName[n.name]; ok {
			b.file.ReportRepeat(n.at, b.nodes[first].at, "id-duplicate", "node "+strictjson.Quote(n.name)+" is already given")
			continue
		}
		b.byName[n.name] = i
	}
	provided, read := map[[2]string]bool{}, map[[2]string]bool{}
	for _, n := range b.nodes {
		for _, p := range n.providers {
			provided[[2]string{p.value, n.name}] = true
		}
		for _, c := range n.readers {
			read[[2]string{n.name, c.value}] = true
		}
	}
	for _, n := range b.nodes {
		for _, p := range n.providers {
			b.checkEnd(p, "provider", "consumer", read[[2]string{p.value, n.name}])
		}
		for _, c := range n.readers {
			b.checkEnd(c, "consumer", "provider", provided[[2]string{n.name, c.value}])
		}
	}
	return !b.file.Failed()
}

func (b *pimBuilder) checkEnd(other member[string], role, back string, agreed bool) {
	if _, ok := b.byName[other.value]; !ok {
		b.file.ReportValue(other.at, "reference-unknown", fmt.Sprintf("names node %s, which does not exist", strictjson.Quote(other.value)), "")
	} else if !agreed {
		b.file.ReportValue(other.at, "edge-one-sided", fmt.Sprintf("names %s as a %s, which does not name this node as a %s", strictjson.Quote(other.value), role, back), "")
	}
}
