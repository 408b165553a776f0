package ir

// Parent names a document that a plan was made from, by its content.
type Parent struct {
	Schema, Digest string
	At             uint32
}

// Lineage says what an entity of a plan was made from. Plans that nothing was
// made into have none.
type Lineage struct {
	Kind      string // one of LineageKinds
	Transform string // what made it, "" when absent
	Sources   []ID   // entities of the documents that the plan was made from
	Reason    string // why something was generated, "" when absent
	At        uint32
}

// LineageKinds are the kinds of lineage, as in the documents of other levels.
func LineageKinds() []string {
	return []string{"root", "preserved", "cloned", "decomposed", "fused", "lowered", "generated"}
}

func (d *decoder) lineage() *Lineage {
	l := &Lineage{At: d.Offset()}
	lineageShape.Read(d.Reader, d, l)
	return l
}

// foreignIDs reads ids of other documents, which nothing in this one has.
func (d *decoder) foreignIDs(lists string) []ID {
	l := d.List(lists)
	if !l.Ok() {
		return nil
	}
	ids := []ID{}
	for l.Next() {
		ids = append(ids, d.id("an id (a string)"))
	}
	return ids
}

func (w planWriter) parent(p *Parent) {
	w.entity(func() {
		w.field("schema")
		w.text(p.Schema)
		w.field("digest")
		w.text(p.Digest)
	})
}

// lineage leaves an absent one out.
func (w planWriter) lineage(l *Lineage) {
	if l == nil {
		return
	}
	w.field("lineage")
	w.entity(func() {
		w.field("kind")
		w.text(l.Kind)
		w.optionalText("transform", l.Transform)
		w.idRow("sources", l.Sources)
		w.optionalText("reason", l.Reason)
	})
}
