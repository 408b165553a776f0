package irtext

// This file is the forms of ConcretePlanIR.

func planSection() *section {
	return &section{
		lists: []listed{
			parent(),
			{field: "stages", form: statement("stage", counted("index", "a number"), clause("cores", within("cores", clause("first", counted("first", "a core")), clause("count", counted("count", "a number")))))},
			{field: "transfers", form: statement("transfer", its(0, "id", "an id"), clause("from", its(0, "from", "an op")), clause("to", its(0, "to", "an op")),
				clause("stage", counted("stage", "a stage")), clause("from_stage", counted("from_stage", "a stage")), clause("to_stage", counted("to_stage", "a stage")))},
			{field: "sync", form: statement("sync", its(0, "id", "an id"), clause("op", its(0, "op", "an op")), clause("stage", counted("stage", "a stage")))},
		},
		blocks: []block{
			{"target", &section{lists: []listed{
				{field: "cores", form: statement("core", counted("id", "a number"), clause("at", said("at")), clause("capacity", counted("capacity_bytes", "bytes")), clause("kind", its(0, "kind", "a kind")))},
			}}},
			{"graph", planGraph()},
			{"assignment", assignment()},
			{"program", program()},
		},
	}
}

func planGraph() *section {
	size := clause("size", counted("size_bytes", "bytes"))
	forward := clause("forward", counted("forward_cycles", "cycles"))
	return &section{lists: []listed{
		{field: "inputs", form: statement("input", its(0, "id", "an id"), either("dynamic", "dynamic", "static"), size, forward, clause("read", references("[", "]", 0, "consumers", "an op")))},
		{field: "weights", form: statement("weight", its(0, "id", "an id"), size)},
		{field: "values", form: statement("value", its(0, "id", "an id"), clause("from", its(0, "from", "an op")), size, forward)},
		{field: "ops", form: statement("op", its(0, "id", "an id"), clause("is", its(0, "kind", "a kind")), clause("lanes", counted("lanes", "a number")),
			clause("work", counted("work_cycles", "cycles")), clause("work_on", each("work_on", its(0, "kind", "a kind of core"), counted("cycles", "cycles"))),
			clause("weights", references("[", "]", 0, "weights", "a weight")), clause("parts", counted("max_parts", "a number")), clause("windows", counted("windows", "a number")),
			clause("forwards", its(0, "forwards", "an op, a value or an input")), forward, lineage())},
		{field: "edges", form: statement("edge", its(0, "from", "an op"), fixed("->"), its(0, "to", "an op"), clause("value", its(0, "value", "a value")), size)},
	}}
}

func assignment() *section {
	lanes, cores := clause("lanes", said("lanes")), clause("cores", said("cores"))
	stage, part := clause("stage", said("stage")), clause("part", counted("part", "a number"))
	return &section{lists: []listed{
		{field: "instances", form: statement("instance", its(0, "op", "an op"), stage, part, lanes, cores)},
		{field: "splits", form: statement("split", its(0, "op", "an op"), clause("parts", counted("parts", "a number")))},
		{field: "residency", form: statement("resident", its(0, "weight", "a weight"), lanes, cores, part, clause("parts", counted("parts", "a number")))},
		{field: "replicas", form: statement("replica", its(0, "op", "an op"), clause("index", counted("index", "a number")), clause("first", counted("first", "a window")), clause("count", counted("count", "a number")))},
	}}
}

func program() *section {
	on := clause("on", its(0, "device", "a device"))
	revision := []part{clause("version", its(0, "version", "a version")), clause("abi", its(0, "abi", "an ABI")), clause("variant", its(0, "variant", "a variant"))}
	return &section{
		lists: []listed{
			{field: "devices", form: statement("device", its(0, "id", "an id"), clause("rank", counted("rank", "a rank")), clause("is", its(0, "target_device", "a device of the target")))},
			{field: "queues", form: statement("queue", its(0, "id", "an id"), on, clause("kind", its(0, "kind", "a kind")), clause("engine", its(0, "engine", "an engine")), flag("unordered", "ordered", "false"))},
			{field: "memory_regions", form: statement("region", its(0, "id", "an id"), on, clause("capacity", counted("capacity_bytes", "bytes")), clause("reserved", counted("reserved_bytes", "bytes")), clause("align", counted("alignment_bytes", "bytes")))},
			{field: "buffers", form: statement("buffer", its(valueMark, "id", "the id of a buffer"), bytesOf("memory_region", "offset_bytes", "size_bytes"), clause("align", counted("alignment_bytes", "bytes")),
				flag("initialised", "initialised", "true"), flag("kept", "kept", "true"), clause("freed", its(opMark, "freed_by", "a command")), lineage())},
			{field: "tokens", form: statement("token", its(0, "id", "an id"), flag("consuming", "consuming", "true"))},
			{field: "channels", form: statement("channel", its(0, "id", "an id"), clause("depth", counted("depth", "a number")), clause("region", its(0, "memory_region", "a region")), clause("slot", counted("slot_bytes", "bytes")))},
			{field: "groups", form: statement("group", its(0, "id", "an id"), clause("ranks", said("ranks")))},
			{field: "barriers", form: statement("barrier", its(0, "id", "an id"), clause("queues", said("queues")))},
			{field: "implementations", form: statement("implementation", append([]part{its(0, "id", "an id"), clause("is", its(0, "namespace", "a library"), its(0, "name", "a function"))}, revision...)...)},
			{field: "commands", mark: opMark, form: command()},
		},
		blocks: []block{
			{"identity", &section{}},
			{"deployment", &section{lists: []listed{
				{field: "libraries", form: statement("library", its(0, "name", "a library"), its(0, "version", "a version"))},
				{field: "compatible", form: statement("compatible", its(0, "library", "a library"), its(0, "version", "a version"), fixed("with"), its(0, "abi", "an ABI"))},
			}}},
			{"target_extension", &section{blocks: []block{{"queue", queueExtension()}, {"spatial", spatialExtension()}}}},
		},
	}
}

func command() *form {
	tokens := func(word string) part { return clause(word, references("[", "]", 0, word, "a token")) }
	clauses := []part{
		clause("on", its(0, "queue", "a queue")),
		clause("by", its(0, "implementation", "an implementation")),
		arguments(valueMark, "reads", "a buffer"), results(valueMark, "writes", "a buffer"),
		clause("in_place", each("in_place", its(valueMark, "read", "a buffer"), fixed("->"), its(valueMark, "write", "a buffer"))),
		after("after"), tokens("waits"), tokens("signals"),
		clause("channel", its(0, "channel", "a channel")), clause("group", its(0, "group", "a group")), clause("barrier", its(0, "barrier", "a barrier")),
		clause("bytes", counted("bytes", "a number")), clause("stage", counted("stage", "a stage")), clause("microbatch", counted("microbatch", "a number")),
		lineage(),
	}
	return statement("", append([]part{
		its(opMark, "id", "the id of a command"), fixed("="), its(0, "kind", "a kind of command"), unless("op", "what is done", clauses),
	}, clauses...)...)
}

func queueExtension() *section {
	return &section{lists: []listed{
		{field: "orders", form: statement("order", its(0, "queue", "a queue"), references("[", "]", opMark, "commands", "a command"))},
		{field: "engines", form: statement("engine", its(0, "id", "an id"), clause("on", its(0, "device", "a device")), clause("kinds", said("kinds")))},
		{field: "communicators", form: statement("communicator", its(0, "id", "an id"), clause("of", its(0, "group", "a group")), clause("queues", said("queues")))},
	}}
}

func spatialExtension() *section {
	clock, latency := clause("clock", its(0, "clock_domain", "a clock domain")), clause("latency", counted("latency_cycles", "cycles"))
	ends := []part{clause("from", its(0, "source_device", "a device")), clause("to", its(0, "destination_device", "a device"))}
	return &section{lists: []listed{
		{field: "clock_domains", form: statement("clock", its(0, "id", "an id"), clause("hz", counted("frequency_hz", "a frequency")))},
		{field: "units", form: statement("unit", its(0, "id", "an id"), clause("on", its(0, "device", "a device")), clock, clause("width", counted("width", "a number")), latency,
			clause("operations", each("operations", its(0, "op", "an op"), counted("latency_cycles", "cycles"))))},
		{field: "links", form: statement("link", append(append([]part{its(0, "id", "an id")}, ends...), clock, latency)...)},
		{field: "slots", form: statement("slot", its(opMark, "command", "a command"), clause("on", its(0, "unit", "a unit")), clause("cycle", counted("cycle", "a cycle")), clause("slot", counted("slot", "a slot")))},
		{field: "routes", form: statement("route", append(append([]part{its(opMark, "command", "a command")}, ends...),
			clause("via", each("hops", its(0, "link", "a link"), clause("at", counted("depart_cycle", "a cycle")), clause("for", counted("cycles", "cycles")))))...)},
	}}
}
