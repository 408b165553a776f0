// Package rules holds the rule files, loads them and judges documents by them.
// Nothing else decides whether a plan is legal.
//
//	Load     rule files -> Set        compiled together with the Decls of the facts;
//	                                  the Decls' metadata make invariants and costs
//	Judge    Set + plan -> Verdict    facts, evaluation, a finding and a proof for
//	                                  every row of every invariant, places
//	Costs    Set + plan -> costs
//	Explain  Set + code -> what the rule file says about it
//
// The built-in files are pipeline.dl, the invariants of pipeline assignment,
// concrete.dl, stages.dl and deployment.dl, those of programs of commands,
// queue.dl and spatial.dl, those of what programs say of one family of targets
// only, objective.dl, the costs, and one for each transition between phases of
// the scheduler, whose rules compare a plan with its parent: repack.dl,
// transfer.dl.
// Under testdata there is for each invariant a plan that breaks it and nothing
// else, and the same plan mended.
package rules
