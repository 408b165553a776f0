// Package house holds the tests that keep the project in order: which package
// may import which, and that what README and docs show is what the program
// does.
package house
