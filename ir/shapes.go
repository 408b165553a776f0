package ir

import (
	"fmt"

	"plancheck/internal/strictjson"
)

// This file is the schema plancheck.concrete-plan/1: one table of fields for
// each kind of object, in the order of plan.go.

func required[T any](name string, read func(*decoder, *T)) strictjson.Field[*decoder, T] {
	return strictjson.Required(name, read)
}

func optional[T any](name string, read func(*decoder, *T)) strictjson.Field[*decoder, T] {
	return strictjson.Optional(name, read)
}

// schemaHint helps where a document does not say its schema.
func schemaHint(name string) string { return fmt.Sprintf("write \"schema\": %q", name) }

const (
	anOpID     = "an op id (a string)"
	aWeightID  = "a weight id (a string)"
	aValueID   = "a value id (a string)"
	anInputID  = "an input id (a string)"
	opIDs      = "a list of op ids"
	weightIDs  = "a list of weight ids"
	laneList   = "a list of lane numbers"
	coreList   = "a list of core numbers"
	rowColumn  = "[row, column]"
	rowsByCols = "[rows, columns]"
)

var planShape = strictjson.NewShape("a plan",
	required("schema", func(d *decoder, p *Plan) { d.schema(PlanSchema, "this is no concrete plan") }),
	optional("name", func(d *decoder, p *Plan) { p.Name = d.text() }),
	optional("digest", func(d *decoder, p *Plan) { p.DigestAt = d.Offset(); p.Digest = d.text() }),
	optional("parents", func(d *decoder, p *Plan) {
		p.Parents = entries(d, parentShape, func(at uint32) Parent { return Parent{At: at} })
	}),
	optional("logical_cores", func(d *decoder, p *Plan) {
		p.LogicalCoresAt = d.Offset()
		p.LogicalCores = d.number(0)
	}),
	optional("options", func(d *decoder, p *Plan) {
		p.Options.At = d.Offset()
		optionsShape.Read(d.Reader, d, &p.Options)
	}),
	optional("target", func(d *decoder, p *Plan) {
		p.Target = &Target{CoreCount: None, BytesPerCycle: None, At: d.Offset()}
		targetShape.Read(d.Reader, d, p.Target)
	}),
	optional("graph", func(d *decoder, p *Plan) {
		p.Graph.At, d.graphGiven = d.Offset(), true
		d.unknown = kindOp // until its list has been read; the other lists may be absent
		if !graphShape.Read(d.Reader, d, &p.Graph) {
			d.unknown = anyKind
		}
	}),
	optional("stages", func(d *decoder, p *Plan) {
		p.Stages = entries(d, stageShape, func(at uint32) Stage {
			return Stage{Index: None, First: None, Count: None, At: at}
		})
	}),
	optional("assignment", func(d *decoder, p *Plan) {
		p.Assignment.At = d.Offset()
		assignmentShape.Read(d.Reader, d, &p.Assignment)
	}),
	optional("transfers", func(d *decoder, p *Plan) {
		p.Transfers = entries(d, transferShape, func(at uint32) Transfer {
			return Transfer{Stage: None, FromStage: None, ToStage: None, At: at}
		})
	}),
	optional("sync", func(d *decoder, p *Plan) {
		p.Syncs = entries(d, syncShape, func(at uint32) Sync { return Sync{Stage: None, At: at} })
	}),
	optional("program", func(d *decoder, p *Plan) {
		p.Program = &Program{At: d.Offset()}
		programShape.Read(d.Reader, d, p.Program)
	}),
).Hint("schema", schemaHint(PlanSchema)).Annotate(func(s *strictjson.Schema) { // readPlan checks that
	s.AnyOf = []*strictjson.Schema{{Required: []string{"graph"}}, {Required: []string{"program"}}}
})

var optionsShape = strictjson.NewShape("a set of options",
	optional("nonempty_stages", func(d *decoder, o *Options) { o.Nonempty, _ = d.Bool() }),
	optional("forward", func(d *decoder, o *Options) { o.Forward, _ = d.Bool() }),
)

var targetShape = strictjson.NewShape("a target",
	optional("topology", func(d *decoder, t *Target) { d.topology(t) }),
	optional("core_count", func(d *decoder, t *Target) {
		t.CoreCountAt = d.Offset()
		t.CoreCount = d.number(0)
	}),
	optional("bytes_per_cycle", func(d *decoder, t *Target) {
		t.BytesPerCycleAt = d.Offset()
		t.BytesPerCycle = d.number(1)
	}),
	required("cores", func(d *decoder, t *Target) {
		t.Cores = entries(d, coreShape, func(at uint32) Core {
			return Core{ID: None, Row: None, Col: None, Capacity: None, At: at}
		})
	}),
)

// topology is one of two ways to say how far apart cores are.
type topology struct {
	target          *Target
	mesh, distances bool
}

var topologyShape = strictjson.NewShape("a topology",
	optional("mesh", func(d *decoder, t *topology) {
		t.mesh = true
		t.target.MeshAt = d.Offset()
		t.target.Mesh = d.pair(rowsByCols, 1)
	}),
	optional("distances", func(d *decoder, t *topology) {
		t.distances = true
		t.target.DistancesAt = d.Offset()
		l := d.List("a table of distances")
		if !l.Ok() {
			return
		}
		t.target.Distances = [][]int64{}
		for l.Next() {
			t.target.Distances = append(t.target.Distances, d.numberList("a row of distances", 0))
		}
	}),
).Annotate(func(s *strictjson.Schema) {
	s.OneOf = []*strictjson.Schema{{Required: []string{"mesh"}}, {Required: []string{"distances"}}}
})

func (d *decoder) topology(target *Target) {
	t := topology{target: target}
	at := d.Offset()
	if !topologyShape.Read(d.Reader, d, &t) {
		return
	}
	switch {
	case t.mesh && t.distances:
		d.Report(at, "wrong-type", `a topology must be either a "mesh" or "distances", found both`, "")
	case !t.mesh && !t.distances:
		d.Report(at, "missing-field", `a topology must have the field "mesh" or "distances"`, "")
	}
}

var coreShape = strictjson.NewShape("a core",
	required("id", func(d *decoder, c *Core) { c.ID = d.key() }),
	optional("at", func(d *decoder, c *Core) {
		if at := d.pair(rowColumn, 0); at != nil {
			c.Row, c.Col = at[0], at[1]
		}
	}),
	optional("capacity_bytes", func(d *decoder, c *Core) { c.Capacity = d.number(0) }),
	optional("kind", func(d *decoder, c *Core) { c.Kind = d.text() }),
)

var graphShape = strictjson.NewShape("a graph",
	optional("digest", func(d *decoder, g *Graph) { g.DigestAt = d.Offset(); g.Digest = d.text() }),
	optional("inputs", func(d *decoder, g *Graph) {
		g.Inputs = entries(d, inputShape, func(at uint32) Input { return Input{Size: None, ForwardCycles: None, At: at} })
		d.told(kindInput, g.Inputs != nil)
	}),
	optional("weights", func(d *decoder, g *Graph) {
		g.Weights = entries(d, weightShape, func(at uint32) Weight { return Weight{Size: None, At: at} })
		d.told(kindWeight, g.Weights != nil)
	}),
	optional("values", func(d *decoder, g *Graph) {
		g.Values = entries(d, valueShape, func(at uint32) Value {
			return Value{Size: None, ForwardCycles: None, At: at}
		})
		d.told(kindValue, g.Values != nil)
	}),
	required("ops", func(d *decoder, g *Graph) {
		g.Ops = entries(d, opShape, func(at uint32) Op {
			return Op{Lanes: 1, Work: None, MaxParts: None, Windows: None, ForwardCycles: None, At: at}
		})
		d.told(kindOp, g.Ops != nil)
	}),
	optional("edges", func(d *decoder, g *Graph) {
		g.Edges = entries(d, edgeShape, func(at uint32) Edge { return Edge{Size: None, At: at} })
	}),
)

var inputShape = strictjson.NewShape("an input",
	required("id", func(d *decoder, i *Input) { i.ID = d.id(anInputID) }),
	required("dynamic", func(d *decoder, i *Input) { i.Dynamic, _ = d.Bool() }),
	optional("size_bytes", func(d *decoder, i *Input) { i.Size = d.number(0) }),
	optional("forward_cycles", func(d *decoder, i *Input) { i.ForwardCycles = d.number(0) }),
	required("consumers", func(d *decoder, i *Input) {
		i.Consumers = d.idList(opIDs, anOpID, &d.trails.consumer)
		if i.Consumers != nil {
			i.ConsumersAt = d.offsetArena.keep(d.offsets)
		}
	}),
)

var weightShape = strictjson.NewShape("a weight",
	required("id", func(d *decoder, w *Weight) { w.ID = d.id(aWeightID) }),
	required("size_bytes", func(d *decoder, w *Weight) { w.Size = d.number(0) }),
)

var valueShape = strictjson.NewShape("a value",
	required("id", func(d *decoder, v *Value) { v.ID = d.id(aValueID) }),
	required("from", func(d *decoder, v *Value) { v.From = d.reference(anOpID, &d.trails.valueFrom) }),
	optional("size_bytes", func(d *decoder, v *Value) { v.Size = d.number(0) }),
	optional("forward_cycles", func(d *decoder, v *Value) { v.ForwardCycles = d.number(0) }),
)

var opShape = strictjson.NewShape("an op",
	required("id", func(d *decoder, o *Op) { o.ID = d.id(anOpID) }),
	optional("kind", func(d *decoder, o *Op) { o.Kind = d.text() }),
	optional("lanes", func(d *decoder, o *Op) { o.Lanes = d.number(1) }),
	required("work_cycles", func(d *decoder, o *Op) { o.Work = d.number(0) }),
	optional("work_on", func(d *decoder, o *Op) { o.WorkOn = d.workOn() }),
	optional("weights", func(d *decoder, o *Op) { o.Weights = d.idList(weightIDs, aWeightID, &d.trails.opWeight) }),
	optional("max_parts", func(d *decoder, o *Op) { o.MaxParts = d.number(1) }),
	optional("windows", func(d *decoder, o *Op) { o.Windows = d.number(1) }),
	optional("forwards", func(d *decoder, o *Op) {
		o.Forwards = d.reference("the id of an op, a value or an input", &d.trails.forwards)
	}),
	optional("forward_cycles", func(d *decoder, o *Op) { o.ForwardCycles = d.number(0) }),
	optional("lineage", func(d *decoder, o *Op) { o.Lineage = d.lineage() }),
)

var kindWorkShape = strictjson.NewShape("an amount of work",
	required("kind", func(d *decoder, w *KindWork) { w.Kind = d.name("a kind of core (a string)") }),
	required("cycles", func(d *decoder, w *KindWork) { w.Cycles = d.number(0) }),
)

// workOn reads the list of an op's work by the kind of core.
func (d *decoder) workOn() []KindWork {
	l := d.List("a list of work by the kind of core")
	if !l.Ok() {
		return nil
	}
	d.kinds = d.kinds[:0]
	for l.Next() {
		w := KindWork{Cycles: None, At: d.Offset()}
		kindWorkShape.Read(d.Reader, d, &w)
		d.kinds = append(d.kinds, w)
	}
	return d.kindArena.keep(d.kinds)
}

var edgeShape = strictjson.NewShape("an edge",
	required("from", func(d *decoder, e *Edge) { e.From = d.reference(anOpID, &d.trails.edgeFrom) }),
	required("to", func(d *decoder, e *Edge) { e.To = d.reference(anOpID, &d.trails.edgeTo) }),
	optional("value", func(d *decoder, e *Edge) { e.Value = d.reference(aValueID, &d.trails.edgeValue) }),
	optional("size_bytes", func(d *decoder, e *Edge) { e.Size = d.number(0) }),
)

var stageShape = strictjson.NewShape("a stage",
	required("index", func(d *decoder, s *Stage) { s.Index = d.key() }),
	optional("cores", func(d *decoder, s *Stage) {
		if !d.Null() {
			rangeShape.Read(d.Reader, d, s)
		}
	}),
)

var rangeShape = strictjson.NewShape("a range of cores",
	required("first", func(d *decoder, s *Stage) { s.First = d.number(0) }),
	required("count", func(d *decoder, s *Stage) { s.Count = d.number(0) }),
)

var assignmentShape = strictjson.NewShape("an assignment",
	optional("graph_digest", func(d *decoder, a *Assignment) { a.GraphDigestAt = d.Offset(); a.GraphDigest = d.text() }),
	optional("instances", func(d *decoder, a *Assignment) {
		a.Instances = entries(d, instanceShape, func(at uint32) Instance {
			return Instance{Stage: None, Part: None, At: at}
		})
	}),
	optional("splits", func(d *decoder, a *Assignment) {
		a.Splits = entries(d, splitShape, func(at uint32) Split { return Split{Parts: None, At: at} })
	}),
	optional("residency", func(d *decoder, a *Assignment) {
		a.Residency = entries(d, residentShape, func(at uint32) Resident {
			return Resident{Part: None, Parts: None, At: at}
		})
	}),
	optional("replicas", func(d *decoder, a *Assignment) {
		a.Replicas = entries(d, replicaShape, func(at uint32) Replica {
			return Replica{Index: None, First: None, Count: None, At: at}
		})
	}),
	optional("placement", func(d *decoder, a *Assignment) {
		a.PlacementAt = d.Offset()
		a.Placement = d.holeList(coreList)
		if a.Placement != nil {
			a.PlacementsAt = d.offsetArena.keep(d.offsets)
		}
	}),
)

var instanceShape = strictjson.NewShape("an instance",
	required("op", func(d *decoder, i *Instance) { i.Op = d.reference(anOpID, &d.trails.instance) }),
	optional("stage", func(d *decoder, i *Instance) { i.Stage = d.numberOrNull(0) }),
	optional("part", func(d *decoder, i *Instance) { i.Part = d.number(0) }),
	optional("lanes", func(d *decoder, i *Instance) { i.Lanes = d.numberList(laneList, 0) }),
	optional("cores", func(d *decoder, i *Instance) { i.Cores = d.holeList(coreList) }),
)

var splitShape = strictjson.NewShape("a split",
	required("op", func(d *decoder, s *Split) { s.Op = d.reference(anOpID, &d.trails.split) }),
	required("parts", func(d *decoder, s *Split) { s.Parts = d.number(1) }),
)

var residentShape = strictjson.NewShape("a residency entry",
	required("weight", func(d *decoder, r *Resident) { r.Weight = d.reference(aWeightID, &d.trails.resident) }),
	optional("lanes", func(d *decoder, r *Resident) { r.Lanes = d.numberList(laneList, 0) }),
	required("cores", func(d *decoder, r *Resident) { r.Cores = d.numberList(coreList, 0) }),
	optional("part", func(d *decoder, r *Resident) { r.Part = d.number(0) }),
	optional("parts", func(d *decoder, r *Resident) { r.Parts = d.number(1) }),
).Annotate(func(s *strictjson.Schema) { // lengths.go checks that
	s.DependentRequired = map[string][]string{"part": {"parts"}, "parts": {"part"}}
})

var replicaShape = strictjson.NewShape("a replica",
	required("op", func(d *decoder, r *Replica) { r.Op = d.reference(anOpID, &d.trails.replica) }),
	required("index", func(d *decoder, r *Replica) { r.Index = d.key() }),
	required("first", func(d *decoder, r *Replica) { r.First = d.number(0) }),
	required("count", func(d *decoder, r *Replica) { r.Count = d.number(0) }),
)

var transferShape = strictjson.NewShape("a transfer",
	required("id", func(d *decoder, t *Transfer) { t.ID = d.id("a transfer id (a string)") }),
	required("from", func(d *decoder, t *Transfer) { t.From = d.reference(anOpID, &d.trails.transferFrom) }),
	required("to", func(d *decoder, t *Transfer) { t.To = d.reference(anOpID, &d.trails.transferTo) }),
	optional("stage", func(d *decoder, t *Transfer) { t.Stage = d.number(0) }),
	optional("from_stage", func(d *decoder, t *Transfer) { t.FromStage = d.number(0) }),
	optional("to_stage", func(d *decoder, t *Transfer) { t.ToStage = d.number(0) }),
)

var syncShape = strictjson.NewShape("a sync record",
	required("id", func(d *decoder, s *Sync) { s.ID = d.id("a sync id (a string)") }),
	required("op", func(d *decoder, s *Sync) { s.Op = d.reference(anOpID, &d.trails.sync) }),
	optional("stage", func(d *decoder, s *Sync) { s.Stage = d.number(0) }),
)

var parentShape = strictjson.NewShape("a parent",
	required("schema", func(d *decoder, p *Parent) { p.Schema = d.text() }),
	required("digest", func(d *decoder, p *Parent) { p.Digest = d.text() }),
)

var lineageShape = strictjson.NewShape("a lineage",
	required("kind", func(d *decoder, l *Lineage) { l.Kind = d.oneOf(LineageKinds()) }),
	optional("transform", func(d *decoder, l *Lineage) { l.Transform = d.text() }),
	optional("sources", func(d *decoder, l *Lineage) { l.Sources = d.foreignIDs("a list of ids") }),
	optional("reason", func(d *decoder, l *Lineage) { l.Reason = d.text() }),
)
