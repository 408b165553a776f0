package importer

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/diag"
)

// said writes diagnostics one a line: place, severity, code and message.
func said(ds []diag.Diagnostic) []string {
	var lines []string
	for _, d := range ds {
		place := d.Pos.File
		if d.Pos.Line > 0 {
			place = fmt.Sprintf("%s:%d:%d %s", place, d.Pos.Line, d.Pos.Column, d.Pos.Pointer)
		}
		lines = append(lines, fmt.Sprintf("%s: %s[%s]: %s", place, d.Severity, d.Code, d.Message))
	}
	return lines
}

func sources(texts ...string) []*diag.Source {
	var files []*diag.Source
	for i, text := range texts {
		files = append(files, diag.NewSource(string(rune('a'+i))+".json", []byte(text)))
	}
	return files
}

func TestUsage(t *testing.T) {
	for _, test := range []struct {
		format  string
		files   int
		options Options
		want    string
	}{
		{"onnx-ish", 1, Options{}, `: error[import-usage]: no format "onnx-ish"`},
		{"dnn-partitioning", 0, Options{}, `: error[import-usage]: dnn-partitioning reads the files GRAPH [SPLIT], not 0 files`},
		{"dnn-partitioning", 3, Options{}, `: error[import-usage]: dnn-partitioning reads the files GRAPH [SPLIT], not 3 files`},
		{"pimcomp", 1, Options{}, `: error[import-usage]: pimcomp reads the files NETWORK CONFIG, not 1 file`},
		{"pimcomp", 2, Options{Total: 5}, `: error[import-usage]: pimcomp has no options`},
		{"dnn-partitioning", 1, Options{Depth: Amount{1, true}}, `: error[import-usage]: dnn-partitioning is no schedule: activation-bytes, message-bytes, capacity-bytes and depth are not for it`},
		{"pytorch-pipeline", 1, Options{EdgeSize: EdgeBytes}, `: error[import-usage]: pytorch-pipeline has no latencies: scale, sources and edge-size are not for it`},
		{"pytorch-pipeline", 2, Options{}, `: error[import-usage]: pytorch-pipeline reads the files SCHEDULE, not 2 files`},
		{"dnn-partitioning", 1, Options{Total: -1}, `: error[import-usage]: the scale must be at least 1, not -1`},
	} {
		p, ds := Import(test.format, sources(make([]string, test.files)...), test.options)
		if d := cmp.Diff([]string{test.want}, said(ds)); d != "" || p != nil {
			t.Errorf("%s, %d files: plan %v, %s", test.format, test.files, p, d)
		}
	}
}

func TestDNNErrors(t *testing.T) {
	const node = `{"id": 1, "fpgaLatency": 1, "size": 0}`
	graph := func(nodes, edges string) string {
		return fmt.Sprintf(`{"nodes": [%s], "edges": [%s]}`, nodes, edges)
	}
	for _, test := range []struct {
		name    string
		files   []string
		options Options
		want    []string
	}{
		{"empty", []string{""}, Options{}, []string{
			"a.json:1:1 : error[document-empty]: the document is empty"}},
		{"null", []string{"null"}, Options{}, []string{
			"a.json:1:1 : error[wrong-type]: the document must be an object, found null"}},
		{"a split for a graph", []string{`{"fpgas": []}`}, Options{}, []string{
			`a.json:1:1 : error[missing-field]: a dnn-partitioning graph must have the field "edges"`,
			`a.json:1:1 : error[missing-field]: a dnn-partitioning graph must have the field "nodes"`}},
		{"a graph for a split", []string{graph(node, ""), graph(node, "")}, Options{}, []string{
			`b.json:1:1 : error[missing-field]: a dnn-partitioning split must have the field "fpgas"`}},
		{"bad numbers", []string{graph(`{"id": 1.5, "fpgaLatency": -1, "size": 1e999}`, "")}, Options{}, []string{
			`a.json:1:19 /nodes/0/id: error[not-an-integer]: "id" must be an integer, found 1.5`,
			`a.json:1:39 /nodes/0/fpgaLatency: error[number-out-of-range]: "fpgaLatency" must be at least 0, found -1`,
			`a.json:1:51 /nodes/0/size: error[nonfinite-number]: "size" must be finite, found 1e999, which is beyond 64-bit floating point`}},
		{"NaN", []string{graph(`{"id": 1, "fpgaLatency": NaN, "size": "big"}`, "")}, Options{}, []string{
			`a.json:1:37 /nodes/0/fpgaLatency: error[nonfinite-number]: "fpgaLatency" must be finite, found NaN`,
			`a.json:1:50 /nodes/0/size: error[wrong-type]: "size" must be a number, found a string`}},
		{"flags", []string{graph(`{"id": 1, "fpgaLatency": 0, "size": 0, "isBackwardNode": 2, "supportedOnFpga": "no"}`, "")}, Options{}, []string{
			`a.json:1:69 /nodes/0/isBackwardNode: error[wrong-type]: "isBackwardNode" must be true, false, 0 or 1, found 2`,
			`a.json:1:91 /nodes/0/supportedOnFpga: error[wrong-type]: "supportedOnFpga" must be true or false, found a string`}},
		{"repeated node", []string{graph(node+",\n"+node, "")}, Options{}, []string{
			`a.json:2:1 /nodes/1: error[id-duplicate]: node 1 is already given on line 1`}},
		{"unknown ends", []string{graph(node, `{"sourceId": 2, "destId": 3, "cost": 0}`)}, Options{}, []string{
			`a.json:1:76 /edges/0/sourceId: error[reference-unknown]: "sourceId" names node 2, which does not exist`,
			`a.json:1:89 /edges/0/destId: error[reference-unknown]: "destId" names node 3, which does not exist`}},
		{"unknown node in split", []string{graph(node, ""), `{"fpgas": [{"nodes": [1, 4]}]}`}, Options{}, []string{
			`b.json:1:26 /fpgas/0/nodes/1: error[reference-unknown]: an entry of "nodes" names node 4, which does not exist`}},
		{"split on a CPU", []string{graph(node, ""), `{"fpgas": [], "cpus": [{"nodes": []}, {"nodes": [1]}]}`}, Options{}, []string{
			`b.json:1:50 /cpus/1/nodes/0: error[split-uses-cpu]: a CPU has nodes, and the file does not say which stage of the pipeline it is`}},
		{"both files wrong", []string{graph(node+","+node, ""), `{"fpgas": 3}`}, Options{}, []string{
			`a.json:1:51 /nodes/1: error[id-duplicate]: node 1 is already given on line 1`,
			`b.json:1:11 /fpgas: error[wrong-type]: "fpgas" must be a list of devices, found a number`}},
		{"no latencies to scale by", []string{graph(`{"id": 1, "fpgaLatency": 0, "size": 0}`, `{"sourceId": 1, "destId": 1, "cost": 2}`)}, Options{}, []string{
			`a.json:1:63 /edges/0: error[scale-undefined]: the cost cannot be scaled: the latencies of all nodes add up to 0`}},
		{"scaled too large", []string{graph(node, `{"sourceId": 1, "destId": 1, "cost": 2}`)}, Options{Total: 1 << 62}, []string{
			`a.json:1:63 /edges/0: error[integer-out-of-range]: the cost is beyond 64 bits once it is scaled`}},
		{"sizes too large", []string{`{"maxSizePerFPGA": 1e19, "nodes": [{"id": 1, "fpgaLatency": 0, "size": 1e19}], "edges": []}`}, Options{}, []string{
			`a.json:1:20 /maxSizePerFPGA: error[integer-out-of-range]: "maxSizePerFPGA" is beyond 64 bits`}},
		{"weight too large", []string{graph(`{"id": 1, "fpgaLatency": 0, "size": 1e19}`, "")}, Options{}, []string{
			`a.json:1:12 /nodes/0: error[integer-out-of-range]: the size is beyond 64 bits`}},
		{"too many devices", []string{`{"maxFPGAs": 65537, "nodes": [], "edges": []}`}, Options{}, []string{
			`a.json:1:14 /maxFPGAs: error[integer-out-of-range]: "maxFPGAs" must be at most 65536, found 65537`}},
		{"too many devices in a split", []string{graph(node, ""), `{"fpgas": [` + strings.Repeat(`{"nodes": []},`, 65536) + `{"nodes": []}]}`}, Options{}, []string{
			`b.json:1:1 : error[integer-out-of-range]: the split has 65537 devices, at most 65536 can be read`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, ds := Import("dnn-partitioning", sources(test.files...), test.options)
			if d := cmp.Diff(test.want, said(ds)); d != "" || p != nil {
				t.Errorf("plan %v\n%s", p, d)
			}
		})
	}
}

func TestPIMCOMPErrors(t *testing.T) {
	config := func(size, layout, topology string) string {
		return fmt.Sprintf(`{"chip_config": {"core_cnt": 4, "core_config": {"vector_width": 8, "vector_latency_cycle": 1,
"matrix_config": {"xbar_array_count": 4, "xbar_size": %s, "cell_precision": 2, "xbar_latency": 7}},
"network_config": {"bus_topology": %q, "layout": %s}}}`, size, topology, layout)
	}
	good := config("[16, 8]", "[2, 2]", "mesh")
	net := func(nodes ...string) string {
		return `{"node_list": [` + strings.Join(nodes, ",\n") + `]}`
	}
	const in = `{"name": "x", "operation": "OP_INPUT", "output_dim": [1, 4], "bitwidth": 8}`
	for _, test := range []struct {
		name  string
		files []string
		want  []string
	}{
		{"swapped", []string{good, net(in)}, []string{
			`a.json:1:1 : error[missing-field]: a PIMCOMP network must have the field "node_list"`,
			`b.json:1:1 : error[missing-field]: a PIMCOMP configuration must have the field "chip_config"`}},
		{"no such fields", []string{net(`{"name": "x"}`), good}, []string{
			`a.json:1:16 /node_list/0: error[missing-field]: a node must have the field "bitwidth"`,
			`a.json:1:16 /node_list/0: error[missing-field]: a node must have the field "operation"`,
			`a.json:1:16 /node_list/0: error[missing-field]: a node must have the field "output_dim"`}},
		{"bad configuration", []string{net(in), config("[16]", "[0, 2]", "ring")}, []string{
			`b.json:2:55 /chip_config/core_config/matrix_config/xbar_size: error[length-mismatch]: "xbar_size" must have 2 entries, found 1`,
			`b.json:3:36 /chip_config/network_config/bus_topology: error[topology-unsupported]: "bus_topology" must be "mesh", found "ring"`,
			`b.json:3:55 /chip_config/network_config/layout/0: error[integer-out-of-range]: an entry of "layout" must be at least 1, found 0`}},
		{"too large a mesh", []string{net(in), config("[16, 4097]", "[4096, 17]", "mesh")}, []string{
			`b.json:2:60 /chip_config/core_config/matrix_config/xbar_size/1: error[integer-out-of-range]: an entry of "xbar_size" must be at most 4096, found 4097`,
			`b.json:3:54 /chip_config/network_config/layout: error[integer-out-of-range]: "layout" must have at most 65536 cores, found 69632`}},
		{"too large a core", []string{net(in), strings.Replace(config("[4096, 4096]", "[2, 2]", "mesh"), `"xbar_array_count": 4`, `"xbar_array_count": 4611686018427387904`, 1)}, []string{
			`b.json:1:1 : error[integer-out-of-range]: the memory of a core is beyond 64 bits`}},
		{"names", []string{net(in, in, strings.Replace(in, `"x"`, `""`, 1)), good}, []string{
			`a.json:3:10 /node_list/2/name: error[id-empty]: "name" must not be empty`}},
		{"repeated name", []string{net(in, in), good}, []string{
			`a.json:2:1 /node_list/1: error[id-duplicate]: node "x" is already given on line 1`}},
		{"edges", []string{net(
			`{"name": "x", "operation": "OP_INPUT", "output_dim": [1, 4], "bitwidth": 8, "consumer": ["y", "z"]}`,
			`{"name": "y", "operation": "OP_RELU", "output_dim": [1, 4], "bitwidth": 8, "provider": ["w", "y"]}`), good}, []string{
			`a.json:1:105 /node_list/0/consumer/0: error[edge-one-sided]: an entry of "consumer" names "y" as a consumer, which does not name this node as a provider`,
			`a.json:1:110 /node_list/0/consumer/1: error[reference-unknown]: an entry of "consumer" names node "z", which does not exist`,
			`a.json:2:89 /node_list/1/provider/0: error[reference-unknown]: an entry of "provider" names node "w", which does not exist`,
			`a.json:2:94 /node_list/1/provider/1: error[edge-one-sided]: an entry of "provider" names "y" as a provider, which does not name this node as a consumer`}},
		{"parameters", []string{net(
			`{"name": "c", "operation": "OP_CONV", "output_dim": [1, 4, 1, 1], "bitwidth": 8}`,
			`{"name": "d", "operation": "OP_CONV", "output_dim": [1, 4], "bitwidth": 8, "param": {"kernel_h": 1, "kernel_w": 1, "input_channel": 1, "output_channel": 4}}`,
			`{"name": "f", "operation": "OP_FC", "output_dim": [1, 4], "bitwidth": 8, "param": {"num_input": 1}}`), good}, []string{
			`a.json:1:16 /node_list/0: error[missing-field]: a convolution must have the parameters kernel_h, kernel_w, input_channel and output_channel`,
			`a.json:2:53 /node_list/1/output_dim: error[length-mismatch]: "output_dim" must have 4 entries for a convolution, found 2`,
			`a.json:3:1 /node_list/2: error[missing-field]: a dense layer must have the parameters num_input and num_output`}},
		{"too large", []string{net(
			`{"name": "r", "operation": "OP_RELU", "output_dim": [4294967296, 4294967296], "bitwidth": 8}`,
			`{"name": "c", "operation": "OP_CONV", "output_dim": [1, 4, 1, 1], "bitwidth": 8, "param": {"kernel_h": 4294967296, "kernel_w": 4294967296, "input_channel": 1, "output_channel": 4}}`,
			`{"name": "f", "operation": "OP_FC", "output_dim": [1, 4], "bitwidth": 8, "param": {"num_input": 16777217, "num_output": 1}}`), good}, []string{
			`a.json:1:68 /node_list/0/output_dim: error[integer-out-of-range]: the size of the result is beyond 64 bits`,
			`a.json:2:1 /node_list/1: error[integer-out-of-range]: the size of the kernel is beyond 64 bits`,
			`a.json:3:1 /node_list/2: error[integer-out-of-range]: a matrix of 16777217 x 1 needs more than 1048576 array groups`}},
		{"too large together", []string{net(
			`{"name": "f", "operation": "OP_FC", "output_dim": [1, 4], "bitwidth": 8, "param": {"num_input": 16777216, "num_output": 1}}`,
			`{"name": "g", "operation": "OP_FC", "output_dim": [1, 4], "bitwidth": 8, "param": {"num_input": 1, "num_output": 1}}`), good}, []string{
			`a.json:2:1 /node_list/1: error[integer-out-of-range]: the network needs more than 1048576 array groups`}},
		{"input that reads", []string{net(
			`{"name": "r", "operation": "OP_RELU", "output_dim": [1], "bitwidth": 8, "consumer": ["x"]}`,
			`{"name": "x", "operation": "OP_INPUT", "output_dim": [1], "bitwidth": 8, "provider": ["r"]}`), good}, []string{
			`a.json:2:87 /node_list/1/provider/0: error[input-with-provider]: an entry of "provider" stands in an input, which reads nothing`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, ds := Import("pimcomp", sources(test.files...), Options{})
			if d := cmp.Diff(test.want, said(ds)); d != "" || p != nil {
				t.Errorf("plan %v\n%s", p, d)
			}
		})
	}
}
