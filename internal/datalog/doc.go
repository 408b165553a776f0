// Package datalog evaluates programs in Mangle's language and proves what it
// derives. Mangle parses, types and checks the program; the clauses, exactly
// as parsed, are compiled to joins over columns of interned values.
//
// The way through the package:
//
//	Parse    text -> Unit       Mangle's parser, and a map from clauses to lines
//	Compile  Units -> Program   checks with positions, strata, join plans
//	Eval     Program + Tables -> Database   semi-naive, under limits
//	Prove    Database + row -> diag.Proof   by re-matching rule bodies
//
// It knows nothing of plans.
package datalog
