package facts

import (
	"slices"
	"sync"

	"plancheck/internal/diag"
	"plancheck/internal/record"
	"plancheck/internal/symbol"
	"plancheck/ir"
	"plancheck/ir/level"
	"plancheck/ir/levels"
)

// Document is a document of any level, as rules judge it.
type Document struct {
	Schema  string
	Symbols *symbol.Table
	Source  *diag.Source // nil where it was built, not read

	plan *ir.Plan   // of other levels than ConcretePlanIR an empty one
	body level.Body // nil for a plan
}

// OfPlan is a plan as a document; nil for none.
func OfPlan(p *ir.Plan) *Document {
	if p == nil {
		return nil
	}
	return &Document{Schema: ir.PlanSchema, Symbols: p.Symbols, Source: p.Source, plan: p}
}

// OfLevel is a document of one of the levels of package levels.
func OfLevel(b level.Body, src *diag.Source) *Document {
	p := &ir.Plan{Symbols: symbol.NewTable(), Source: src, LogicalCores: ir.None}
	return &Document{Schema: b.Head().Schema, Symbols: p.Symbols, Source: src, plan: p, body: b}
}

// Plan returns the plan that the document is, or nil.
func (d *Document) Plan() *ir.Plan {
	if d == nil || d.body != nil {
		return nil
	}
	return d.plan
}

// Body returns what the document holds where it is of another level, or nil.
func (d *Document) Body() level.Body {
	if d == nil {
		return nil
	}
	return d.body
}

// Digest is the content digest of the document.
func (d *Document) Digest() string {
	if d.body == nil {
		return ir.PlanDigest(d.plan)
	}
	return levels.Digest(d.body)
}

// stated is the digest that the document states of itself.
func (d *Document) stated() string {
	if d.body == nil {
		return d.plan.Digest
	}
	return d.body.Head().Digest
}

// Beside is the document with a table of symbols that its parent of another level
// can share; parent may be nil.
func (d *Document) Beside(parent *Document) *Document {
	if d.body == nil || parent.Plan() == nil {
		return d
	}
	return d.with(parent.Symbols)
}

// with is a document of another level than ConcretePlanIR with a table of symbols.
func (d *Document) with(symbols *symbol.Table) *Document {
	other := *d
	other.Symbols = symbols
	other.plan = &ir.Plan{Symbols: symbols, Source: d.Source, LogicalCores: ir.None}
	return &other
}

// start is the offset of the whole document.
func (d *Document) start() uint32 {
	if d.Source == nil {
		return 0
	}
	return uint32(d.Source.Start)
}

// Sections lists the pointers of the sections of a document of another level than
// ConcretePlanIR that fill relations and have something in them.
func (d *Document) Sections() []string {
	if d.body == nil {
		return nil
	}
	rows := d.bodyRows()
	var all []string
	for _, r := range record.Relations(d.body) {
		if rows[r.Name] != nil && !slices.Contains(all, r.Section) {
			all = append(all, r.Section)
		}
	}
	return all
}

// bodyRows are the rows of all relations of the document's body.
func (d *Document) bodyRows() map[string]*levelRows {
	all := map[string]*levelRows{}
	record.Rows(d.body, func(relation string, at record.Place, values []any) {
		r := all[relation]
		if r == nil {
			r = &levelRows{}
			all[relation] = r
		}
		r.rows = append(r.rows, levelRow{at, values})
	})
	return all
}

// levelRows are the rows of one relation.
type levelRows struct{ rows []levelRow }

type levelRow struct {
	at     record.Place
	values []any
}

// levelRelations are those of the levels of package levels. A relation that
// several levels fill, such as lineage, is there once: it is about the document
// that is judged.
var levelRelations = sync.OnceValue(func() []Relation {
	var all []Relation
	for _, l := range levels.All() {
		for _, x := range record.Relations(l.New()) {
			r := Relation{
				Name: x.Name, Section: x.Section, Doc: x.Doc, Says: x.Says,
				rows: rows{write: func(e *exporter, w *writer) { e.levelRows(w, x.Name) }, field: x.Field, entry: x.Entries, schema: l.Schema},
			}
			for _, c := range x.Columns {
				r.Cols = append(r.Cols, Column{c.Name, map[bool]Type{true: Number, false: String}[c.Number]})
			}
			if i := slices.IndexFunc(all, func(o Relation) bool { return o.Name == x.Name }); i >= 0 {
				all[i].rows.schema = everyLevel
				continue
			}
			all = append(all, r)
		}
	}
	all = slices.Concat(all, computedRelations(), costRelations(), memoryRelations())
	for _, r := range slices.Clone(all) {
		if slices.Contains(comparedWithinLevel, r.Name) {
			r.Name, r.Section, r.Says = "parent_"+r.Name, ofParent, "in the parent "+r.Says
			all = append(all, r)
		}
	}
	return all
})

// comparedWithinLevel are relations of which a document is compared with a parent
// of its own level: the parent's rows are in a relation with parent_ before its
// name.
var comparedWithinLevel = []string{"evidence_record", "evidence_about", "evidence_factor"}

// levelRows writes the rows of a relation of a level.
func (e *exporter) levelRows(w *writer, relation string) {
	if e.document == nil || e.document.body == nil {
		return
	}
	if e.ofBody == nil {
		e.ofBody = e.document.bodyRows()
	}
	r := e.ofBody[relation]
	if r == nil {
		return
	}
	values := make([]symbol.Value, len(w.relation.Cols))
	for _, row := range r.rows {
		for i, v := range row.values {
			switch v := v.(type) {
			case int64:
				values[i] = e.num(v)
			case string:
				values[i] = e.plan.Symbols.String(v)
			}
		}
		w.entry = int64(max(row.at.Entry, 0))
		w.row(row.at.Object, values...)
	}
}

// Decode reads a document of whatever level it says it is of: a plan, where it
// says nothing that is known. It returns either the document or every error of
// it, sorted, each with its place.
func Decode(src *diag.Source) (*Document, []diag.Diagnostic) {
	l, ok := levels.Declared(src)
	if !ok {
		p, diags := ir.DecodePlan(src)
		return OfPlan(p), diags
	}
	b, diags := l.Decode(src)
	if b == nil {
		return nil, diags
	}
	return OfLevel(b, src), nil
}

// Encode writes a document of any level in the readable style.
func Encode(d *Document) []byte {
	if b := d.Body(); b != nil {
		return levels.Encode(b)
	}
	return ir.Encode(d.Plan())
}
