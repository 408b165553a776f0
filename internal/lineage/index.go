package lineage

import (
	"slices"

	"plancheck/facts"
	"plancheck/internal/diag"
	"plancheck/ir"
	"plancheck/ir/timeline"
)

// Index knows the entities of some documents, and what each was made from.
type Index struct {
	documents []*document
	entities  []*entity
	of        map[key]*entity // those that ids of other levels can name
	ids       map[string][]*entity
	names     map[string][]*entity
	short     int // digits that tell all derived ids from each other
	lost      []*lost
	left      []string
}

// document is a document and what it was made from.
type document struct {
	*facts.Document
	level  int // -1 for one that trails do not go through
	digest string
	name   string // of its file
	above  [levelCount][]*document
	lookups
}

// lookups find what a document says of an entity in another place than where the
// entity stands.
type lookups struct {
	queueKinds map[ir.ID]string
	instances  map[ir.ID][]*ir.Instance // of an op
	slots      map[ir.ID]*ir.Slot       // of a command, and so are the others
	routes     map[ir.ID]*ir.Route
	steps      map[string]int // of the critical path
	turns      map[string]turn
	costs      map[string]*timeline.Cost
	observed   map[string][]int64 // durations
}

// turn is when a resource runs a command, counted from 0 on.
type turn struct {
	resource *timeline.Resource
	number   int
}

// key is an entity of a document; of no document for one of which only the id is
// known.
type key struct {
	document *document
	kind     Kind
	id       string
}

// entity is one entity of one document.
type entity struct {
	kind     Kind
	id, name string
	document *document // nil where only the id is known
	at       uint32
	place    [3]int // in the lists of its document
	rank     int64  // none where it has no rank, or is of several
	device   string // where it is on a device that has no rank
	up, down []*entity
	produces []*entity // of work: what it makes, in its own document
	makers   []*entity // of what work is done on: what makes it
	order    int       // its place among all entities
}

const none = -1

// lost is an id of another document that it does not have.
type lost struct {
	by   *entity
	id   string
	want Kind
}

// source is an id of a higher level that an entity names, and what it may be, in
// the order in which it is looked for.
type source struct {
	of    *entity
	id    string
	kinds []Kind
	use   use
}

// use says what a source is good for.
type use uint8

const (
	made   use = iota // the entity was made from it
	same              // the entity was made from it where there is one
	beside            // it must be there, and is no part of the entity's trail
)

// Open reads the entities of documents. Of documents with the same content the
// first one counts. The error of documents that do not fit together are
// diagnostics with code parent-digest-wrong: a document was made from another one
// than those that are given.
func Open(documents []*facts.Document) (*Index, []diag.Diagnostic) {
	x := &Index{of: map[key]*entity{}, ids: map[string][]*entity{}, names: map[string][]*entity{}}
	x.take(documents)
	if wrong := x.fit(); wrong != nil {
		return nil, wrong
	}
	b := &builder{Index: x}
	for level := range levelCount {
		for _, d := range x.documents {
			if d.level == level {
				b.read(d)
			}
		}
	}
	for _, s := range b.sources {
		x.join(s)
	}
	x.number()
	return x, nil
}

// Left lists the files of documents with the content of another one, which were
// left out.
func (x *Index) Left() []string { return x.left }

// join finds what a source is: in the documents of its level that the entity's
// document was made from. Where none of these levels is given, an entity of which
// only the id is known stands for it.
func (x *Index) join(s source) {
	given := false
	for _, kind := range s.kinds {
		for _, d := range s.of.document.above[kind.level()] {
			given = true
			if e := x.of[key{d, kind, s.id}]; e != nil {
				if s.use != beside {
					link(s.of, e)
				}
				return
			}
		}
	}
	if s.use == same || s.use == beside && !given {
		return
	}
	if given {
		x.lost = append(x.lost, &lost{s.of, s.id, s.kinds[0]})
		return
	}
	unknown := key{nil, s.kinds[0], s.id}
	if x.of[unknown] == nil {
		x.of[unknown] = &entity{kind: s.kinds[0], id: s.id, rank: none}
	}
	link(s.of, x.of[unknown])
}

func link(below, above *entity) {
	if !slices.Contains(below.up, above) {
		below.up = append(below.up, above)
		above.down = append(above.down, below)
	}
}

// number gives all entities their order, inherits ranks, and files ids and names.
func (x *Index) number() {
	var all []*entity
	seen := map[*entity]bool{}
	for _, e := range x.entities {
		for _, above := range e.up {
			if above.document == nil && !seen[above] {
				seen[above] = true
				all = append(all, above)
			}
		}
	}
	x.entities = append(all, x.entities...)
	for i, e := range x.entities {
		e.order = i
		if e.rank == none && len(e.up) == 1 { // levels from above are read before
			e.rank = e.up[0].rank
			if e.device == "" {
				e.device = e.up[0].device
			}
		}
		if e.kind != Operand && e.kind != Port { // these have no ids of their own
			x.ids[e.id] = append(x.ids[e.id], e)
		}
		if e.name != "" {
			x.names[e.name] = append(x.names[e.name], e)
		}
	}
	x.shorten()
}
