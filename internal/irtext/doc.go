// Package irtext is the text form of ModelIR, DistributedTaskIR, PortablePlanIR,
// ConcretePlanIR and MachineIR: one statement an entity, which reads like the
// derivation and says all that the JSON of the document says.
//
//	model "row-parallel" {
//	  symbol M counts batch
//	  %x = input : tensor<Mx49152xbf16>
//	  %w = parameter : tensor<49152x12288xbf16>
//	  %y = model.linear %x, %w as @down : tensor<Mx12288xbf16>
//	  return %y
//	}
//
// The text is a syntax over the tree of the JSON. Each list of entities has a form
// (a table of parts, which print fields and read them back); what a form has no
// part for stands in braces behind the statement, so that a field that is new is
// neither lost nor refused. The ordinary decoders read the tree that a text gives:
// this package knows the words of documents, and not what they mean.
//
//	JSON ──decode, encode──▶ JSON ──tree──▶ forms print ──▶ text
//	text ──forms parse──▶ tree ──JSON, with the place of each value──▶ decode
package irtext
