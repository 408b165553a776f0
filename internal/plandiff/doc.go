// Package plandiff compares two plans by stable ids: what was added and removed,
// what was decided otherwise, and what that does to the costs and to memory. The
// order of entries and the formatting of the documents do not count.
package plandiff
