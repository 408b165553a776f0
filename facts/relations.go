// Package facts turns documents into relations: one table says which relations
// there are, one exporter a level fills them, and every row remembers where in
// the file it came from. The Decls that Mangle checks and the reference page
// are generated from the same table.
package facts

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
	// Section is the pointer of the section of the document that fills it.
	Section string
	Doc     string
	// Distinct promises that the exporter never writes a row twice.
	Distinct bool
	// write writes the relation's rows, in document order.
	write func(*exporter, *writer)
}

func num(name string) Column { return Column{name, Number} }
func str(name string) Column { return Column{name, String} }
func nam(name string) Column { return Column{name, Name} }

// Relations is the table of all relations of facts, in the order of the
// document's sections.
func Relations() []Relation {
	return []Relation{
		{"given", []Column{nam("Section")}, "",
			"The document has this optional section, be it empty: /target, /stages, /residency or /placement; or /instances, with something in it.", true, (*exporter).given},

		{"core", []Column{num("Physical")}, "/target/cores", "A physical core.", true, (*exporter).cores},
		{"core_capacity", []Column{num("Physical"), num("Bytes")}, "/target/cores", "How many bytes of weights can be resident on the core.", true, (*exporter).coreCapacities},
		{"core_kind", []Column{num("Physical"), str("Kind")}, "/target/cores", "The core is of this kind.", true, (*exporter).coreKinds},
		{"core_at", []Column{num("Physical"), num("Row"), num("Col")}, "/target/cores", "Where the core is on the mesh.", true, (*exporter).corePositions},
		{"mesh", []Column{num("Rows"), num("Cols")}, "/target/topology", "The target is a 2-D mesh of this size.", true, (*exporter).mesh},
		{"core_distance", []Column{num("From"), num("To"), num("Hops")}, "/target/topology", "Hops between two cores, where the target states a table of distances.", true, (*exporter).coreDistances},
		{"core_count", []Column{num("Count")}, "/target/core_count", "The target states how many cores it has.", true, (*exporter).coreCount},
		{"logical_core", []Column{num("Core")}, "/logical_cores", "A logical core. Where the document does not state their number there are as many as physical cores, and without a target as many as the stages' ranges reach; where it has none of these their number is not known and there are no rows.", true, (*exporter).logicalCores},
		{"logical_core_count", []Column{num("Count")}, "/logical_cores", "How many logical cores there are, where that is known.", true, (*exporter).logicalCoreCount},

		{"input", []Column{str("Input")}, "/graph/inputs", "An input of the graph.", true, (*exporter).inputs},
		{"dynamic_input", []Column{str("Input")}, "/graph/inputs", "The input changes with every inference.", true, (*exporter).dynamicInputs},
		{"input_size", []Column{str("Input"), num("Bytes")}, "/graph/inputs", "Size of the input.", true, (*exporter).inputSizes},
		{"input_consumer", []Column{str("Input"), str("Op")}, "/graph/inputs", "The op reads the input itself.", false, (*exporter).inputConsumers},
		{"weight", []Column{str("Weight"), num("Bytes")}, "/graph/weights", "A weight, and the size of one lane's slice of it.", true, (*exporter).weights},
		{"value", []Column{str("Value"), str("Op")}, "/graph/values", "A named result of the op. An op without an entry makes one value with its own id, which is not listed here.", true, (*exporter).values},
		{"op", []Column{str("Op"), num("Lanes"), num("Work")}, "/graph/ops", "An op, its lanes, and its work in cycles over all lanes.", true, (*exporter).ops},
		{"op_kind", []Column{str("Op"), str("Kind")}, "/graph/ops", "The op is of this kind.", true, (*exporter).opKinds},
		{"op_lane", []Column{str("Op"), num("Lane")}, "/graph/ops", "A lane that the op has.", true, (*exporter).opLanes},
		{"op_weight", []Column{str("Op"), str("Weight")}, "/graph/ops", "Each lane of the op uses its slice of the weight.", false, (*exporter).opWeights},
		{"op_max_parts", []Column{str("Op"), num("Parts")}, "/graph/ops", "Each lane of the op may be split into this many parts.", true, (*exporter).opMaxParts},
		{"op_windows", []Column{str("Op"), num("Windows")}, "/graph/ops", "How many sliding windows the op works through.", true, (*exporter).opWindows},
		{"op_forwards", []Column{str("Op"), str("Value")}, "/graph/ops", "The op is a forward that carries this value: the id of an op, of a named value, or of an input.", true, (*exporter).opForwards},
		{"edge", []Column{str("From"), str("To")}, "/graph/edges", "To reads a result of From.", false, (*exporter).edges},
		{"edge_value", []Column{str("From"), str("To"), str("Value"), num("Bytes")}, "/graph/edges", "The value that the edge carries and its size; the value of an op with one result has the op's id. Edges of unknown size are not listed.", false, (*exporter).edgeValues},
		{"edge_named_value", []Column{str("From"), str("To"), str("Value")}, "/graph/edges", "The edge carries this one of several results of From.", false, (*exporter).edgeNamedValues},
		{"repeated_edge", []Column{str("From"), str("To"), str("Value")}, "/graph/edges", "The document lists this edge more than once.", true, (*exporter).repeatedEdges},
		{"graph_digest", []Column{str("Digest")}, "/graph", "The revision that the graph states for itself, or the digest of its content where it states none and the assignment names one.", true, (*exporter).graphDigest},
		{"graph_content_digest", []Column{str("Digest")}, "/graph", "The digest of the graph's content, computed where the document records one to compare it with.", true, (*exporter).graphContentDigest},
		{"op_rank", []Column{str("Op"), num("Rank")}, "/graph/edges", "Certificate: a number that grows along every edge between two ops, for the ops that no cycle reaches.", true, (*exporter).opRanks},
		{"graph_cycle", []Column{num("Step"), str("From"), str("To")}, "/graph/edges", "Certificate: the edges of a smallest cycle of two or more ops, in order from step 0, where the graph has one.", true, (*exporter).graphCycle},

		{"stage", []Column{num("Stage")}, "/stages", "A stage.", true, (*exporter).stages},
		{"stage_range", []Column{num("Stage"), num("First"), num("Count")}, "/stages", "The stage owns logical cores First to First + Count - 1.", true, (*exporter).stageRanges},

		{"instance", []Column{str("Op"), num("Lane"), num("Stage"), num("Core")}, "/assignment/instances", "The lane of the op (or a part of it) runs in this stage on this logical core.", false, (*exporter).instances},
		{"instance_stage", []Column{str("Op"), num("Lane"), num("Stage")}, "/assignment/instances", "The lane of the op (or a part of it) runs in this stage; on a core or not yet.", false, (*exporter).instanceStages},
		{"instance_core", []Column{str("Op"), num("Lane"), num("Core")}, "/assignment/instances", "The lane of the op (or a part of it) runs on this logical core; in a stage or not yet.", false, (*exporter).instanceCores},
		{"instance_listed", []Column{str("Op"), num("Lane")}, "/assignment/instances", "The plan lists this lane, complete or with holes.", false, (*exporter).instancesListed},
		{"instance_repeated", []Column{str("Op"), num("Lane")}, "/assignment/instances", "The plan lists this lane, or one part of it, more than once.", true, (*exporter).instancesRepeated},
		{"instance_stage_only", []Column{str("Op"), num("Lane"), num("Stage")}, "/assignment/instances", "The lane (or a part of it) has a stage but no core yet.", false, (*exporter).instancesStageOnly},
		{"instance_core_only", []Column{str("Op"), num("Lane"), num("Core")}, "/assignment/instances", "The lane (or a part of it) has a core but no stage yet.", false, (*exporter).instancesCoreOnly},
		{"instance_open", []Column{str("Op"), num("Lane")}, "/assignment/instances", "The lane (or a part of it) is listed without stage and core.", false, (*exporter).instancesOpen},
		{"part", []Column{str("Op"), num("Lane"), num("Part"), num("Stage"), num("Core")}, "/assignment/instances", "This part of the lane runs in this stage on this logical core. Complete entries that name a part; instance has them too, without the part.", false, (*exporter).parts},
		{"part_stage", []Column{str("Op"), num("Lane"), num("Part"), num("Stage")}, "/assignment/instances", "This part of the lane runs in this stage; on a core or not yet.", false, (*exporter).partStages},
		{"part_core", []Column{str("Op"), num("Lane"), num("Part"), num("Core")}, "/assignment/instances", "This part of the lane runs on this logical core; in a stage or not yet.", false, (*exporter).partCores},
		{"part_listed", []Column{str("Op"), num("Lane"), num("Part")}, "/assignment/instances", "The plan lists this part of the lane, complete or with holes.", false, (*exporter).partsListed},
		{"whole_lane_listed", []Column{str("Op"), num("Lane")}, "/assignment/instances", "The plan lists this lane of an op that is split without naming a part.", false, (*exporter).wholeLanesListed},
		{"split", []Column{str("Op"), num("Parts")}, "/assignment/splits", "Every lane of the op is split into this many parts.", true, (*exporter).splits},
		{"split_part", []Column{str("Op"), num("Part")}, "/assignment/splits", "A part that the op's lanes have: 0 to Parts - 1.", true, (*exporter).splitParts},
		{"resident_listed", []Column{str("Weight"), num("Lane"), num("Core")}, "/assignment/residency", "The plan lists the lane's slice of the weight, whole or as part 0 of 1, as resident on this logical core.", false, (*exporter).residentsListed},
		{"resident_part_listed", []Column{str("Weight"), num("Lane"), num("Part"), num("Parts"), num("Core")}, "/assignment/residency", "The plan lists one of several equal parts of the lane's slice as resident on this logical core.", false, (*exporter).residentPartsListed},
		{"replica", []Column{str("Op"), num("Index"), num("First"), num("Count")}, "/assignment/replicas", "This replica of the op works through windows First to First + Count - 1.", true, (*exporter).replicas},
		{"placement", []Column{num("Logical"), num("Physical")}, "/assignment/placement", "The logical core is placed on this physical core.", true, (*exporter).placements},
		{"placement_open", []Column{num("Logical")}, "/assignment/placement", "The place of this logical core is a hole.", true, (*exporter).placementsOpen},
		{"placement_count", []Column{num("Count")}, "/assignment/placement", "How many entries the placement has.", true, (*exporter).placementCount},
		{"assignment_graph_digest", []Column{str("Digest")}, "/assignment", "The revision of the graph that the assignment was made for.", true, (*exporter).assignmentGraphDigest},

		{"transfer", []Column{str("Transfer"), str("From"), str("To")}, "/transfers", "A transfer that carries a result of op From to op To.", true, (*exporter).transfers},
		{"transfer_stage", []Column{str("Transfer"), num("Stage")}, "/transfers", "The stage whose program holds the transfer.", true, (*exporter).transferStages},
		{"transfer_from_stage", []Column{str("Transfer"), num("Stage")}, "/transfers", "The stage that the transfer says it leaves.", true, (*exporter).transferFromStages},
		{"transfer_to_stage", []Column{str("Transfer"), num("Stage")}, "/transfers", "The stage that the transfer says it reaches.", true, (*exporter).transferToStages},
		{"sync", []Column{str("Sync"), str("Op")}, "/sync", "A synchronisation record on behalf of an op.", true, (*exporter).syncs},
		{"sync_stage", []Column{str("Sync"), num("Stage")}, "/sync", "The stage that the record says it belongs to.", true, (*exporter).syncStages},

		{"document_digest", []Column{str("Digest")}, "/digest", "The digest that the document records for itself.", true, (*exporter).documentDigest},
		{"document_content_digest", []Column{str("Digest")}, "/digest", "The digest of the document's content, computed where it records one.", true, (*exporter).documentContentDigest},
	}
}
