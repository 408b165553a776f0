package example

// network is a compute graph in topological order, before it meets a machine.
type network struct {
	paramBytes int64 // bytes of a parameter
	inputs     []input
	nodes      []node
}

// ref names a node of a network by its place.
type ref int

// input is an input of a network.
type input struct {
	id      string
	dynamic bool
	bytes   int64
	readers []ref
}

// node is an op of a network.
type node struct {
	id, kind string
	// laneChoices are the numbers of lanes that the op can have, ascending;
	// each divides the size of every weight. Ops without choices have one lane.
	laneChoices []int64
	macs        int64 // multiply-accumulates of the matrix unit
	elementOps  int64 // operations of the vector unit
	weights     []weight
	outBytes    int64
	from        []ref
}

// weight is a parameter tensor. Nodes that name the same id share it.
type weight struct {
	id     string
	params int64
}

func (n node) params() int64 {
	var sum int64
	for _, w := range n.weights {
		sum += w.params
	}
	return sum
}

// add appends a node, which reads results of from.
func (net *network) add(n node, from ...ref) ref {
	if n.laneChoices == nil {
		n.laneChoices = []int64{1}
	}
	n.from = from
	net.nodes = append(net.nodes, n)
	return ref(len(net.nodes) - 1)
}

// feed adds an input and the nodes that read it.
func (net *network) feed(id string, dynamic bool, bytes int64, readers ...ref) {
	net.inputs = append(net.inputs, input{id, dynamic, bytes, readers})
}

// affine is the pair of a weight matrix and a bias that most layers have.
func affine(id string, matrix, bias int64) []weight {
	return []weight{{id + ".weight", matrix}, {id + ".bias", bias}}
}
