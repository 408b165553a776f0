package facts

import (
	"plancheck/internal/symbol"
	"plancheck/ir"
)

// exporter writes the relations of one plan. What several relations need is
// computed when first asked for.
type exporter struct {
	document *Document
	plan     *ir.Plan // an empty one where the document is of another level
	ofBody   map[string]*levelRows

	limit int64 // of rows in all
	rows  int64 // written so far

	opIndex    []int32 // by dense id: position in Graph.Ops, -1 for other ids
	valueIndex []int32 // likewise in Graph.Values
	out        *outEdges
	repeats    *repeats
	ranks      []int64
	cycle      []int32
	content    string // digest of the graph's content
	holes      holes
	ranges     []rangePlace

	issue      []int32         // see issued
	followed   []int           // issue orders that queues follow
	queueRanks map[ir.ID]int64 // of the devices of queues
	tokenAt    []int32         // by dense id: position in Program.Tokens
	waiting    *waits
	// Of the commands: their ranks, those that have one in this order, and the
	// smallest wait cycle.
	commandRank     []int64
	commandsInOrder []int32
	waitSteps       []waitStep
	trackOf         *tracks
	life            *lives
	ordersFound     *orders
	shared          []sharedRank

	lanesCounted bool // and are not too many

	parent  *ir.Plan  // nil when there is none
	adopted *exporter // of the parent; see adopt
	// above is the exporter of a parent of another level; nil when there is none.
	above *exporter
}

// holes says whether some listed lane lacks its stage or its core.
type holes uint8

const (
	unknown holes = iota
	none
	present
)

func (e *exporter) num(n int64) symbol.Value { return e.plan.Symbols.Int(n) }

// positions maps ids to the position in the list that they come from.
func (e *exporter) positions(n int, id func(int) ir.ID) []int32 {
	index := make([]int32, e.plan.Symbols.Len())
	for i := range index {
		index[i] = -1
	}
	for i := range n {
		if dense, ok := id(i).Index(); ok && dense < len(index) {
			index[dense] = int32(i)
		}
	}
	return index
}

func lookup(index []int32, id ir.ID) (int, bool) {
	dense, ok := id.Index()
	if !ok || dense >= len(index) || index[dense] < 0 {
		return 0, false
	}
	return int(index[dense]), true
}

// op returns the position of an op in Graph.Ops.
func (e *exporter) op(id ir.ID) (int, bool) {
	if e.opIndex == nil {
		ops := e.plan.Graph.Ops
		e.opIndex = e.positions(len(ops), func(i int) ir.ID { return ops[i].ID })
	}
	return lookup(e.opIndex, id)
}

// value returns the position of a named value in Graph.Values.
func (e *exporter) value(id ir.ID) (int, bool) {
	values := e.plan.Graph.Values
	if len(values) == 0 {
		return 0, false
	}
	if e.valueIndex == nil {
		e.valueIndex = e.positions(len(values), func(i int) ir.ID { return values[i].ID })
	}
	return lookup(e.valueIndex, id)
}

// count writes the only row of a relation that holds one number, unless it is absent.
func (w *writer) count(at uint32, n int64) {
	if n != ir.None {
		w.row(at, w.exporter.num(n))
	}
}

// text writes the only row of a relation that holds one text, unless it is absent.
func (w *writer) text(at uint32, s string) {
	if s != "" {
		w.row(at, w.exporter.plan.Symbols.String(s))
	}
}

func (e *exporter) given(w *writer) {
	p := e.plan
	section := func(present bool, name string, at func() uint32) {
		if present {
			w.row(at(), p.Symbols.Name(name))
		}
	}
	section(p.Target != nil, "/target", func() uint32 { return p.Target.At })
	section(p.Stages != nil, "/stages", func() uint32 {
		if len(p.Stages) == 0 {
			return 0
		}
		return p.Stages[0].At
	})
	section(len(p.Assignment.Instances) > 0, "/instances", func() uint32 { return p.Assignment.Instances[0].At })
	section(p.Assignment.Residency != nil, "/residency", func() uint32 {
		if len(p.Assignment.Residency) == 0 {
			return p.Assignment.At
		}
		return p.Assignment.Residency[0].At
	})
	if x := e.program().Extension; x != nil {
		section(x.Spatial != nil, "/spatial", func() uint32 { return x.Spatial.At })
	}
	section(e.parent != nil || e.above != nil, "/parent", e.start)
	section(p.Assignment.Placement != nil, "/placement", func() uint32 { return p.Assignment.PlacementAt })
	section(p.Program != nil, "/program", func() uint32 { return p.Program.At })
	section(e.program().Identity != nil, "/identity", func() uint32 { return p.Program.Identity.At })
}

func (e *exporter) options(w *writer) {
	o := &e.plan.Options
	for _, option := range []struct {
		on   bool
		name string
	}{{o.Nonempty, "/nonempty_stages"}, {o.Forward, "/forward"}} {
		if option.on {
			w.row(o.At, e.plan.Symbols.Name(option.name))
		}
	}
}

// logical returns how many logical cores there are, and where the document says so.
func (e *exporter) logical() (n int64, at uint32, known bool) {
	p := e.plan
	if p.LogicalCores != ir.None {
		return p.LogicalCores, p.LogicalCoresAt, true
	}
	if p.Target != nil {
		return int64(len(p.Target.Cores)), p.Target.At, true
	}
	for _, s := range p.Stages {
		if s.First == ir.None {
			continue
		}
		if end := reach(&s); !known || end > n {
			n, at, known = end, s.At, true
		}
	}
	return n, at, known
}
