package lineage

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"plancheck/internal/diag"
	"plancheck/internal/report"
)

// row is an entity, or several that differ in their rank only.
type row struct {
	entities []*entity
	asked    bool
}

// rows are the entities of a level. With all each has a row of its own.
func (t *Trail) rows(level int, all bool) []row {
	var rows []row
	place := map[string]int{}
	for _, e := range t.entities {
		if e.kind.level() != level {
			continue
		}
		same := t.sameness(e)
		i, there := place[same]
		if all || same == "" || !there {
			place[same] = len(rows)
			rows = append(rows, row{[]*entity{e}, t.asked[e]})
			continue
		}
		rows[i].entities = append(rows[i].entities, e)
	}
	return rows
}

// sameness is what entities of one row have in common; "" for those that have a
// row of their own.
func (t *Trail) sameness(e *entity) string {
	if t.asked[e] || e.document == nil || e.rank == none && e.device == "" {
		return ""
	}
	x := t.index
	parts := []string{e.document.name, e.document.digest, fmt.Sprint(e.kind), x.words(e, true), family(e)}
	for _, p := range x.properties(e, true) {
		parts = append(parts, p.Name, p.Value)
	}
	return strings.Join(parts, "\x00")
}

// family is the id of what all ranks have in common that an entity was made from;
// "" where nothing is known.
func family(e *entity) string {
	for e.rank != none || e.device != "" {
		if len(e.up) != 1 {
			return ""
		}
		e = e.up[0]
	}
	return e.id
}

// Text writes the trail for people: a block for each level. With all entities
// that differ in their rank only have lines of their own.
func (t *Trail) Text(all bool) string {
	var blocks []string
	for l, level := range Levels() {
		var b strings.Builder
		for _, r := range t.rows(l, all) {
			t.row(&b, r)
		}
		if gap := t.gap(l); gap != "" {
			b.WriteString("  " + gap + "\n")
		}
		if b.Len() > 0 {
			blocks = append(blocks, level.IR+"\n"+b.String())
		}
	}
	if notes := t.Notes(); notes != nil {
		blocks = append(blocks, strings.Join(notes, "\n")+"\n")
	}
	return report.Printable(strings.Join(blocks, "\n"))
}

func (t *Trail) row(b *strings.Builder, r row) {
	x, first := t.index, r.entities[0]
	several := len(r.entities) > 1
	mark := " "
	if r.asked {
		mark = ">"
	}
	place := x.placeOf(first)
	if several {
		place += fmt.Sprintf(" (+%d)", len(r.entities)-1)
	}
	fmt.Fprintf(b, "%s %s  %s: %s\n", mark, place, t.head(r), x.words(first, several))
	var figures []string
	for _, p := range x.properties(first, several) {
		if f := x.figure(p); f != "" {
			figures = append(figures, f)
		}
	}
	if figures != nil {
		fmt.Fprintf(b, "      %s\n", strings.Join(figures, "; "))
	}
}

// head says which entities a row is about.
func (t *Trail) head(r row) string {
	x, first := t.index, r.entities[0]
	noun, name := first.kind.String(), x.title(first)
	if len(r.entities) > 1 {
		s := diag.Counted(len(r.entities), noun)
		if name != "" {
			s += " " + name
		}
		return s + ", " + where(r.entities)
	}
	if first.kind == Command && first.name != "" {
		name = first.name
	}
	s := noun + " " + name
	if id := x.shortID(first.id); first.name == "" && first.kind != Operand && first.kind != Port {
		s = id
		if !strings.HasPrefix(id, noun+":") {
			s = noun + " " + id
		}
		if name != "" {
			s += " of " + name
		}
	}
	if first.rank != none {
		s += fmt.Sprintf(", rank %d", first.rank)
	}
	if first.device != "" {
		s += ", device " + first.device
	}
	return s
}

// title is the display name of an entity or of what it was made from, without its
// rank; "" where none has any, or several have different ones. Commands that do
// parts of a task, and copies of a buffer, have names that tell them apart: what
// they have in common is that of the task or the buffer.
func (x *Index) title(e *entity) string {
	part := (e.kind == Command || e.kind == Buffer) && len(e.up) > 0
	if e.name != "" && !part {
		return strings.TrimSuffix(e.name, fmt.Sprintf("@%d", e.rank))
	}
	title := ""
	for i, up := range e.up {
		of := x.title(up)
		if i > 0 && of != title {
			return ""
		}
		title = of
	}
	if title == "" && part {
		return e.name
	}
	return title
}

// mostDevices is how many devices of a row are listed.
const mostDevices = 8

// where lists the ranks, or else the devices, of entities.
func where(all []*entity) string {
	var ranks []int64
	var devices []string
	for _, e := range all {
		switch {
		case e.rank != none:
			ranks = append(ranks, e.rank)
		case !slices.Contains(devices, e.device):
			devices = append(devices, e.device)
		}
	}
	var parts []string
	if ranks != nil {
		parts = append(parts, "ranks "+ranges(ranks))
	}
	switch {
	case len(devices) > mostDevices:
		parts = append(parts, fmt.Sprintf("%d devices", len(devices)))
	case devices != nil:
		slices.SortFunc(devices, func(a, b string) int { // core9 before core10
			return cmp.Or(len(a)-len(b), strings.Compare(a, b))
		})
		parts = append(parts, "devices "+strings.Join(devices, ", "))
	}
	return strings.Join(parts, ", ")
}
