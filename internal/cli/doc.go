// Package cli is the command line: it parses arguments, reads files, calls the
// packages that do the work, and turns what they say into output and an exit
// code. One file a verb; verbs.go lists them. It decides nothing about plans.
package cli
