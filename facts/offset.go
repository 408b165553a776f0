package facts

import "plancheck/internal/strictjson"

// places says where the rows of one relation come from.
type places struct {
	at []uint32 // offset of the entity that the row was read from
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

// member is the part of an entity that a row repeats: a field, or an entry of
// the list in it.
type member struct {
	field string
	entry bool
}

// members narrows the place of rows from the entity to the member that says
// it. Where the document leaves the member out, the entity is the place.
var members = map[string]member{
	"core_capacity": {"capacity_bytes", false},
	"core_kind":     {"kind", false},
	"core_at":       {"at", false},
	"stage_range":   {"cores", false},

	"input_size":       {"size_bytes", false},
	"op_kind":          {"kind", false},
	"op_lane":          {"lanes", false},
	"op_weight":        {"weights", true},
	"op_max_parts":     {"max_parts", false},
	"op_windows":       {"windows", false},
	"op_forwards":      {"forwards", false},
	"edge_named_value": {"value", false},

	"instance_stage":       {"stage", false},
	"instance_core":        {"cores", true},
	"instance_listed":      {"lanes", true},
	"instance_repeated":    {"lanes", true},
	"instance_stage_only":  {"cores", true},
	"instance_core_only":   {"stage", false},
	"part_stage":           {"stage", false},
	"part_core":            {"cores", true},
	"part_listed":          {"part", false},
	"whole_lane_listed":    {"lanes", true},
	"split":                {"parts", false},
	"split_part":           {"parts", false},
	"resident_listed":      {"cores", true},
	"resident_part_listed": {"cores", true},

	"transfer_stage":      {"stage", false},
	"transfer_from_stage": {"from_stage", false},
	"transfer_to_stage":   {"to_stage", false},
	"sync_stage":          {"stage", false},
	"document_digest":     {"digest", false},
}

// Offset returns the byte offset in the document of the value that a row was
// read from. What it needs to know is computed when a relation is first asked
// for, not kept with the facts. Facts is not safe for concurrent use.
func (f *Facts) Offset(relation string, row int) uint32 {
	m, narrow := members[relation]
	p := f.places[relation]
	if p == nil {
		p = &places{listed: m.entry}
		for _, r := range Relations() {
			if r.Name == relation {
				r.write(f.exporter, &writer{exporter: f.exporter, relation: r, places: p})
			}
		}
		f.places[relation] = p
	}
	if row < 0 || row >= len(p.at) {
		return 0
	}
	at := p.at[row]
	src := f.exporter.plan.Source
	if !narrow || src == nil {
		return at
	}
	field := strictjson.Locate(src, at, m.field)
	if !m.entry || field == at || src.Text()[field] != '[' {
		return field
	}
	entries, ok := f.lists[field]
	if !ok {
		entries = strictjson.Entries(src, field)
		f.lists[field] = entries
	}
	if entry := p.entries[row]; int(entry) < len(entries) {
		return entries[entry]
	}
	return field
}
