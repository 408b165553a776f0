package lineage

import (
	"fmt"
	"slices"
	"strings"
)

// joins are the levels that others are joined by: bindings, machine programs,
// timelines and observations name things of these, and nothing names theirs.
var joins = [levelCount]bool{modelLevel: true, taskLevel: true, portableLevel: true, planLevel: true}

// gap says what it means for the trail that a level which joins others is not
// given; "" where it means nothing.
func (t *Trail) gap(level int) string {
	if !t.missing(level) {
		return ""
	}
	ids := 0
	first, last := int(levelCount), none // of the trail
	for _, e := range t.entities {
		l := e.kind.level()
		first, last = min(first, l), max(last, l)
		if l == level {
			ids++
		}
	}
	noun := Levels()[level].Noun
	switch {
	case first < level && level < last:
		return fmt.Sprintf("no %s was given: the trail goes on by ids alone", noun)
	case ids > 0,
		level < first && t.next(level+1, first) && t.given(0, level),
		level > last && t.next(last+1, level) && t.given(level+1, levelCount):
		return fmt.Sprintf("no %s was given: the trail ends here", noun)
	}
	return ""
}

func (t *Trail) missing(level int) bool {
	return joins[level] && t.index.given(Levels()[level].Schema) == nil
}

// next says that none of the levels from one on, before another, is missing.
func (t *Trail) next(from, to int) bool {
	for l := from; l < to; l++ {
		if t.missing(l) {
			return false
		}
	}
	return true
}

// given says that a document of the levels from one on, before another, is given.
func (t *Trail) given(from, to int) bool {
	return slices.ContainsFunc(t.index.documents, func(d *document) bool { return from <= d.level && d.level < to })
}

// Notes say what is missing: levels that are not given, and sources that no
// document has.
func (t *Trail) Notes() []string {
	var notes, missing []string
	for l, of := range Levels() {
		if t.index.given(of.Schema) == nil && t.gap(l) == "" {
			missing = append(missing, of.Noun)
		}
	}
	if missing != nil {
		notes = append(notes, "note: not given: "+strings.Join(missing, ", "))
	}
	in, told := map[*entity]bool{}, map[*entity]bool{}
	for _, e := range t.entities {
		in[e] = true
	}
	var elsewhere []*lost
	for _, l := range t.index.lost {
		if !in[l.by] {
			elsewhere = append(elsewhere, l)
			continue
		}
		told[l.by] = true
		notes = append(notes, "note: "+t.index.lostWords(l))
	}
	for _, e := range t.roots {
		if !told[e] && e.document != nil && len(e.up) == 0 && t.given(0, e.kind.level()) {
			notes = append(notes, fmt.Sprintf("note: %s: nothing says what %s %s was made from: the trail ends here", t.index.placeOf(e), e.kind, t.index.shortID(e.id)))
		}
	}
	if elsewhere != nil {
		words := t.index.lostWords(elsewhere[0])
		if more := len(elsewhere) - 1; more > 0 {
			words += fmt.Sprintf("; and %d more like this", more)
		}
		notes = append(notes, "note: not of this trail: "+words)
	}
	return notes
}

// lostWords say that an entity names a source that no document has.
func (x *Index) lostWords(l *lost) string {
	level := Levels()[l.want.level()]
	return fmt.Sprintf("%s: %s %s names %s, which the given %s does not have",
		x.placeOf(l.by), l.by.kind, x.shortID(l.by.id), l.id, level.Noun)
}
