package rules

import (
	"slices"

	"github.com/google/mangle/ast"

	"plancheck/facts"
	"plancheck/internal/datalog"
	"plancheck/internal/diag"
	"plancheck/internal/strictjson"
	"plancheck/internal/symbol"
)

// locate fills in the places of all findings, which are in the document, and of
// the facts in their proofs, which may be in its parent. The pointers of all are
// found in one pass over each.
func (j *judgement) locate() {
	if len(j.findings) == 0 {
		return
	}
	at := j.places()
	child, parent := &spots{document: j.document}, &spots{document: j.parent}
	for i := range j.findings {
		f := &j.findings[i]
		f.Pos = diag.Position{File: j.name}
		each(f.Proof, func(n *diag.Proof) {
			if n.Kind == diag.Fact && n.Row >= 0 {
				in := child
				if j.facts.FromParent(n.Pred) {
					in = parent
				}
				in.add(j.facts.Offset(n.Pred, n.Row), &n.Pos)
			}
		})
		f.offset, f.placed = at[i]
		if n := firstFact(f.Proof, j.facts); !f.placed && n != nil {
			f.offset, f.placed = j.facts.Offset(n.Pred, n.Row), true
		}
		if f.placed {
			child.add(f.offset, &f.Pos)
		}
	}
	child.fill()
	parent.fill()
	src := j.document.Source
	if src == nil {
		return
	}
	for i := range j.findings {
		if f := &j.findings[i]; f.placed {
			f.Snippet, f.SnippetSkip = src.Excerpt(int(f.offset))
		}
	}
}

// ofParent says which relations are read from the parent plan. Those of a parent
// of another kind are empty without one, and rules that read them find nothing.
func ofParent() map[string]bool {
	of := map[string]bool{}
	for _, r := range facts.Relations() {
		of[r.Name] = r.OfParent() && r.OfLevel() == ""
	}
	return of
}

// spots are positions to be filled in, all in one document.
type spots struct {
	document  *facts.Document
	offsets   []uint32
	positions []*diag.Position
}

func (s *spots) add(offset uint32, p *diag.Position) {
	s.offsets = append(s.offsets, offset)
	s.positions = append(s.positions, p)
}

func (s *spots) fill() {
	if len(s.positions) == 0 {
		return
	}
	src := s.document.Source
	if src == nil { // a plan that was built, not read
		for _, p := range s.positions {
			*p = diag.Position{}
		}
		return
	}
	pointers := strictjson.Pointers(src.Text(), s.offsets)
	for i, p := range s.positions {
		*p = src.Position(int(s.offsets[i]))
		p.Pointer = pointers[i]
	}
}

// each visits all nodes of a proof.
func each(p *diag.Proof, visit func(*diag.Proof)) {
	visit(p)
	for _, q := range p.Premises {
		each(q, visit)
	}
	for _, q := range p.Rows {
		each(q, visit)
	}
}

// firstFact returns the first fact of the document that a proof rests on.
func firstFact(p *diag.Proof, read *facts.Facts) *diag.Proof {
	if p.Kind == diag.Fact && p.Row >= 0 && !read.FromParent(p.Pred) {
		return p
	}
	for _, q := range slices.Concat(p.Premises, p.Rows) {
		if n := firstFact(q, read); n != nil {
			return n
		}
	}
	return nil
}

// places finds the facts that the findings' invariants point at: their offsets
// by number of the finding. Each relation is passed over once for each
// invariant with findings, so that thousands of findings cost no more than one.
func (j *judgement) places() map[int]uint32 {
	at := map[int]uint32{}
	for i := 0; i < len(j.findings); {
		n := i + 1
		for n < len(j.findings) && j.findings[n].inv == j.findings[i].inv {
			n++
		}
		if place := j.findings[i].inv.At; place != nil {
			j.find(place, i, n, at)
		}
		i = n
	}
	return at
}

// find looks for the places of findings from to before end, all of one invariant.
func (j *judgement) find(place *Place, from, end int, at map[int]uint32) {
	source := j.facts
	table := source.Table(place.Relation)
	if table == nil { // no rule reads it
		one, err := facts.ExportChild(j.document, j.parent, func(name string) bool { return name == place.Relation })
		if err != nil {
			return // the first fact of the proof will do
		}
		source, table = one, one.Table(place.Relation)
	}
	wanted := map[string][]int{} // findings by the columns that they want
	var key []byte
	for i := from; i < end; i++ {
		key = key[:0]
		f := &j.findings[i]
		for _, c := range place.Cols {
			if !c.Any {
				key = appendValue(key, j.value(c, f))
			}
		}
		wanted[string(key)] = append(wanted[string(key)], i)
	}
	for row := 0; row < table.N && len(wanted) > 0; row++ {
		key = rowKey(key[:0], place, table, row)
		for _, i := range wanted[string(key)] {
			at[i] = source.Offset(place.Relation, row)
		}
		delete(wanted, string(key))
	}
}

func (j *judgement) value(c PlaceColumn, f *finding) symbol.Value {
	if c.Constant == nil {
		return f.row[slices.Index(f.inv.Cols, c.Var)]
	}
	switch c.Constant.Type {
	case ast.NumberType:
		return j.document.Symbols.Int(c.Constant.NumValue)
	case ast.NameType:
		return j.document.Symbols.Name(c.Constant.Symbol)
	}
	return j.document.Symbols.String(c.Constant.Symbol)
}

func rowKey(key []byte, place *Place, t *datalog.Table, row int) []byte {
	for c, col := range place.Cols {
		if !col.Any {
			key = appendValue(key, t.Cols[c][row])
		}
	}
	return key
}

func appendValue(key []byte, v symbol.Value) []byte {
	return append(key, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
}
