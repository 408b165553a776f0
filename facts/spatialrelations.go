package facts

const ofSpatial = "/program/target_extension/spatial/"

// spatialRelations is the part of Relations that is about the spatial extension
// of a program.
func spatialRelations() []Relation {
	return []Relation{
		{"clock_domain", []Column{str("Domain"), num("Hertz")}, ofSpatial + "clock_domains", "A clock domain, and its frequency.",
			"clock domain {Domain} has {Hertz} hertz", true, rows{write: (*exporter).clockDomains}},
		{"clock_tick", []Column{str("Domain"), num("Ticks")}, ofSpatial + "clock_domains", "Certificate: a cycle of the clock domain has this many ticks, of which a second has equally many by all clock domains.",
			"a cycle of clock domain {Domain} has {Ticks ticks}", true, rows{write: (*exporter).clockTicks, field: "frequency_hz"}},
		{"unit", []Column{str("Unit"), str("Device"), str("Domain"), num("Width")}, ofSpatial + "units", "A functional unit of a device, its clock domain, and how many commands it issues in a cycle.",
			"unit {Unit} of device {Device} issues {Width commands} in a cycle of clock domain {Domain}", true, rows{write: (*exporter).units}},
		{"unit_latency", []Column{str("Unit"), num("Cycles")}, ofSpatial + "units", "How many cycles after its issue a command of the unit has completed, if its op is not in unit_op.",
			"unit {Unit} takes {Cycles cycles}", true, rows{write: (*exporter).unitLatencies, field: "latency_cycles"}},
		{"unit_op", []Column{str("Unit"), str("Op"), num("Cycles")}, ofSpatial + "units", "The unit does the op, and has completed it so many cycles after its issue.",
			"unit {Unit} takes {Cycles cycles} for {Op}", true, rows{write: (*exporter).unitOps, field: "operations", entry: true}},
		{"link", []Column{str("Link"), str("Source"), str("Destination"), str("Domain"), num("Latency")}, ofSpatial + "links", "A link from one device to another, its clock domain, and how many cycles after the last one on the link a payload arrives.",
			"link {Link} leads from {Source} to {Destination}, {Latency cycles} of clock domain {Domain} away", true, rows{write: (*exporter).links}},
		{"issue_slot", []Column{str("Command"), num("Index"), str("Unit"), num("Cycle"), num("Slot")}, ofSpatial + "slots", "The unit issues the command at this cycle in this slot. Index counts the slots that the document lists for the command, from 0 on.",
			"{Command} issues at cycle {Cycle} in slot {Slot} of unit {Unit}", true, rows{write: (*exporter).issueSlots}},
		{"route", []Column{str("Command"), num("Index"), str("Source"), str("Destination")}, ofSpatial + "routes", "The data of the command goes from one device to another. Index counts the routes that the document lists for the command, from 0 on.",
			"route {Index} of {Command} goes from {Source} to {Destination}", true, rows{write: (*exporter).routes}},
		{"route_hop", []Column{str("Command"), num("Index"), num("Hop"), str("Link"), num("Depart"), num("Cycles")}, ofSpatial + "routes", "The hop of this number, from 0 on, of a route: it takes the link for Cycles cycles from cycle Depart on.",
			"hop {Hop} of {Command} takes link {Link} for {Cycles cycles} from cycle {Depart} on", true, rows{write: (*exporter).routeHops}},
		{"link_turn", []Column{str("Link"), num("Turn"), str("Command"), num("Hop")}, ofSpatial + "routes", "Certificate: the hops of the links that there are, of commands with one route, in the order in which they depart, from 0 on.",
			"hop {Hop} of {Command} has turn {Turn} on link {Link}", true, rows{write: (*exporter).linkTurns}},
		{"flow", []Column{num("Tolerance")}, ofSpatial + "flow", "There is a flow policy, and a payload may be late by this many cycles of its last link.",
			"payloads may be late by {Tolerance cycles}", true, rows{write: (*exporter).flows}},
		{"flow_backpressure", []Column{str("Policy")}, ofSpatial + "flow", "What happens to a payload for which there is no room: none, stall or drop.",
			"the backpressure is {Policy}", true, rows{write: (*exporter).flowBackpressures, field: "backpressure"}},
		{"held_by", []Column{str("Command"), str("Before")}, ofSpatial + "slots", "Certificate: of all that a command without a time waits for, directly or by way of others without a time, Before has completed last. Of commands that complete together the first one stands for all.",
			"{Command} waits for {Before} longest", true, rows{write: (*exporter).heldBy}},
	}
}
