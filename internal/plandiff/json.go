package plandiff

import (
	"encoding/json"
	"io"
)

type document struct {
	Schema   string        `json:"schema"`
	Before   string        `json:"before"`
	After    string        `json:"after"`
	Equal    bool          `json:"equal"`
	Sections []sectionJSON `json:"sections"`
	Costs    []costJSON    `json:"costs"`
}

type sectionJSON struct {
	Section string       `json:"section"`
	Added   []string     `json:"added,omitempty"`
	Removed []string     `json:"removed,omitempty"`
	Changed []changeJSON `json:"changed,omitempty"`
}

type changeJSON struct {
	ID     string `json:"id"`
	Field  string `json:"field,omitempty"`
	Before any    `json:"before"`
	After  any    `json:"after"`
}

type costJSON struct {
	Name   string `json:"name"`
	Unit   string `json:"unit"`
	Before *int64 `json:"before"`
	After  *int64 `json:"after"`
}

// WriteJSON writes a comparison as a document of the schema Schema. What a plan
// does not say is null, if nothing holds instead.
func (d *Diff) WriteJSON(w io.Writer) error {
	doc := document{Schema: Schema, Before: d.Before, After: d.After, Equal: d.Equal(), Sections: []sectionJSON{}, Costs: []costJSON{}}
	for _, s := range d.Sections {
		out := sectionJSON{Section: s.Name, Added: s.Added, Removed: s.Removed}
		for _, c := range s.Changed {
			out.Changed = append(out.Changed, changeJSON(c))
		}
		doc.Sections = append(doc.Sections, out)
	}
	for _, c := range d.Costs {
		doc.Costs = append(doc.Costs, costJSON(c))
	}
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	return e.Encode(doc)
}
