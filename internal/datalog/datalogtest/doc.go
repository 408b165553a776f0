// Package datalogtest is the second opinion on internal/datalog that tests ask:
// a naive evaluator of the rule language, and a checker of proofs. Both know
// only the language and share no code with the engine: their constants are Go
// values, their relations are slices, their joins are nested loops.
//
// The language is Mangle's, with these readings where Mangle's documents leave
// a choice or its evaluator goes wrong:
//
//   - A body is a conjunction; the order of its premises means nothing.
//   - A negated atom says that no row matches. A wildcard in it, or a variable
//     that no other kind of premise binds, may stand for anything.
//   - The rows of a group are the different ways in which the body holds:
//     assignments of the variables that it binds and of the wildcards in its
//     positive atoms, sorted in order of appearance in the body. There are no
//     empty groups.
//   - Integers are exact. What does not fit int64 is an error.
package datalogtest
