package ir

import (
	"plancheck/internal/diag"
	"plancheck/internal/symbol"
)

// PlanSchema names the document that this package reads and writes.
const PlanSchema = "plancheck.concrete-plan/1"

// ID is an interned identifier of a document: an op, a weight, a value. Ids
// are compared byte for byte; Plan.Symbols has their text.
type ID = symbol.Value

// None stands where an optional number or id is absent. No id and no number in
// a document has this value.
const None = -1

// NoID stands where an optional id is absent: no id is a small integer.
const NoID ID = 0

// Plan is a ConcretePlanIR document: a compute graph, a target, and what is
// decided so far about stages, cores and places; and the program of commands that
// carries it out, with or without the rest. What is not decided is a
// hole: an instance without stage or core, a stage without a range, a missing
// placement.
//
// A list is nil when the document does not have it, and not nil but empty when
// the document has it with nothing in it.
//
// At fields are byte offsets into Source of the value that the struct was read
// from, and 0 for plans that were built rather than read.
type Plan struct {
	Symbols *symbol.Table
	Source  *diag.Source

	Name         string
	Digest       string // recorded content digest of the document, "" when absent
	Parents      []Parent
	LogicalCores int64 // declared number of logical cores, None when absent
	Options      Options
	Target       *Target
	Graph        Graph
	Stages       []Stage
	Assignment   Assignment
	Transfers    []Transfer
	Syncs        []Sync
	Program      *Program // the commands; nil when absent

	DigestAt, LogicalCoresAt uint32
}

// Options is what the plan demands and allows. A plan that does not say so
// demands and allows none of it.
type Options struct {
	Nonempty bool // every stage must have an instance of an op that is no forward
	Forward  bool // who completes the plan may add forwards to the graph
	At       uint32
}

// Target is the machine: physical cores and how far apart they are.
type Target struct {
	Mesh      []int64   // rows and columns of a 2-D mesh; nil when there is none
	Distances [][]int64 // hops between cores, in the order of Cores; nil when absent
	CoreCount int64     // declared number of cores, None when absent
	Cores     []Core

	// BytesPerCycle is how many bytes a core passes on, or copies, in a cycle;
	// at least 1, None when absent.
	BytesPerCycle int64

	At, MeshAt, DistancesAt, CoreCountAt, BytesPerCycleAt uint32
}

// Core is a physical core.
type Core struct {
	ID       int64
	Row, Col int64  // position on the mesh; None when absent
	Capacity int64  // bytes of resident weights that fit; None when absent
	Kind     string // "" when absent
	At       uint32
}

// Graph is the compute graph: ops joined by edges, fed by inputs.
//
// A document with a program need not have a graph; then Ops is nil.
type Graph struct {
	// Digest is the revision that the document states for its graph: either
	// "sha256:..." of its canonical JSON, which is verified, or any other text,
	// which is taken as it is; "" when absent.
	Digest  string
	Inputs  []Input
	Weights []Weight
	Values  []Value
	Ops     []Op
	Edges   []Edge

	At, DigestAt uint32
}

// Input is an input of the graph. A dynamic input changes with every inference;
// a static one is a constant and may be used anywhere.
type Input struct {
	ID        ID
	Dynamic   bool
	Size      int64 // bytes, None when absent
	Consumers []ID  // ops
	// ConsumersAt has the offset of each entry of Consumers.
	ConsumersAt []uint32
	// ForwardCycles is the work of one forward of the input; None when absent.
	ForwardCycles int64
	At            uint32
}

// Weight is a parameter tensor.
type Weight struct {
	ID   ID
	Size int64 // bytes of one lane's slice
	At   uint32
}

// Value is a result of an op that has several; an op with one result needs no
// entry, its value has the op's own id.
type Value struct {
	ID            ID
	From          ID    // the op that makes it
	Size          int64 // bytes, None when absent
	ForwardCycles int64 // work of one forward of the value; None when absent
	At            uint32
}

// Op is an operation. Its lanes are equal parts that run side by side, each
// with its own slice of every weight.
type Op struct {
	ID       ID
	Kind     string // "" when absent; KindForward for forwards
	Lanes    int64  // at least 1
	Work     int64  // cycles of the whole op, over all its lanes
	WorkOn   []KindWork
	Weights  []ID
	MaxParts int64 // into how many parts a lane may be split; None when absent
	Windows  int64 // sliding windows that replicas of the op share; None when absent
	Forwards ID    // for a forward: the op, value or input whose result it carries; NoID when absent
	// ForwardCycles is the work of one forward of the op's only value; None when
	// absent. Values that the graph lists have their own.
	ForwardCycles int64
	Lineage       *Lineage // nil when absent
	At            uint32
}

// KindWork is the work of an op on cores of one kind, where it differs from Op.Work.
type KindWork struct {
	Kind   string // each once for an op
	Cycles int64  // of the whole op, over all its lanes
	At     uint32
}

// KindForward is the kind of an op that does nothing but carry a value through
// its stage.
const KindForward = "forward"

// Edge says that To reads a result of From.
type Edge struct {
	From, To ID
	Value    ID    // which of From's values; may be NoID where it makes one only
	Size     int64 // bytes of the whole value, None when absent
	At       uint32
}

// Stage is a pipeline stage and its range of logical cores.
type Stage struct {
	Index        int64
	First, Count int64 // logical cores First to First+Count-1; both None for a hole
	At           uint32
}

// Assignment says where everything runs.
type Assignment struct {
	GraphDigest string // of the graph that the assignment was made for, "" when absent
	Instances   []Instance
	Splits      []Split
	Residency   []Resident
	Replicas    []Replica
	// Placement maps logical core i to a physical core; None is a hole. Nil
	// when absent.
	Placement []int64

	At, GraphDigestAt, PlacementAt uint32
	PlacementsAt                   []uint32 // of each entry
}

// Instance places lanes of an op, all in one stage. An op may have several.
type Instance struct {
	Op    ID
	Stage int64 // None for a hole
	Part  int64 // which part of the lanes, for an op that is split; None otherwise
	// Lanes are lane numbers; nil when the document leaves them out, which
	// means lane 0, 1, 2, ... as many as Cores has, or all lanes of the op
	// where Cores is absent too.
	Lanes []int64
	// Cores has the logical core of each lane; None is a hole. Nil when absent:
	// all are holes.
	Cores []int64
	At    uint32
}

// Split says that every lane of an op is cut into equal parts (sizes within
// one byte and one cycle) that run as instances of their own.
type Split struct {
	Op    ID
	Parts int64 // at least 1
	At    uint32
}

// Resident lists cores that hold lane slices of a weight, one core a lane.
type Resident struct {
	Weight ID
	Lanes  []int64 // nil means 0, 1, 2, ... as many as Cores has
	Cores  []int64 // logical
	// Part of Parts when the slices are those of a split op; None otherwise.
	Part, Parts int64
	At          uint32
}

// Replica is a copy of an op's weights that works on a range of the op's
// sliding windows.
type Replica struct {
	Op           ID
	Index        int64
	First, Count int64 // windows First to First+Count-1
	At           uint32
}

// Transfer moves a value between stages.
type Transfer struct {
	ID                 ID
	From, To           ID    // ops
	Stage              int64 // the stage whose program holds the transfer; None when absent
	FromStage, ToStage int64 // None when absent
	At                 uint32
}

// Sync is a synchronisation record.
type Sync struct {
	ID    ID
	Op    ID
	Stage int64 // None when absent
	At    uint32
}

// Text returns the text of an id.
func (p *Plan) Text(id ID) string { return p.Symbols.Text(id) }
