package lineage

import (
	"fmt"
	"slices"
	"strings"

	"plancheck/internal/report"
	"plancheck/ir/level"
)

// fewest is how many digits of an id are shown at least.
const fewest = 6

// shorten finds how many digits tell all derived ids from each other.
func (x *Index) shorten() {
	var all []string
	for id := range x.ids {
		if _, digits, ok := level.Derived(id); ok {
			all = append(all, digits)
		}
	}
	slices.Sort(all)
	x.short = fewest
	for i := 1; i < len(all); i++ {
		same := 0
		for same < 32 && all[i-1][same] == all[i][same] {
			same++
		}
		x.short = min(max(x.short, same+1), 32)
	}
}

// shortID is an id with as few digits as tell it from all others.
func (x *Index) shortID(id string) string {
	if prefix, digits, ok := level.Derived(id); ok {
		return prefix + ":" + digits[:x.short]
	}
	return id
}

// label is what texts call an entity: its name, or that of what it is in memory;
// else its id.
func (x *Index) label(e *entity) string {
	of := len(e.up) == 1 && !kinds[e.up[0].kind].work // else it is a workspace, or of several
	switch {
	case of && e.kind == Buffer: // also where its name says that it is a copy of that
		return x.label(e.up[0])
	case e.name != "":
		return "%" + e.name
	case of && e.kind == PortableBuffer && e.rank != none:
		return fmt.Sprintf("%s@%d", x.label(e.up[0]), e.rank)
	}
	return "%" + x.shortID(e.id)
}

// stem is a label without the rank at its end.
func (x *Index) stem(e *entity) string {
	return strings.TrimSuffix(x.label(e), fmt.Sprintf("@%d", e.rank))
}

// labels lists entities. Those that differ in their rank only are one: %x@0..7.
// With common the rank of a single one is left out.
func (x *Index) labels(all []*entity, common bool) string {
	var stems []string
	ranks := map[string][]int64{}
	for _, e := range all {
		stem := x.stem(e)
		if ranks[stem] == nil {
			stems = append(stems, stem)
		}
		ranks[stem] = append(ranks[stem], e.rank)
	}
	for i, stem := range stems {
		of := ranks[stem]
		if of[0] != none && (len(of) > 1 || !common) {
			stems[i] += "@" + ranges(of)
		}
	}
	return strings.Join(stems, ", ")
}

// ranges lists ranks, in order: 0..3,6.
func ranges(ranks []int64) string {
	sorted := slices.Compact(slices.Sorted(slices.Values(ranks)))
	var parts []string
	for i := 0; i < len(sorted); {
		j := i
		for j+1 < len(sorted) && sorted[j+1] == sorted[j]+1 {
			j++
		}
		switch {
		case j == i:
			parts = append(parts, fmt.Sprint(sorted[i]))
		case j == i+1:
			parts = append(parts, fmt.Sprint(sorted[i]), fmt.Sprint(sorted[j]))
		default:
			parts = append(parts, fmt.Sprintf("%d..%d", sorted[i], sorted[j]))
		}
		i = j + 1
	}
	return strings.Join(parts, ",")
}

// these are entities of a document by their ids; where it has none, one that is
// only an id.
func (x *Index) these(d *document, kind Kind, ids []string) []*entity {
	var all []*entity
	for _, id := range ids {
		e := x.of[key{d, kind, id}]
		if e == nil {
			e = &entity{kind: kind, id: id, rank: none}
		}
		all = append(all, e)
	}
	return all
}

// line is where an entity stands; 0 where its document was not read from a file.
func (e *entity) line() int {
	if e.document == nil || e.document.Source == nil {
		return 0
	}
	return e.document.Source.LineAt(int(e.at))
}

// placeOf is file:line.
func (x *Index) placeOf(e *entity) string {
	switch line := e.line(); {
	case e.document == nil:
		return "not given"
	case line == 0:
		return report.FileName(e.document.name)
	default:
		return fmt.Sprintf("%s:%d", report.FileName(e.document.name), line)
	}
}
