package ir

import "plancheck/internal/strictjson"

// This file is the object "spatial" of a target extension: one table of fields
// for each kind of object, in the order of spatialextension.go. What a chip has
// besides goes into no free-form field: nobody would judge it.

const (
	aClockDomainID = "a clock domain id (a string)"
	aUnitID        = "a unit id (a string)"
	aLinkID        = "a link id (a string)"
	anOpName       = "the name of an op (a string)"
)

const (
	untypedCode = "untyped-target-metadata"
	untypedHelp = "what a target is told must have a type: put nothing here but the fields that the documentation lists"
)

var spatialExtensionShape = strictjson.NewShape("a spatial extension",
	optional("clock_domains", func(d *decoder, x *SpatialExtension) {
		x.ClockDomains = entries(d, clockDomainShape, func(at uint32) ClockDomain { return ClockDomain{At: at} })
	}),
	optional("units", func(d *decoder, x *SpatialExtension) {
		x.Units = entries(d, unitShape, func(at uint32) Unit { return Unit{Width: 1, Latency: None, At: at} })
		d.listed("unit", x.Units != nil)
	}),
	optional("links", func(d *decoder, x *SpatialExtension) {
		x.Links = entries(d, linkShape, func(at uint32) Link { return Link{At: at} })
	}),
	optional("slots", func(d *decoder, x *SpatialExtension) {
		x.Slots = entries(d, slotShape, func(at uint32) Slot { return Slot{At: at} })
	}),
	optional("routes", func(d *decoder, x *SpatialExtension) {
		x.Routes = entries(d, routeShape, func(at uint32) Route { return Route{At: at} })
	}),
	optional("flow", func(d *decoder, x *SpatialExtension) {
		x.Flow = &Flow{Timeout: None, At: d.Offset()}
		flowShape.Read(d.Reader, d, x.Flow)
	}),
).Refuse("attribute-reserved", timingHelp, timings...).RefuseOthers(untypedCode, untypedHelp)

var clockDomainShape = strictjson.NewShape("a clock domain",
	required("id", func(d *decoder, x *ClockDomain) { x.ID = d.id(aClockDomainID) }),
	required("frequency_hz", func(d *decoder, x *ClockDomain) { x.Frequency = d.number(1) }),
).Refuse("attribute-reserved", timingHelp, timings...).RefuseOthers(untypedCode, untypedHelp)

var unitShape = strictjson.NewShape("a unit",
	required("id", func(d *decoder, x *Unit) { x.ID = d.id(aUnitID) }),
	required("device", func(d *decoder, x *Unit) { x.Device = d.reference(aDeviceID, &d.extension.unitDevice) }),
	required("clock_domain", func(d *decoder, x *Unit) { x.Domain = d.reference(aClockDomainID, &d.extension.clockDomain) }),
	optional("width", func(d *decoder, x *Unit) { x.Width = d.number(1) }),
	optional("latency_cycles", func(d *decoder, x *Unit) { x.Latency = d.number(1) }),
	optional("operations", func(d *decoder, x *Unit) {
		x.Operations = entries(d, operationShape, func(at uint32) Operation { return Operation{At: at} })
	}),
).Refuse("attribute-reserved", timingHelp, timings...).RefuseOthers(untypedCode, untypedHelp)

var operationShape = strictjson.NewShape("an operation",
	required("op", func(d *decoder, x *Operation) { x.Op = d.name(anOpName) }),
	required("latency_cycles", func(d *decoder, x *Operation) { x.Latency = d.number(1) }),
).Refuse("attribute-reserved", timingHelp, timings...).RefuseOthers(untypedCode, untypedHelp)

var linkShape = strictjson.NewShape("a link",
	required("id", func(d *decoder, x *Link) { x.ID = d.id(aLinkID) }),
	required("source_device", func(d *decoder, x *Link) { x.Source = d.reference(aDeviceID, &d.extension.linkDevice) }),
	required("destination_device", func(d *decoder, x *Link) { x.Destination = d.reference(aDeviceID, &d.extension.linkDevice) }),
	required("clock_domain", func(d *decoder, x *Link) { x.Domain = d.reference(aClockDomainID, &d.extension.clockDomain) }),
	optional("latency_cycles", func(d *decoder, x *Link) { x.Latency = d.number(0) }),
).Refuse("attribute-reserved", timingHelp, timings...).RefuseOthers(untypedCode, untypedHelp)

var slotShape = strictjson.NewShape("a slot",
	required("command", func(d *decoder, x *Slot) { x.Command = d.reference(aCommandID, &d.extension.slotCommand) }),
	required("unit", func(d *decoder, x *Slot) { x.Unit = d.reference(aUnitID, &d.extension.slotUnit) }),
	required("cycle", func(d *decoder, x *Slot) { x.Cycle = d.number(0) }),
	required("slot", func(d *decoder, x *Slot) { x.Slot = d.number(0) }),
).Refuse("attribute-reserved", timingHelp, timings...).RefuseOthers(untypedCode, untypedHelp)

var routeShape = strictjson.NewShape("a route",
	required("command", func(d *decoder, x *Route) { x.Command = d.reference(aCommandID, &d.extension.routeCommand) }),
	required("source_device", func(d *decoder, x *Route) { x.Source = d.reference(aDeviceID, &d.extension.routeDevice) }),
	required("destination_device", func(d *decoder, x *Route) { x.Destination = d.reference(aDeviceID, &d.extension.routeDevice) }),
	required("hops", func(d *decoder, x *Route) { x.Hops = entries(d, hopShape, func(at uint32) Hop { return Hop{At: at} }) }),
).Refuse("attribute-reserved", timingHelp, timings...).RefuseOthers(untypedCode, untypedHelp)

var hopShape = strictjson.NewShape("a hop",
	required("link", func(d *decoder, x *Hop) { x.Link = d.reference(aLinkID, &d.extension.hopLink) }),
	required("depart_cycle", func(d *decoder, x *Hop) { x.Depart = d.number(0) }),
	required("cycles", func(d *decoder, x *Hop) { x.Cycles = d.number(1) }),
).Refuse("attribute-reserved", timingHelp, timings...).RefuseOthers(untypedCode, untypedHelp)

var flowShape = strictjson.NewShape("a flow policy",
	optional("tolerance_cycles", func(d *decoder, x *Flow) { x.Tolerance = d.number(0) }),
	optional("backpressure", func(d *decoder, x *Flow) { x.Backpressure = d.oneOf(backpressures()) }),
	optional("timeout_cycles", func(d *decoder, x *Flow) { x.Timeout = d.number(1) }),
	optional("failure", func(d *decoder, x *Flow) { x.Failure = d.oneOf(failures()) }),
	optional("abi_revision", func(d *decoder, x *Flow) { x.ABIRevision = d.text() }),
).Refuse("attribute-reserved", timingHelp, timings...).RefuseOthers(untypedCode, untypedHelp)

func backpressures() []string { return []string{"none", "stall", "drop"} }

func failures() []string { return []string{"abort", "retry"} }
