package ir

import "plancheck/internal/strictjson"

// This file is what the section "program" of the schema says about what a
// program was made for, in the order of deployment.go.

const (
	anImplementationID = "an implementation id (a string)"
	targetIDs          = "a list of ids of physical devices"
	aLibrary           = "the name of a library (a string)"
	aRevision          = "a revision (a string)"
)

var identityShape = strictjson.NewShape("an identity",
	optional("source_portable_digest", func(d *decoder, i *Identity) { i.SourcePortable = d.text() }),
	optional("target_fingerprint", func(d *decoder, i *Identity) { i.Target = d.text() }),
	optional("deployment_fingerprint", func(d *decoder, i *Identity) { i.Deployment = d.text() }),
	optional("abi_revision", func(d *decoder, i *Identity) { i.ABI = d.text() }),
	optional("planning_evidence_revision", func(d *decoder, i *Identity) { i.PlanningEvidence = d.text() }),
	optional("planner_revision", func(d *decoder, i *Identity) { i.Planner = d.text() }),
).Refuse("attribute-reserved", timingHelp, timings...)

var deploymentShape = strictjson.NewShape("a deployment",
	optional("family", func(d *decoder, x *Deployment) { x.Family = d.oneOf(Families()) }),
	optional("fingerprint", func(d *decoder, x *Deployment) { x.Fingerprint = d.text() }),
	optional("target_fingerprint", func(d *decoder, x *Deployment) { x.Target = d.text() }),
	optional("abi_revision", func(d *decoder, x *Deployment) { x.ABI = d.text() }),
	optional("devices", func(d *decoder, x *Deployment) { x.Devices = d.idList(targetIDs, aTargetID, &d.program.target) }),
	optional("libraries", func(d *decoder, x *Deployment) {
		x.Libraries = entries(d, libraryShape, func(at uint32) Library { return Library{At: at} })
	}),
	optional("compatible", func(d *decoder, x *Deployment) {
		x.Compatible = entries(d, compatibilityShape, func(at uint32) Compatibility { return Compatibility{At: at} })
	}),
).Refuse("attribute-reserved", timingHelp, timings...)

var libraryShape = strictjson.NewShape("a library",
	required("name", func(d *decoder, l *Library) { l.Name = d.name(aLibrary) }),
	required("version", func(d *decoder, l *Library) { l.Version = d.name(aRevision) }),
).Refuse("attribute-reserved", timingHelp, timings...)

var compatibilityShape = strictjson.NewShape("a compatibility entry",
	required("library", func(d *decoder, c *Compatibility) { c.Library = d.name(aLibrary) }),
	required("version", func(d *decoder, c *Compatibility) { c.Version = d.name(aRevision) }),
	required("abi", func(d *decoder, c *Compatibility) { c.ABI = d.name(aRevision) }),
).Refuse("attribute-reserved", timingHelp, timings...)

var implementationShape = strictjson.NewShape("an implementation",
	required("id", func(d *decoder, i *Implementation) { i.ID = d.id(anImplementationID) }),
	required("namespace", func(d *decoder, i *Implementation) { i.Namespace = d.name(aLibrary) }),
	required("name", func(d *decoder, i *Implementation) { i.Name = d.name("the name of a function (a string)") }),
	optional("version", func(d *decoder, i *Implementation) { i.Version = d.text() }),
	optional("abi", func(d *decoder, i *Implementation) { i.ABI = d.text() }),
	optional("variant", func(d *decoder, i *Implementation) { i.Variant = d.text() }),
).Refuse("attribute-reserved", timingHelp, timings...)
