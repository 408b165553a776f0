// Package importer reads the files of other tools as plans. Each format has a
// file that reads it and one that turns what was read into an ir.Plan.
//
// Foreign files are read strictly in what matters: a field that is used must be
// there and have its type, a node that is named must exist, and every error has
// its place. Fields that are not used may be anything. What a plan cannot hold
// is left out with a note that says so.
package importer
