package importer

import (
	"fmt"
	"strconv"
	"strings"

	"plancheck/internal/pipeline"
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
	// What the schedule of a pipeline does not say, see pipeline.Options.
	ActivationBytes, MessageBytes, CapacityBytes, Depth Amount
}

// Amount is a number, from 0, that may be absent.
type Amount struct {
	N     int64
	Given bool
}

// kinds are sets of options that belong together.
type kinds uint8

const (
	graphOptions    kinds = 1 << iota // Total, Sources, EdgeSize
	scheduleOptions                   // the others
)

// given says of which kinds there are options.
func (o Options) given() (k kinds) {
	if o.Total != 0 || o.Sources != 0 || o.EdgeSize != 0 {
		k |= graphOptions
	}
	if o.ActivationBytes.Given || o.MessageBytes.Given || o.CapacityBytes.Given || o.Depth.Given {
		k |= scheduleOptions
	}
	return k
}

// schedule returns the options of a pipeline schedule.
func (o Options) schedule() pipeline.Options {
	p := pipeline.DefaultOptions()
	for _, x := range []struct {
		from Amount
		to   *int64
	}{{o.ActivationBytes, &p.ActivationBytes}, {o.MessageBytes, &p.MessageBytes}, {o.CapacityBytes, &p.CapacityBytes}, {o.Depth, &p.Depth}} {
		if x.from.Given {
			*x.to = x.from.N
		}
	}
	return p
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
// "inputs", "edge-size" to "cost" or "bytes"; "activation-bytes", "message-bytes",
// "capacity-bytes" and "depth" to numbers.
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
		to := o.amount(name)
		if to == nil {
			return fmt.Errorf("no import option %q; there are scale, sources, edge-size, activation-bytes, message-bytes, capacity-bytes and depth", name)
		}
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil || n < 0 {
			return bad("a number of at least 0")
		}
		*to = Amount{n, true}
	}
	return nil
}

func (o *Options) amount(name string) *Amount {
	switch name {
	case "activation-bytes":
		return &o.ActivationBytes
	case "message-bytes":
		return &o.MessageBytes
	case "capacity-bytes":
		return &o.CapacityBytes
	case "depth":
		return &o.Depth
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
