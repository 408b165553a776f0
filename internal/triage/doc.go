// Package triage says which findings are news: those that a baseline records
// are known, those that a suppression names are accepted, each with a reason.
// It reads and writes the two documents, plancheck.baseline/1 and
// plancheck.suppressions/1, and knows no plans and no rules.
package triage
