package lineage

import (
	"fmt"
	"strings"
)

// gap says what a level that is not given means for the trail; "" where it means
// nothing.
func (t *Trail) gap(level int) string {
	of := Levels()[level]
	if t.index.given(of.Schema) != nil {
		return ""
	}
	ids, above, below := 0, false, false
	for _, e := range t.entities {
		switch l := e.kind.level(); {
		case l == level:
			ids++
		case l < level:
			above = true
		default:
			below = true
		}
	}
	givenAbove, givenBelow := false, false
	for _, d := range t.index.documents {
		if d.level >= 0 {
			givenAbove = givenAbove || d.level < level
			givenBelow = givenBelow || d.level > level
		}
	}
	ends := above && !below && givenBelow || below && !above && givenAbove
	switch {
	case ends || ids > 0 && !above:
		return fmt.Sprintf("no %s was given: the trail ends here", of.Noun)
	case ids > 0:
		return fmt.Sprintf("no %s was given: the trail goes on by ids alone", of.Noun)
	}
	return ""
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
	in := map[*entity]bool{}
	for _, e := range t.entities {
		in[e] = true
	}
	var elsewhere []*lost
	for _, l := range t.index.lost {
		if !in[l.by] {
			elsewhere = append(elsewhere, l)
			continue
		}
		notes = append(notes, "note: "+t.index.lostWords(l))
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
	return fmt.Sprintf("%s: %s %s was made from %s, which the given %s does not have",
		x.placeOf(l.by), l.by.kind, x.shortID(l.by.id), l.id, level.Noun)
}
