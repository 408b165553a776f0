// Package facts turns documents into relations: one table says which relations
// there are, one exporter a level fills them, and every row remembers where in
// the file it came from. The Decls that Mangle checks and the reference page
// are generated from the same table.
package facts

import (
	"slices"
	"strings"
	"sync"
)

// Type is the type of a column.
type Type string

// The types of columns, in Mangle's words.
const (
	Number Type = "/number"
	String Type = "/string"
	Name   Type = "/name"
)

// Column is a column of a relation.
type Column struct {
	Name string // a variable of the rule language: UpperCamel
	Type Type
}

// Relation describes one relation of facts.
type Relation struct {
	Name string
	Cols []Column
	// Section is the pointer of the section of the document that fills it; "" for
	// the document itself, and "parent" for the parent plan.
	Section string
	Doc     string
	// Says is a sentence about a row, with {Column} where values go, in the
	// manner of messages of rules.
	Says string
	// Distinct promises that the exporter never writes a row twice.
	Distinct bool
	rows     rows
}

// ofParent is the Section of relations that are read from the parent plan.
const ofParent = "parent"

// everyLevel is the schema of relations that documents of several levels fill:
// always that which is judged.
const everyLevel = "*"

// OfParent says that the relation is read from the parent plan, with which
// rules may compare a plan; it is empty where there is none.
func (r Relation) OfParent() bool { return r.Section == ofParent }

// OfLevel returns the schema of the documents that fill the relation where these
// are not plans: "" for relations of plans, and "*" for those that documents of
// several levels fill.
func (r Relation) OfLevel() string { return r.rows.schema }

// ForCompletion says that only those need the relation who complete a plan:
// there is nothing to judge in it, and no rule has to read it.
func (r Relation) ForCompletion() bool { return r.rows.completion }

// Certificate says that the exporter computed the rows, for rules to verify:
// they stand in no document.
func (r Relation) Certificate() bool { return strings.HasPrefix(r.Doc, "Certificate:") }

// rows says how the rows of a relation are made and where they come from.
type rows struct {
	// write writes the rows, in document order.
	write func(*exporter, *writer)
	// field is the field of the entity that a row is read from; empty where it
	// is the entity itself. Where the document leaves it out, the entity is the
	// place of the row.
	field string
	// entry says that a row is an entry of the list in that field.
	entry bool
	// other is a relation whose rows often agree with these one by one. Then
	// equal columns are stored once: in a complete plan that lists its instances
	// in the order of its ops, the lanes that ops have are the lanes that are
	// listed.
	other string
	// completion is what ForCompletion says.
	completion bool
	// schema is that of the documents that fill the relation, where these are not
	// plans, or everyLevel.
	schema string
}

func num(name string) Column { return Column{name, Number} }
func str(name string) Column { return Column{name, String} }
func nam(name string) Column { return Column{name, Name} }

// Relations is the table of all relations of facts, in the order of the
// document's sections. Nobody may change it.
func Relations() []Relation { return relations() }

// relations is asked for again and again.
var relations = sync.OnceValue(func() []Relation {
	return slices.Concat(planRelations(), programRelations(), lineageRelations(), queueExtensionRelations(), spatialRelations(), deploymentRelations(), documentRelations(), levelRelations(), meshRelations())
})

func planRelations() []Relation {
	return []Relation{
		{"given", []Column{nam("Section")}, "",
			"The document has this optional section, be it empty: /target, /stages, /residency, /placement, /program or /identity; or /instances, with something in it; or /spatial, of the program's target extension; or /parent, where there is a parent plan to compare with.",
			"the plan has the section {Section}", true, rows{write: (*exporter).given}},

		{"option", []Column{nam("Name")}, "/options", "The plan demands or allows this: /nonempty_stages, that no stage is without work; /forward, that forwards may be added to the graph.",
			"the plan has the option {Name}", true, rows{write: (*exporter).options}},

		{"core", []Column{num("Physical")}, "/target/cores", "A physical core.",
			"the target has physical core {Physical}", true, rows{write: (*exporter).cores}},
		{"core_capacity", []Column{num("Physical"), num("Bytes")}, "/target/cores", "How many bytes of weights can be resident on the core.",
			"physical core {Physical} holds {Bytes bytes} of weights", true, rows{write: (*exporter).coreCapacities, field: "capacity_bytes"}},
		{"core_kind", []Column{num("Physical"), str("Kind")}, "/target/cores", "The core is of this kind.",
			"physical core {Physical} is of kind {Kind}", true, rows{write: (*exporter).coreKinds, field: "kind"}},
		{"core_at", []Column{num("Physical"), num("Row"), num("Col")}, "/target/cores", "Where the core is on the mesh.",
			"physical core {Physical} is at row {Row}, column {Col}", true, rows{write: (*exporter).corePositions, field: "at"}},
		{"mesh", []Column{num("Rows"), num("Cols")}, "/target/topology", "The target is a 2-D mesh of this size.",
			"the target is a mesh of {Rows rows} and {Cols columns}", true, rows{write: (*exporter).mesh}},
		{"core_distance", []Column{num("From"), num("To"), num("Hops")}, "/target/topology", "Hops between two cores, where the target states a table of distances.",
			"physical cores {From} and {To} are {Hops hops} apart", true, rows{write: (*exporter).coreDistances}},
		{"core_count", []Column{num("Count")}, "/target/core_count", "The target states how many cores it has.",
			"the target states that it has {Count cores}", true, rows{write: (*exporter).coreCount}},
		{"bytes_per_cycle", []Column{num("Bytes")}, "/target", "How many bytes a core passes on, or copies, in a cycle.",
			"a core passes on {Bytes bytes} in a cycle", true, rows{write: (*exporter).bytesPerCycle, completion: true}},
		{"logical_core", []Column{num("Core")}, "/logical_cores", "A logical core. Where the document does not state their number there are as many as physical cores, and without a target as many as the stages' ranges reach; where it has none of these their number is not known and there are no rows.",
			"the plan has logical core {Core}", true, rows{write: (*exporter).logicalCores}},
		{"logical_core_count", []Column{num("Count")}, "/logical_cores", "How many logical cores there are, where that is known.",
			"the plan has {Count} logical cores, counted from 0", true, rows{write: (*exporter).logicalCoreCount}},

		{"input", []Column{str("Input")}, "/graph/inputs", "An input of the graph.",
			"{Input} is an input of the graph", true, rows{write: (*exporter).inputs}},
		{"dynamic_input", []Column{str("Input")}, "/graph/inputs", "The input changes with every inference.",
			"input {Input} changes with every inference", true, rows{write: (*exporter).dynamicInputs, other: "input"}},
		{"input_size", []Column{str("Input"), num("Bytes")}, "/graph/inputs", "Size of the input.",
			"input {Input} has {Bytes bytes}", true, rows{write: (*exporter).inputSizes, field: "size_bytes"}},
		{"input_consumer", []Column{str("Input"), str("Op")}, "/graph/inputs", "The op reads the input itself.",
			"op {Op} reads input {Input}", false, rows{write: (*exporter).inputConsumers}},
		{"weight", []Column{str("Weight"), num("Bytes")}, "/graph/weights", "A weight, and the size of one lane's slice of it.",
			"one lane's slice of weight {Weight} has {Bytes bytes}", true, rows{write: (*exporter).weights}},
		{"value", []Column{str("Value"), str("Op")}, "/graph/values", "A named result of the op. An op without an entry makes one value with its own id, which is not listed here.",
			"value {Value} is made by op {Op}", true, rows{write: (*exporter).values}},
		{"op", []Column{str("Op"), num("Lanes"), num("Work")}, "/graph/ops", "An op, its lanes, and its work in cycles over all lanes.",
			"op {Op} has {Lanes lanes} and {Work cycles} of work", true, rows{write: (*exporter).ops}},
		{"op_work_on", []Column{str("Op"), str("Kind"), num("Cycles")}, "/graph/ops", "Work of the op over all its lanes on cores of this kind, where it differs from that of op.",
			"op {Op} has {Cycles cycles} of work on cores of kind {Kind}", true, rows{write: (*exporter).opWorkOn}},
		{"forward_cycles", []Column{str("Value"), num("Cycles")}, "/graph/ops", "Work of one forward of the value: the id of an op that makes one value, of a named value, or of an input.",
			"a forward of {Value} takes {Cycles cycles}", true, rows{write: (*exporter).forwardCycles, field: "forward_cycles", completion: true}},
		{"op_kind", []Column{str("Op"), str("Kind")}, "/graph/ops", "The op is of this kind.",
			"op {Op} is of kind {Kind}", true, rows{write: (*exporter).opKinds, field: "kind"}},
		{"op_lane", []Column{str("Op"), num("Lane")}, "/graph/ops", "A lane that the op has.",
			"op {Op} has lane {Lane}", true, rows{write: (*exporter).opLanes, field: "lanes", other: "instance"}},
		{"op_weight", []Column{str("Op"), str("Weight")}, "/graph/ops", "Each lane of the op uses its slice of the weight.",
			"op {Op} uses weight {Weight}", false, rows{write: (*exporter).opWeights, field: "weights", entry: true}},
		{"op_max_parts", []Column{str("Op"), num("Parts")}, "/graph/ops", "Each lane of the op may be split into this many parts.",
			"a lane of op {Op} may be split into at most {Parts parts}", true, rows{write: (*exporter).opMaxParts, field: "max_parts"}},
		{"op_windows", []Column{str("Op"), num("Windows")}, "/graph/ops", "How many sliding windows the op works through.",
			"op {Op} works through {Windows windows}", true, rows{write: (*exporter).opWindows, field: "windows"}},
		{"op_forwards", []Column{str("Op"), str("Value")}, "/graph/ops", "The op is a forward that carries this value: the id of an op, of a named value, or of an input.",
			"op {Op} forwards {Value}", true, rows{write: (*exporter).opForwards, field: "forwards"}},
		{"edge", []Column{str("From"), str("To")}, "/graph/edges", "To reads a result of From.",
			"edge {From} -> {To} is in the plan", false, rows{write: (*exporter).edges}},
		{"edge_value", []Column{str("From"), str("To"), str("Value"), num("Bytes")}, "/graph/edges", "The value that the edge carries and its size; the value of an op with one result has the op's id. Edges of unknown size are not listed.",
			"edge {From} -> {To} carries {Bytes bytes} of value {Value}", false, rows{write: (*exporter).edgeValues, other: "edge"}},
		{"edge_named_value", []Column{str("From"), str("To"), str("Value")}, "/graph/edges", "The edge carries this one of several results of From.",
			"edge {From} -> {To} carries value {Value}", false, rows{write: (*exporter).edgeNamedValues, field: "value"}},
		{"repeated_edge", []Column{str("From"), str("To"), str("Value")}, "/graph/edges", "The document lists this edge more than once.",
			"edge {From} -> {To} with value {Value} is listed again", true, rows{write: (*exporter).repeatedEdges}},
		{"graph_digest", []Column{str("Digest")}, "/graph", "The revision that the graph states for itself, or the digest of its content where it states none and the assignment names one.",
			"the graph is of revision {Digest}", true, rows{write: (*exporter).graphDigest}},
		{"graph_content_digest", []Column{str("Digest")}, "/graph", "The digest of the graph's content, computed where the document records one to compare it with.",
			"the content of the graph has digest {Digest}", true, rows{write: (*exporter).graphContentDigest}},
		{"op_rank", []Column{str("Op"), num("Rank")}, "/graph/edges", "Certificate: a number that grows along every edge between two ops, for the ops that no cycle reaches.",
			"op {Op} has rank {Rank} in the order of the graph", true, rows{write: (*exporter).opRanks}},
		{"graph_cycle", []Column{num("Step"), str("From"), str("To")}, "/graph/edges", "Certificate: the edges of a smallest cycle of two or more ops, in order from step 0, where the graph has one.",
			"step {Step} of the cycle leads from {From} to {To}", true, rows{write: (*exporter).graphCycle}},

		{"stage", []Column{num("Stage")}, "/stages", "A stage.",
			"the plan has stage {Stage}", true, rows{write: (*exporter).stages}},
		{"stage_range", []Column{num("Stage"), num("First"), num("Count")}, "/stages", "The stage owns logical cores First to First + Count - 1.",
			"stage {Stage} has {Count cores} from logical core {First} on", true, rows{write: (*exporter).stageRanges, field: "cores"}},
		{"range_order", []Column{num("Rank"), num("Stage"), num("Furthest")}, "/stages", "Certificate: the stages with one core or more, ranked from 0 on by the first core of their range; and of the stages up to this rank, the one whose range reaches furthest.",
			"the range of stage {Stage} has rank {Rank}, and up to there that of stage {Furthest} reaches furthest", true, rows{write: (*exporter).rangeOrder, field: "cores"}},

		{"instance", []Column{str("Op"), num("Lane"), num("Stage"), num("Core")}, "/assignment/instances", "The lane of the op (or a part of it) runs in this stage on this logical core.",
			"lane {Lane} of op {Op} runs in stage {Stage} on core {Core}", false, rows{write: (*exporter).instances}},
		{"instance_stage", []Column{str("Op"), num("Lane"), num("Stage")}, "/assignment/instances", "The lane of the op (or a part of it) runs in this stage; on a core or not yet.",
			"lane {Lane} of op {Op} is put in stage {Stage}", false, rows{write: (*exporter).instanceStages, field: "stage", other: "instance"}},
		{"instance_core", []Column{str("Op"), num("Lane"), num("Core")}, "/assignment/instances", "The lane of the op (or a part of it) runs on this logical core; in a stage or not yet.",
			"lane {Lane} of op {Op} is put on core {Core}", false, rows{write: (*exporter).instanceCores, field: "cores", entry: true, other: "instance"}},
		{"instance_listed", []Column{str("Op"), num("Lane")}, "/assignment/instances", "The plan lists this lane, complete or with holes.",
			"the assignment lists lane {Lane} of op {Op}", false, rows{write: (*exporter).instancesListed, field: "lanes", entry: true, other: "instance"}},
		{"instance_repeated", []Column{str("Op"), num("Lane")}, "/assignment/instances", "The plan lists this lane, or one part of it, more than once.",
			"the assignment lists lane {Lane} of op {Op} more than once", true, rows{write: (*exporter).instancesRepeated, field: "lanes", entry: true}},
		{"instance_stage_only", []Column{str("Op"), num("Lane"), num("Stage")}, "/assignment/instances", "The lane (or a part of it) has a stage but no core yet.",
			"lane {Lane} of op {Op} has stage {Stage} but no core", false, rows{write: (*exporter).instancesStageOnly, field: "cores", entry: true}},
		{"instance_core_only", []Column{str("Op"), num("Lane"), num("Core")}, "/assignment/instances", "The lane (or a part of it) has a core but no stage yet.",
			"lane {Lane} of op {Op} has core {Core} but no stage", false, rows{write: (*exporter).instancesCoreOnly, field: "stage"}},
		{"instance_open", []Column{str("Op"), num("Lane")}, "/assignment/instances", "The lane (or a part of it) is listed without stage and core.",
			"lane {Lane} of op {Op} is listed without stage and core", false, rows{write: (*exporter).instancesOpen}},
		{"part", []Column{str("Op"), num("Lane"), num("Part"), num("Stage"), num("Core")}, "/assignment/instances", "This part of the lane runs in this stage on this logical core. Complete entries that name a part; instance has them too, without the part.",
			"part {Part} of lane {Lane} of op {Op} runs in stage {Stage} on core {Core}", false, rows{write: (*exporter).parts}},
		{"part_stage", []Column{str("Op"), num("Lane"), num("Part"), num("Stage")}, "/assignment/instances", "This part of the lane runs in this stage; on a core or not yet.",
			"part {Part} of lane {Lane} of op {Op} is put in stage {Stage}", false, rows{write: (*exporter).partStages, field: "stage", other: "part"}},
		{"part_core", []Column{str("Op"), num("Lane"), num("Part"), num("Core")}, "/assignment/instances", "This part of the lane runs on this logical core; in a stage or not yet.",
			"part {Part} of lane {Lane} of op {Op} is put on core {Core}", false, rows{write: (*exporter).partCores, field: "cores", entry: true, other: "part"}},
		{"part_listed", []Column{str("Op"), num("Lane"), num("Part")}, "/assignment/instances", "The plan lists this part of the lane, complete or with holes.",
			"the assignment lists part {Part} of lane {Lane} of op {Op}", false, rows{write: (*exporter).partsListed, field: "part", other: "part"}},
		{"whole_lane_listed", []Column{str("Op"), num("Lane")}, "/assignment/instances", "The plan lists this lane of an op that is split without naming a part.",
			"the assignment lists lane {Lane} of op {Op} without naming a part", false, rows{write: (*exporter).wholeLanesListed, field: "lanes", entry: true}},
		{"split", []Column{str("Op"), num("Parts")}, "/assignment/splits", "Every lane of the op is split into this many parts.",
			"every lane of op {Op} is split into {Parts parts}", true, rows{write: (*exporter).splits, field: "parts"}},
		{"split_part", []Column{str("Op"), num("Part")}, "/assignment/splits", "A part that the op's lanes have: 0 to Parts - 1.",
			"lanes of op {Op} have a part {Part}", true, rows{write: (*exporter).splitParts, field: "parts"}},
		{"resident_listed", []Column{str("Weight"), num("Lane"), num("Core")}, "/assignment/residency", "The plan lists the lane's slice of the weight, whole or as part 0 of 1, as resident on this logical core.",
			"lane {Lane}'s slice of weight {Weight} is listed as resident on core {Core}", false, rows{write: (*exporter).residentsListed, field: "cores", entry: true}},
		{"resident_part_listed", []Column{str("Weight"), num("Lane"), num("Part"), num("Parts"), num("Core")}, "/assignment/residency", "The plan lists one of several equal parts of the lane's slice as resident on this logical core.",
			"part {Part} of {Parts} of lane {Lane}'s slice of weight {Weight} is listed as resident on core {Core}", false, rows{write: (*exporter).residentPartsListed, field: "cores", entry: true}},
		{"replica", []Column{str("Op"), num("Index"), num("First"), num("Count")}, "/assignment/replicas", "This replica of the op works through windows First to First + Count - 1.",
			"replica {Index} of op {Op} has {Count windows} from window {First} on", true, rows{write: (*exporter).replicas}},
		{"placement", []Column{num("Logical"), num("Physical")}, "/assignment/placement", "The logical core is placed on this physical core.",
			"logical core {Logical} is placed on physical core {Physical}", true, rows{write: (*exporter).placements}},
		{"placement_open", []Column{num("Logical")}, "/assignment/placement", "The place of this logical core is a hole.",
			"the place of logical core {Logical} is left open", true, rows{write: (*exporter).placementsOpen}},
		{"placement_count", []Column{num("Count")}, "/assignment/placement", "How many entries the placement has.",
			"the placement has {Count entries}", true, rows{write: (*exporter).placementCount}},
		{"assignment_graph_digest", []Column{str("Digest")}, "/assignment", "The revision of the graph that the assignment was made for.",
			"the assignment was made for revision {Digest} of the graph", true, rows{write: (*exporter).assignmentGraphDigest}},
		{"assignment_content_digest", []Column{str("Digest")}, "/assignment", "The digest of the assignment's content, computed where there is a parent plan to compare it with.",
			"the content of the assignment has digest {Digest}", true, rows{write: (*exporter).assignmentContentDigest}},

		{"transfer", []Column{str("Transfer"), str("From"), str("To")}, "/transfers", "A transfer that carries a result of op From to op To.",
			"transfer {Transfer} carries a result of op {From} to op {To}", true, rows{write: (*exporter).transfers}},
		{"transfer_stage", []Column{str("Transfer"), num("Stage")}, "/transfers", "The stage whose program holds the transfer.",
			"transfer {Transfer} says it belongs to stage {Stage}", true, rows{write: (*exporter).transferStages, field: "stage"}},
		{"transfer_from_stage", []Column{str("Transfer"), num("Stage")}, "/transfers", "The stage that the transfer says it leaves.",
			"transfer {Transfer} says it leaves stage {Stage}", true, rows{write: (*exporter).transferFromStages, field: "from_stage"}},
		{"transfer_to_stage", []Column{str("Transfer"), num("Stage")}, "/transfers", "The stage that the transfer says it reaches.",
			"transfer {Transfer} says it reaches stage {Stage}", true, rows{write: (*exporter).transferToStages, field: "to_stage"}},
		{"sync", []Column{str("Sync"), str("Op")}, "/sync", "A synchronisation record on behalf of an op.",
			"synchronisation record {Sync} is on behalf of op {Op}", true, rows{write: (*exporter).syncs}},
		{"sync_stage", []Column{str("Sync"), num("Stage")}, "/sync", "The stage that the record says it belongs to.",
			"synchronisation record {Sync} says it belongs to stage {Stage}", true, rows{write: (*exporter).syncStages, field: "stage"}},
	}
}

// documentRelations are about the whole document and its parent.
func documentRelations() []Relation {
	return slices.Concat([]Relation{
		{"document_schema", []Column{str("Schema")}, "/schema", "The schema of the document, where it is not a plan.",
			"the document is of schema {Schema}", true, rows{write: (*exporter).documentSchema, field: "schema", schema: everyLevel}},
		{"document_name", []Column{str("Name")}, "/name", "What people call the document.",
			"the document is called {Name}", true, rows{write: (*exporter).documentName, field: "name", schema: everyLevel}},
		{"document_digest", []Column{str("Digest")}, "/digest", "The digest that the document records for itself.",
			"the document records digest {Digest}", true, rows{write: (*exporter).documentDigest, field: "digest", schema: everyLevel}},
		{"document_content_digest", []Column{str("Digest")}, "/digest", "The digest of the document's content, computed where it records one.",
			"the content of the document has digest {Digest}", true, rows{write: (*exporter).documentContentDigest, schema: everyLevel}},
		{"parent_content", []Column{str("Schema"), str("Digest")}, "", "The document that is given as parent is of this schema and content.",
			"the parent that is given is a {Schema} with digest {Digest}", true, rows{write: (*exporter).parentContent, schema: everyLevel}},
		{"parent_made_from", []Column{str("Schema"), str("Digest")}, "", "The document that is given as parent names this one as a parent of its own.",
			"the parent that is given was made from a {Schema} with digest {Digest}", true, rows{write: (*exporter).parentMadeFrom, schema: everyLevel}},
	}, reckonRelations(), []Relation{
		{"parent_instance_stage", []Column{str("Op"), num("Lane"), num("Stage")}, ofParent, "In the parent plan the lane of the op (or a part of it) runs in this stage; on a core or not yet.",
			"in the parent plan lane {Lane} of op {Op} is put in stage {Stage}", false, rows{write: (*exporter).instanceStages, field: "stage"}},
		{"parent_assignment_digest", []Column{str("Digest")}, ofParent, "The digest of the content of the parent plan's assignment.",
			"the content of the parent plan's assignment has digest {Digest}", true, rows{write: (*exporter).wholeAssignmentDigest}},
	})
}
