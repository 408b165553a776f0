// Package datalog evaluates programs in Mangle's language and proves what it
// derives. Mangle parses; the clauses, exactly as parsed, are checked, typed,
// and evaluated by joins over columns of interned values.
//
// The way through the package:
//
//	Parse    text -> Unit       Mangle's parser, and a map from clauses to lines
//	Compile  Units -> Program   every error with its position, types, strata
//	Eval     Program + Tables -> Database   join plans, semi-naive, under limits
//	Prove    Database + row -> diag.Proof   by re-matching rule bodies
//
// Where some facts are decided by somebody, such as a search:
//
//	May      Program + all facts that could be -> May   what could be derived
//	Explain  Database + row -> literals                 decisions that it rests on
//	Forbid   relation -> clauses                        decisions that leave it empty
//
// It knows nothing of plans.
package datalog
