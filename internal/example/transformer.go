package example

// Sizes that bert-base and the smallest gpt2 share.
const (
	layers = 12
	heads  = 12
	hidden = 768
	ffn    = 4 * hidden
)

// Vector operations for each element of a result.
const (
	addOps     = 1
	normOps    = 9 // mean, variance, scale, shift
	softmaxOps = 5 // scale, mask, exponential, sum, division
	geluOps    = 8
	tanhOps    = 8
)

// headGroups are the lanes of a transformer's ops: a lane is a group of heads,
// or as large a share of the output columns.
var headGroups = []int64{1, 2, 3, 4, 6, 12}

// transformer builds the ops of a network for one sequence. Weights and
// activations are bf16, two bytes each.
type transformer struct {
	net      network
	sequence int64 // tokens
}

// bf16 is the size of a parameter and of an element of an activation.
const bf16 = 2

// linear appends a dense layer that is applied to a number of rows.
func (t *transformer) linear(id string, rows, in, out int64, from ref) ref {
	return t.net.add(node{
		id: id, kind: "linear", laneChoices: headGroups,
		macs: rows * in * out, weights: affine(id, in*out, out), outBytes: rows * out * bf16,
	}, from)
}

// lookup appends a table from which one row a token is taken. The columns of
// the table are shared out over the lanes.
func (t *transformer) lookup(id string, rows int64) ref {
	return t.net.add(node{
		id: id, kind: "gather", laneChoices: headGroups,
		elementOps: t.sequence * hidden, weights: []weight{{id + ".weight", rows * hidden}},
		outBytes: t.sequence * hidden * bf16,
	})
}

// elementwise appends an op on columns of the given width.
func (t *transformer) elementwise(id, kind string, rows, width, ops int64, from ...ref) ref {
	return t.net.add(node{
		id: id, kind: kind, laneChoices: headGroups,
		elementOps: ops * rows * width, outBytes: rows * width * bf16,
	}, from...)
}

// norm appends a layer norm. It has one lane, since a row is normalised whole.
func (t *transformer) norm(id string, from ref) ref {
	return t.net.add(node{
		id: id, kind: "layer_norm", elementOps: normOps * t.sequence * hidden,
		weights: affine(id, hidden, hidden), outBytes: t.sequence * hidden * bf16,
	}, from)
}

// attention appends multi-head self-attention up to its output projection and
// returns that and the softmax, which alone reads a mask. mask is the node that
// makes the mask, if any does.
func (t *transformer) attention(id string, x ref, mask ...ref) (out, softmax ref) {
	s := t.sequence
	q := t.linear(id+".query", s, hidden, hidden, x)
	k := t.linear(id+".key", s, hidden, hidden, x)
	v := t.linear(id+".value", s, hidden, hidden, x)
	scores := t.net.add(node{
		id: id + ".scores", kind: "matmul", laneChoices: headGroups,
		macs: s * s * hidden, outBytes: heads * s * s * bf16,
	}, q, k)
	softmax = t.elementwise(id+".softmax", "softmax", heads*s, s, softmaxOps, append([]ref{scores}, mask...)...)
	context := t.net.add(node{
		id: id + ".context", kind: "matmul", laneChoices: headGroups,
		macs: s * s * hidden, outBytes: s * hidden * bf16,
	}, softmax, v)
	return t.linear(id+".output", s, hidden, hidden, context), softmax
}

// feedForward appends the two dense layers of a block.
func (t *transformer) feedForward(up, gelu, down string, x ref) ref {
	h := t.linear(up, t.sequence, hidden, ffn, x)
	h = t.elementwise(gelu, "gelu", t.sequence, ffn, geluOps, h)
	return t.linear(down, t.sequence, ffn, hidden, h)
}

func (t *transformer) residual(id string, a, b ref) ref {
	return t.elementwise(id, "add", t.sequence, hidden, addOps, a, b)
}
