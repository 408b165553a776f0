package lineage

import (
	"fmt"
	"slices"
	"strings"

	"plancheck/facts"
	"plancheck/internal/diag"
	"plancheck/ir/evidence"
	"plancheck/ir/level"
)

// take lists the documents, each content once.
func (x *Index) take(documents []*facts.Document) {
	type content struct{ schema, digest string }
	there := map[content]bool{}
	for _, d := range documents {
		doc := &document{Document: d, level: none, digest: d.Digest()}
		if d.Source != nil {
			doc.name = d.Source.Name
		}
		if l, ok := levelOf(d.Schema); ok {
			doc.level = l
		}
		if c := (content{d.Schema, doc.digest}); there[c] {
			x.left = append(x.left, doc.name)
		} else {
			there[c] = true
			x.documents = append(x.documents, doc)
		}
	}
}

// parents are those that a document names.
func (d *document) parents() []level.Parent {
	if b := d.Body(); b != nil {
		return b.Head().Parents
	}
	var all []level.Parent
	for _, p := range d.Plan().Parents {
		all = append(all, level.Parent{Schema: p.Schema, Digest: p.Digest, At: p.At})
	}
	if p := d.Plan().Program; all == nil && p != nil && p.Identity != nil && p.Identity.SourcePortable != "" {
		all = append(all, level.Parent{Schema: Levels()[portableLevel].Schema, Digest: p.Identity.SourcePortable, At: p.Identity.At})
	}
	return all
}

// fit finds the documents that each was made from. Where documents of a parent's
// schema are given, one of them must be that parent. Evidence is not asked for: a
// later revision may lie beside what an earlier one was used for.
func (x *Index) fit() (wrong []diag.Diagnostic) {
	for _, d := range x.documents {
		named := map[string]bool{} // schemas whose fit is known
		for _, p := range d.parents() {
			if other := x.document(p); other != nil {
				named[p.Schema] = true
				d.beside(other)
			}
		}
		for _, p := range d.parents() {
			given := x.given(p.Schema)
			if given != nil && !named[p.Schema] && p.Schema != d.Schema && p.Schema != evidence.EvidenceSchema {
				wrong = append(wrong, d.misfit(p, given))
			}
			named[p.Schema] = true
		}
	}
	for level := range levelCount { // from above, as each takes what those above it have
		for _, d := range x.documents {
			if d.level == level {
				x.inherit(d)
			}
		}
	}
	return wrong
}

// inherit gives a document the documents of levels that it does not name: those
// that its parents were made from, and where they do not say, all that are given.
func (x *Index) inherit(d *document) {
	named := map[string]bool{}
	for _, p := range d.parents() {
		named[p.Schema] = true
	}
	for l, level := range Levels()[:d.level] {
		if named[level.Schema] {
			continue
		}
		for _, parents := range d.above {
			for _, p := range parents {
				for _, other := range p.above[l] {
					d.beside(other)
				}
			}
		}
		if d.above[l] == nil {
			d.above[l] = x.given(level.Schema)
		}
	}
}

// document returns the one that a parent names, or nil.
func (x *Index) document(p level.Parent) *document {
	for _, d := range x.documents {
		if d.Schema == p.Schema && d.digest == p.Digest {
			return d
		}
	}
	return nil
}

// beside notes that a document was made from another one.
func (d *document) beside(other *document) {
	if other.level >= 0 && other.level < d.level && !slices.Contains(d.above[other.level], other) {
		d.above[other.level] = append(d.above[other.level], other)
	}
}

func (x *Index) given(schema string) (all []*document) {
	for _, d := range x.documents {
		if d.Schema == schema {
			all = append(all, d)
		}
	}
	return all
}

func (d *document) misfit(p level.Parent, given []*document) diag.Diagnostic {
	var others []string
	for _, g := range given {
		others = append(others, fmt.Sprintf("%s has %s", g.name, g.digest))
	}
	out := diag.Diagnostic{
		Code: "parent-digest-wrong", Severity: diag.Error, Pos: diag.Position{File: d.name},
		Message: fmt.Sprintf("the document was made from the %s with digest %s, but %s", p.Schema, p.Digest, strings.Join(others, ", and ")),
		Help:    "give the document that it was made from, or make it anew",
	}
	if d.Source != nil {
		out.Pos = d.Source.Position(int(p.At))
		out.Snippet, out.SnippetSkip = d.Source.Excerpt(int(p.At))
	}
	return out
}
