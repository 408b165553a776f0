package facts

// queueExtensionRelations is the part of Relations that is about the target
// extension for queues.
func queueExtensionRelations() []Relation {
	const orders, engines, communicators = "/program/target_extension/queue/orders", "/program/target_extension/queue/engines", "/program/target_extension/queue/communicators"
	return []Relation{
		{"target_extension", []Column{str("Family")}, "/program/target_extension", "The program has an extension for this family of targets: queue or spatial.",
			"the program has a target extension {Family}", true, rows{write: (*exporter).targetExtensions}},
		{"queue_unordered", []Column{str("Queue")}, "/program/queues", "Commands of the queue do not wait for those before them.",
			"queue {Queue} is not ordered", true, rows{write: (*exporter).queuesUnordered, field: "ordered"}},
		{"queue_engine", []Column{str("Queue"), str("Engine")}, "/program/queues", "The engine that the queue names.",
			"queue {Queue} is on engine {Engine}", true, rows{write: (*exporter).queueEngines, field: "engine"}},
		{"issue_order", []Column{num("Order"), str("Queue")}, orders, "An issue order, by its position from 0 on, and its queue.",
			"issue order {Order} is that of queue {Queue}", true, rows{write: (*exporter).issueOrders}},
		{"issue_order_command", []Column{num("Order"), num("Place"), str("Command")}, orders, "The issue order has the command at this place, from 0 on, and not before.",
			"issue order {Order} has {Command} at place {Place}", true, rows{write: (*exporter).issueOrderCommands, field: "commands", entry: true}},
		{"issue_order_repeats", []Column{num("Order"), num("Place"), str("Command")}, orders, "The issue order has the command at this place and before.",
			"issue order {Order} has {Command} at place {Place} once more", true, rows{write: (*exporter).issueOrderRepeats, field: "commands", entry: true}},
		{"order_followed", []Column{num("Order"), str("Queue")}, orders, "Certificate: the queue issues its commands in this order, which lists each of them once and nothing else, and not in that of the list of commands.",
			"queue {Queue} issues its commands in issue order {Order}", true, rows{write: (*exporter).ordersFollowed}},
		{"engine", []Column{str("Engine"), str("Device")}, engines, "An engine, and its device.",
			"engine {Engine} is one of device {Device}", true, rows{write: (*exporter).engines}},
		{"engine_kind", []Column{str("Engine"), str("Kind")}, engines, "Queues of this kind may be on the engine, which says which ones may.",
			"engine {Engine} is for queues of kind {Kind}", false, rows{write: (*exporter).engineKinds, field: "kinds", entry: true}},
		{"engine_takes", []Column{str("Engine"), str("Command")}, engines, "Commands of kind Command may be on queues of a kind that the engine is for.",
			"engine {Engine} takes commands of kind {Command}", false, rows{write: (*exporter).engineTakes, field: "kinds", entry: true}},
		{"communicator", []Column{str("Communicator"), str("Group")}, communicators, "A communicator, and the group whose collectives go through it.",
			"communicator {Communicator} is that of group {Group}", true, rows{write: (*exporter).communicators}},
		{"shared_turn", []Column{str("Group"), str("Other"), num("Rank"), num("Turn"), str("Command")}, communicators, "Certificate: of two groups that have communicators, and this rank and another one in common, the collectives that the rank does in either, in an order in which they can happen, from 0 on.",
			"{Command} has turn {Turn} among what rank {Rank} does in groups {Group} and {Other}", true, rows{write: (*exporter).sharedTurns}},
		{"communicator_queue", []Column{str("Communicator"), str("Queue")}, communicators, "The queue issues collectives of the communicator.",
			"communicator {Communicator} has queue {Queue}", true, rows{write: (*exporter).communicatorQueues, field: "queues", entry: true}},
	}
}
