package importer

import (
	"fmt"
	"strconv"
	"strings"
)

// DefaultTotal is what the work of a graph adds up to where Options do not say.
const DefaultTotal = 200_000

// Options say how a foreign file is read. The zero value is the default.
type Options struct {
	// Total is what the work of all nodes adds up to, but for rounding:
	// work = latency * Total / sum of latencies, rounded to the nearest integer
	// and halves up. 0 means DefaultTotal.
	Total int64
	// Sources says what nodes are that read no other node.
	Sources Sources
	// EdgeSize says what the size of an edge is taken from.
	EdgeSize EdgeSize
}

// Sources says what becomes of nodes that read no other node.
type Sources uint8

// The ways to read sources.
const (
	SourcesAsOps    Sources = iota // they are ops
	SourcesAsInputs                // they are dynamic inputs, read by the ops that they feed
)

// EdgeSize says what the size of an edge is.
type EdgeSize uint8

// The ways to read sizes of edges.
const (
	// EdgeCost: the time to move the value, scaled like work. A solver that
	// weighs a byte as a unit of work then minimises what the file's authors did.
	// The work of forwards is the cost of edges whatever the sizes are.
	EdgeCost EdgeSize = iota
	// EdgeBytes: the bytes that the file states, fractions rounded up.
	EdgeBytes
)

// Set sets an option from text: "scale" to "total=N", "sources" to "ops" or
// "inputs", "edge-size" to "cost" or "bytes".
func (o *Options) Set(name, value string) error {
	bad := func(want string) error { return fmt.Errorf("%s must be %s, not %q", name, want, value) }
	switch name {
	case "scale":
		text, ok := strings.CutPrefix(value, "total=")
		total, err := strconv.ParseInt(text, 10, 64)
		if !ok || err != nil || total < 1 {
			return bad("total=N with N at least 1")
		}
		o.Total = total
	case "sources":
		switch value {
		case "ops":
			o.Sources = SourcesAsOps
		case "inputs":
			o.Sources = SourcesAsInputs
		default:
			return bad("ops or inputs")
		}
	case "edge-size":
		switch value {
		case "cost":
			o.EdgeSize = EdgeCost
		case "bytes":
			o.EdgeSize = EdgeBytes
		default:
			return bad("cost or bytes")
		}
	default:
		return fmt.Errorf("no import option %q; there are scale, sources and edge-size", name)
	}
	return nil
}

func (o Options) check() error {
	if o.Total < 0 {
		return fmt.Errorf("the scale must be at least 1, not %d", o.Total)
	}
	return nil
}

func (o Options) total() int64 {
	if o.Total == 0 {
		return DefaultTotal
	}
	return o.Total
}
