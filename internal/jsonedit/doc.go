// Package jsonedit changes a JSON text in place: what stays keeps its bytes, and
// what is new is written like its neighbours. It also writes edits down as a
// unified diff.
//
// A change is given as two documents in one and the same formatting, before and
// after. Where they differ is found by their structure, and the same places of
// the text, which says the same as before in its own formatting, are edited.
package jsonedit
