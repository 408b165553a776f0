package facts

import (
	"fmt"
	"slices"

	"plancheck/internal/datalog"
	"plancheck/internal/diag"
	"plancheck/internal/symbol"
	"plancheck/ir"
)

// MaxRows is how many rows a document may expand to. Plans of a million ops
// have some fifteen million; only a number like a lane count of 10^12 gets
// near the limit.
const MaxRows = 100_000_000

// Facts are the relations of one document.
type Facts struct {
	// Tables are the exported relations, in the order of Relations. Tables may
	// share columns.
	Tables []*datalog.Table

	exporter *exporter
	places   map[string]*places
	lists    map[listAt][]uint32 // entries of lists
}

// listAt is where a list begins: in the document or in its parent.
type listAt struct {
	parent bool
	offset uint32
}

// Error is a document that cannot be turned into facts, with the place of the
// number that makes it too large.
type Error struct {
	diag.Diagnostic
}

func (e *Error) Error() string { return e.Message }

// Export writes the relations of a plan that want asks for. The error is an
// *Error.
func Export(p *ir.Plan, want func(relation string) bool) (*Facts, error) {
	return export(OfPlan(p), nil, want, MaxRows)
}

// ExportChild writes the relations that want asks for of a document with the
// parent that it is compared with; nil is none. The parent may have another table
// of symbols; its constants become those of the document's. A document of another
// level must be Beside its parent.
func ExportChild(d, parent *Document, want func(relation string) bool) (*Facts, error) {
	return export(d, parent, want, MaxRows)
}

func export(d, parent *Document, want func(string) bool, limit int64) (*Facts, error) {
	e := &exporter{document: d, plan: d.plan, limit: limit}
	switch {
	case parent == nil:
	case parent.body != nil:
		parent = parent.with(d.Symbols)
		e.above = &exporter{document: parent, plan: parent.plan, limit: limit}
	case parent.Schema != d.Schema:
		e.above = &exporter{document: parent, plan: parent.plan, limit: limit}
	default:
		e.adopt(parent.plan)
	}
	done := map[string]*datalog.Table{}
	for _, sharing := range []bool{false, true} {
		for _, r := range Relations() {
			if (r.rows.other != "") != sharing || !want(r.Name) {
				continue
			}
			t, err := e.of(r).table(r, done[r.rows.other])
			if err != nil {
				return nil, err
			}
			done[r.Name] = t
		}
	}
	f := &Facts{exporter: e, places: map[string]*places{}, lists: map[listAt][]uint32{}}
	for _, r := range Relations() {
		if t := done[r.Name]; t != nil {
			f.Tables = append(f.Tables, t)
		}
	}
	return f, nil
}

// table writes one relation. Columns that agree with those of the same name in
// another relation are shared with it.
func (e *exporter) table(r Relation, other *datalog.Table) (*datalog.Table, error) {
	if e == nil { // of a document that there is not
		return &datalog.Table{Name: r.Name, Cols: make([][]symbol.Value, len(r.Cols)), Distinct: true}, nil
	}
	w := &writer{exporter: e, relation: r, cols: make([][]symbol.Value, len(r.Cols))}
	if other != nil {
		w.like = other
		w.shared = make([]bool, len(r.Cols))
		for c, name := range columnNames(other.Name) {
			if i := slices.IndexFunc(r.Cols, func(col Column) bool { return col.Name == name }); i >= 0 {
				w.cols[i], w.shared[i] = other.Cols[c], true
			}
		}
		r.rows.write(e, w)
		if w.differs || w.n != other.N {
			w = &writer{exporter: e, relation: r, cols: make([][]symbol.Value, len(r.Cols))}
			other = nil
		}
	}
	if other == nil {
		r.rows.write(e, w)
	}
	if w.err != nil {
		return nil, w.err
	}
	e.rows += int64(w.n)
	return &datalog.Table{Name: r.Name, Cols: w.cols, N: w.n, Distinct: r.Distinct || w.distinct}, nil
}

func columnNames(relation string) []string {
	var names []string
	for _, r := range Relations() {
		if r.Name == relation {
			for _, c := range r.Cols {
				names = append(names, c.Name)
			}
		}
	}
	return names
}

// Table returns an exported relation, and nil for one that was not asked for.
func (f *Facts) Table(relation string) *datalog.Table {
	for _, t := range f.Tables {
		if t.Name == relation {
			return t
		}
	}
	return nil
}

// Rows returns how many rows there are in all relations.
func (f *Facts) Rows() int {
	n := 0
	for _, t := range f.Tables {
		n += t.N
	}
	return n
}

// writer takes the rows of one relation: their values, or only their places.
type writer struct {
	exporter *exporter
	relation Relation

	cols [][]symbol.Value
	n    int
	// Where like is set, the columns marked in shared are columns of it, and
	// rows are compared with them instead of written; differs is set when one
	// disagrees.
	like    *datalog.Table
	shared  []bool
	differs bool
	// distinct is set where this document's rows turn out to be so.
	distinct bool

	// Where places is set, where rows come from is written, and nothing else.
	places *places
	// entry is the position of the next row in the list that it comes from.
	entry int64
	err   error
}

func (w *writer) hasColumn(name string) bool {
	return slices.ContainsFunc(w.relation.Cols, func(c Column) bool { return c.Name == name })
}

// grow makes room for n rows.
func (w *writer) grow(n int) {
	if w.places != nil {
		w.places.grow(n)
		return
	}
	if w.like != nil && n != w.like.N {
		w.differs = true
		return
	}
	for c := range w.cols {
		if w.like == nil || !w.shared[c] {
			w.cols[c] = make([]symbol.Value, 0, n)
		}
	}
}

// expand asks whether n more rows may be written, for the entity at this
// place, after others that were asked for and are not written yet; what tells
// people why there are so many. Any n that is not negative may be asked for.
func (w *writer) expand(asked, n int64, at uint32, what func() string) bool {
	e := w.exporter
	if w.places == nil && w.err == nil && n > e.limit-e.rows-int64(w.n)-asked {
		w.tooMany(at, what)
	}
	return w.err == nil
}

// tooMany ends the export: the entity at this place stands for too many rows.
func (w *writer) tooMany(at uint32, what func() string) {
	e := w.exporter
	d := diag.Diagnostic{
		Code:     "too-many-facts",
		Severity: diag.Error,
		Message:  fmt.Sprintf("%s: the facts of this document would have more than %d rows", what(), e.limit),
	}
	if src := e.plan.Source; src != nil {
		d.Pos = src.Position(int(at))
		d.Snippet, d.SnippetSkip = src.Excerpt(int(at))
	}
	w.err = &Error{d}
}

// copyLike takes all rows of the relation whose columns are shared, and says
// whether there is one. It is for relations whose columns all are columns of it.
func (w *writer) copyLike() bool {
	if w.like == nil || w.places != nil {
		return false
	}
	w.n = w.like.N
	return true
}

// row writes a row. It returns false where no further row is of use.
func (w *writer) row(at uint32, values ...symbol.Value) bool {
	if w.places != nil {
		w.places.add(at, w.entry)
		return true
	}
	if w.differs || w.err != nil {
		return false
	}
	if w.like != nil && w.n >= w.like.N {
		w.differs = true
		return false
	}
	for c, v := range values {
		if w.like == nil || !w.shared[c] {
			w.cols[c] = append(w.cols[c], v)
		} else if w.cols[c][w.n] != v {
			w.differs = true
			return false
		}
	}
	w.n++
	return true
}
