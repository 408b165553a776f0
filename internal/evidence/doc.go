// Package evidence binds portable plans to targets: it finds for each task an
// implementation that can do it and a cost that evidence stands behind, and makes
// new revisions of evidence from observations.
//
//	portable plan ─┐
//	target ────────┤            candidates, each with what is against it
//	deployment ────┼─▶ Bind ─▶  the implementation, its engine and workspace
//	evidence ──────┤            the cost, and every attempt to find it
//	policy ────────┘
//	observations ──┐
//	timeline ──────┼─▶ Calibrate ─▶ a new evidence revision with factors
//	evidence ──────┘
//
// Nothing is legal because it is here: what could not be bound is in the binding
// as well, and rules/evidence.dl says what is wrong with it.
//
// A cost comes from the first provider of the policy that has one. Records give
// it exactly, by interpolation between the two nearest on one axis, or by
// extrapolation from the nearest; the target's formulas give it analytically.
// Records that contradict each other end the search: no other provider hides
// that. What nobody knows is missing, never 0.
//
// All arithmetic is on rationals. A duration is rounded once, at the end, to the
// nearest picosecond, a half up; what is more than 0 is at least 1.
package evidence
