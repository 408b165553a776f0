package ir

import (
	"strings"

	"plancheck/internal/strictjson"
	"plancheck/internal/symbol"
)

// This file is the object "target_extension" of a program: one table of fields
// for each kind of object, in the order of extension.go.

const (
	anEngineID      = "an engine id (a string)"
	aCommunicatorID = "a communicator id (a string)"
)

// extensionTrails follow the series of references in an extension.
type extensionTrails struct {
	orderQueue, orderCommand, engineDevice, communicatorGroup, communicatorQueue                   symbol.Trail
	unitDevice, slotCommand, slotUnit, linkDevice, clockDomain, routeCommand, routeDevice, hopLink symbol.Trail
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
	optional("engines", func(d *decoder, x *QueueExtension) {
		x.Engines = entries(d, engineShape, func(at uint32) Engine { return Engine{At: at} })
	}),
	optional("communicators", func(d *decoder, x *QueueExtension) {
		x.Communicators = entries(d, communicatorShape, func(at uint32) Communicator { return Communicator{At: at} })
	}),
).Refuse("attribute-reserved", timingHelp, timings...)

var issueOrderShape = strictjson.NewShape("an issue order",
	required("queue", func(d *decoder, o *IssueOrder) { o.Queue = d.reference(aQueueID, &d.extension.orderQueue) }),
	required("commands", func(d *decoder, o *IssueOrder) {
		o.Commands = d.idList(commandIDs, aCommandID, &d.extension.orderCommand)
	}),
).Refuse("attribute-reserved", timingHelp, timings...)

var engineShape = strictjson.NewShape("an engine",
	required("id", func(d *decoder, x *Engine) { x.ID = d.id(anEngineID) }),
	required("device", func(d *decoder, x *Engine) { x.Device = d.reference(aDeviceID, &d.extension.engineDevice) }),
	optional("kinds", func(d *decoder, x *Engine) { x.Kinds = d.oneOfList("a list of kinds of queues", queueKinds()) }),
).Refuse("attribute-reserved", timingHelp, timings...)

var communicatorShape = strictjson.NewShape("a communicator",
	required("id", func(d *decoder, x *Communicator) { x.ID = d.id(aCommunicatorID) }),
	required("group", func(d *decoder, x *Communicator) { x.Group = d.reference(aGroupID, &d.extension.communicatorGroup) }),
	required("queues", func(d *decoder, x *Communicator) {
		x.Queues = d.idList(queueIDs, aQueueID, &d.extension.communicatorQueue)
	}),
).Refuse("attribute-reserved", timingHelp, timings...)
