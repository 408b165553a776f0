package ir

import (
	"strings"

	"plancheck/internal/strictjson"
	"plancheck/internal/symbol"
)

// This file is the object "target_extension" of a program: one table of fields
// for each kind of object, in the order of extension.go.

const aClockDomainID = "a clock domain id (a string)"

// extensionTrails follow the series of references in an extension.
type extensionTrails struct {
	orderQueue, orderCommand symbol.Trail
}

var extensionShape = strictjson.NewShape("a target extension",
	optional("queue", func(d *decoder, x *Extension) {
		x.Queue = &QueueExtension{At: d.Offset()}
		queueExtensionShape.Read(d.Reader, d, x.Queue)
	}),
	optional("spatial", func(d *decoder, x *Extension) {
		x.Spatial = &SpatialExtension{At: d.Offset()}
		spatialExtensionShape.Read(d.Reader, d, x.Spatial)
	}),
).RefuseOthers("target-extension-unknown", "known are "+strings.Join(Families(), " and "))

var queueExtensionShape = strictjson.NewShape("a queue extension",
	optional("orders", func(d *decoder, x *QueueExtension) {
		x.Orders = entries(d, issueOrderShape, func(at uint32) IssueOrder { return IssueOrder{At: at} })
	}),
).Refuse("attribute-reserved", timingHelp, timings...)

var issueOrderShape = strictjson.NewShape("an issue order",
	required("queue", func(d *decoder, o *IssueOrder) { o.Queue = d.reference(aQueueID, &d.extension.orderQueue) }),
	required("commands", func(d *decoder, o *IssueOrder) {
		o.Commands = d.idList(commandIDs, aCommandID, &d.extension.orderCommand)
	}),
).Refuse("attribute-reserved", timingHelp, timings...)

var spatialExtensionShape = strictjson.NewShape("a spatial extension",
	optional("clock_domains", func(d *decoder, x *SpatialExtension) {
		x.ClockDomains = entries(d, clockDomainShape, func(at uint32) ClockDomain { return ClockDomain{At: at} })
		d.listed("clock domain", x.ClockDomains != nil)
	}),
).Refuse("attribute-reserved", timingHelp, timings...)

var clockDomainShape = strictjson.NewShape("a clock domain",
	required("id", func(d *decoder, x *ClockDomain) { x.ID = d.id(aClockDomainID) }),
	required("frequency_hz", func(d *decoder, x *ClockDomain) { x.Frequency = d.number(1) }),
).Refuse("attribute-reserved", timingHelp, timings...)
