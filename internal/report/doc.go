// Package report writes what a run of plancheck found, one file a format.
//
// A format is a pure function of a Run: no clock, no environment, no order of
// maps. Text is written for people on a terminal and html for a browser; json
// (schema plancheck.report/1) is whole and versioned, for programs; sarif,
// github and junit are for the places where a team looks. To add a format,
// write one file with a Format and name it in Formats.
package report
