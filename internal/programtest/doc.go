// Package programtest makes programs for tests: random legal ones, changed ones
// with what is wrong with them, and two answers to what may happen when a program
// runs that share no code with facts and rules.
//
//	Generate ──▶ legal program ──Mutations──▶ changed program, code, places
//	                  │                             │
//	                  ├──────── Analyse ────────────┤   what happens before what
//	                  └──────── Play ───────────────┘   every order, one step at a time
//
// Generate draws an execution first, and from it the queues and the
// synchronisation that makes it the only thing that matters. A mutation offers
// only changes of which it knows, often by Analyse, that one thing is wrong
// behind them; Play is slow and is there to hold Analyse, and the rules, to what
// the words of docs/command-plan.md say.
//
// To add a mutation, add an entry to one of the lists that Mutations joins.
package programtest
