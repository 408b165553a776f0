// Package lineage follows one entity through the documents of all levels: from the
// op of the model to the interval in the timeline, and back.
//
//	documents ──Open──▶ Index: entities, and what each was made from
//	a word    ──Find──▶ the entities that it names
//	entities  ──Trail─▶ Trail: everything that was made from the same ops and
//	                    values of the highest level, level by level
//
// What was made from what is in the documents: lineage, and the ids by which lower
// levels name things of higher ones. Nothing is matched by names, or by guess. A
// source that no document has is told, where its document is given; where that is
// not given, an entity of which only the id is known stands for it, so that levels
// around a missing one stay joined as far as ids join them.
package lineage
