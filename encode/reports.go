package encode

import (
	"plancheck/internal/diag"
	"plancheck/internal/strictjson"
	"plancheck/ir"
)

// reports gathers diagnostics by offsets into the plan's source.
type reports struct {
	plan *ir.Plan
	list []diag.Diagnostic
	at   []uint32
}

func (r *reports) add(at uint32, code, message, help string) {
	r.list = append(r.list, diag.Diagnostic{Code: code, Severity: diag.Error, Message: message, Help: help})
	r.at = append(r.at, at)
}

// line names the line of an offset, for the ends of messages; nothing for a plan
// that was built, not read.
func (r *reports) line(at uint32) string {
	if r.plan.Source == nil {
		return ""
	}
	return " on line " + decimal(int64(r.plan.Source.LineAt(int(at))))
}

// diagnostics returns what was gathered, with places and sorted.
func (r *reports) diagnostics() []diag.Diagnostic {
	if src := r.plan.Source; src != nil && len(r.list) > 0 {
		pointers := strictjson.Pointers(src.Text(), r.at)
		for i := range r.list {
			d := &r.list[i]
			d.Pos = src.Position(int(r.at[i]))
			d.Pos.Pointer = pointers[i]
			d.Snippet, d.SnippetSkip = src.Excerpt(int(r.at[i]))
		}
	}
	diag.Sort(r.list)
	return r.list
}
