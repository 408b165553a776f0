// Package clasp solves stage partition problems with the answer set solver
// clasp, to compare and to check internal/search/partition: Facts writes a
// problem as facts, partition.lp says what they mean, and a Solver runs what is
// installed of clingo, gringo and clasp (Debian packages gringo and clasp).
package clasp
