package facts

import "plancheck/internal/strictjson"

// places says where the rows of one relation come from.
type places struct {
	exporter *exporter
	field    string   // see rows
	at       []uint32 // offset of the entity that the row was read from
	// entries are positions in a list of that entity; kept for relations whose
	// rows come from the entries of one.
	entries []uint32
	listed  bool
}

func (p *places) grow(n int) {
	p.at = make([]uint32, 0, n)
	if p.listed {
		p.entries = make([]uint32, 0, n)
	}
}

func (p *places) add(at uint32, entry int64) {
	p.at = append(p.at, at)
	if p.listed {
		p.entries = append(p.entries, uint32(entry))
	}
}

// Offset returns the byte offset of the value that a row was read from: in the
// document, or in its parent where the relation is of the parent. What it needs to
// know is computed when a relation is first asked for, not kept with the facts.
// Facts is not safe for concurrent use.
func (f *Facts) Offset(relation string, row int) uint32 {
	p := f.places[relation]
	if p == nil {
		p = &places{exporter: f.exporter}
		for _, r := range Relations() {
			if e := f.exporter.of(r); r.Name == relation && e != nil {
				p.exporter, p.field, p.listed = e, r.rows.field, r.rows.entry
				r.rows.write(e, &writer{exporter: e, relation: r, places: p})
			}
		}
		f.places[relation] = p
	}
	if row < 0 || row >= len(p.at) {
		return 0
	}
	at := p.at[row]
	src := p.exporter.plan.Source
	if p.field == "" || src == nil {
		return at
	}
	field := strictjson.Locate(src, at, p.field)
	if !p.listed || field == at || src.Text()[field] != '[' {
		return field
	}
	list := listAt{p.exporter != f.exporter, field}
	entries, ok := f.lists[list]
	if !ok {
		entries = strictjson.Entries(src, field)
		f.lists[list] = entries
	}
	if entry := p.entries[row]; int(entry) < len(entries) {
		return entries[entry]
	}
	return field
}
