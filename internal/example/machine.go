package example

import "plancheck/ir"

// Rates of a core. They are round numbers of the size that accelerator cores
// have; no product is meant.
const (
	// macsPerCycle is the rate of a core's matrix unit, a 32 x 32 array.
	macsPerCycle = 1024
	// elementOpsPerCycle is the rate of a core's vector unit.
	elementOpsPerCycle = 64
	// copyBytesPerCycle is how fast a forward copies its value.
	copyBytesPerCycle = 64
)

// machine is a 2-D mesh of equal cores.
type machine struct {
	rows, cols int64
	capacity   int64 // bytes of weights that fit a core
}

func (m machine) cores() int64 { return m.rows * m.cols }

// laneCycles is the time of one of the lanes of a node, rounded up.
func laneCycles(n node, lanes int64) int64 {
	cycles := ceilDiv(n.macs, lanes*macsPerCycle) + ceilDiv(n.elementOps, lanes*elementOpsPerCycle)
	if n.kind == ir.KindForward {
		cycles += ceilDiv(n.outBytes, copyBytesPerCycle)
	}
	return cycles
}

// grains is how many pieces of work each core should get, so that lanes of
// different ops can be balanced against each other.
const grains = 16

// chooseLanes gives each node of the network the fewest lanes of its choices
// that keep a lane's time below a sixteenth of an even share of all work, and a
// lane's weights below an eighth of a core; or the most lanes where none do.
func (m machine) chooseLanes(net *network) []int64 {
	var total int64
	for _, n := range net.nodes {
		total += laneCycles(n, 1)
	}
	grain := ceilDiv(total, grains*m.cores())
	lanes := make([]int64, len(net.nodes))
	for i, n := range net.nodes {
		for _, lanes[i] = range n.laneChoices {
			if laneCycles(n, lanes[i]) <= grain && n.params()*net.paramBytes/lanes[i] <= m.capacity/8 {
				break
			}
		}
	}
	return lanes
}

// snake returns the placement that walks the rows of the mesh in turn, every
// other one backwards, so that neighbours in the logical order are neighbours
// on the mesh.
func (m machine) snake() []int64 {
	placement := make([]int64, m.cores())
	for i := range placement {
		row, col := int64(i)/m.cols, int64(i)%m.cols
		if row%2 == 1 {
			col = m.cols - 1 - col
		}
		placement[i] = row*m.cols + col
	}
	return placement
}

func ceilDiv(a, b int64) int64 { return (a + b - 1) / b }
