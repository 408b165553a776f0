package facts

import (
	"cmp"
	"slices"

	"plancheck/ir"
	"plancheck/ir/timeline"
)

// memoryRelations name the moments at which most memory lives, so that rules need
// count at these only.
func memoryRelations() []Relation {
	return []Relation{
		{"memory_busiest", []Column{str("Region"), str("Command")}, "/memory_high_water", "Of a timeline beside its plan: at the start of the command most bytes of the region live.",
			"most bytes of region {Region} live when {Command} starts", true, rows{write: (*exporter).busiestMoments, schema: timeline.Schema}},
	}
}

// lifetime is when a buffer lives, by the times at which commands start: from the
// first to before the last one, or up to it where it is given back by a command
// that takes no time.
type lifetime struct {
	first, last int64
	by          string // the command that starts first
	through     bool   // up to last
	used        bool
}

// bytesChange is one of the bytes that live. At one time buffers are given back by
// commands that started before, then others begin to live, and then those are
// given back whose commands have only started.
type bytesChange struct {
	time  int64
	phase int8
	bytes int64
	by    string
}

func (e *exporter) busiestMoments(w *writer) {
	bundle, ok := e.document.Body().(*timeline.Bundle)
	if !ok || e.above == nil || e.above.document.Plan() == nil || e.above.plan.Program == nil || len(bundle.Intervals) == 0 {
		return
	}
	p := e.above.plan
	lives := lifetimes(bundle, p)
	opening := slices.MinFunc(bundle.Intervals, func(a, b timeline.Interval) int { return cmp.Compare(a.Start, b.Start) })
	changes := map[ir.ID][]bytesChange{}
	for i := range p.Program.Buffers {
		b := &p.Program.Buffers[i]
		x := lives[b.ID]
		if !x.used && !(b.Initialised && b.Kept) {
			continue
		}
		begin := bytesChange{x.first, 1, b.Size, x.by}
		if b.Initialised {
			begin.time, begin.by = opening.Start, opening.Command
		}
		changes[b.Region] = append(changes[b.Region], begin)
		if !b.Kept {
			changes[b.Region] = append(changes[b.Region], bytesChange{x.last, map[bool]int8{false: 0, true: 2}[x.through], -b.Size, ""})
		}
	}
	for _, r := range p.Program.Regions {
		if command := busiest(changes[r.ID]); command != "" {
			w.row(bundle.At, w.str(p.Text(r.ID)), w.str(command))
		}
	}
}

// lifetimes are those of the buffers that commands use which have intervals.
func lifetimes(bundle *timeline.Bundle, p *ir.Plan) map[ir.ID]lifetime {
	intervals := make(map[string]*timeline.Interval, len(bundle.Intervals))
	for i := range bundle.Intervals {
		intervals[bundle.Intervals[i].Command] = &bundle.Intervals[i]
	}
	lives := map[ir.ID]lifetime{}
	ends := func(x *lifetime, at *timeline.Interval) {
		instant := at.Start == at.End
		x.through = at.End == x.last && (x.through || instant) || at.End > x.last && instant
		x.last = max(x.last, at.End)
	}
	for i := range p.Program.Commands {
		c := &p.Program.Commands[i]
		at := intervals[p.Text(c.ID)]
		if at == nil {
			continue
		}
		for _, id := range slices.Concat(c.Reads, c.Writes) {
			x := lives[id]
			if !x.used || at.Start < x.first {
				x.first, x.by = at.Start, at.Command
			}
			x.used = true
			ends(&x, at)
			lives[id] = x
		}
	}
	for i := range p.Program.Buffers {
		b := &p.Program.Buffers[i]
		if b.FreedBy == ir.NoID {
			continue
		}
		if x, at := lives[b.ID], intervals[p.Text(b.FreedBy)]; x.used && at != nil {
			ends(&x, at)
			lives[b.ID] = x
		}
	}
	return lives
}

// busiest is the command at the start of which most bytes live; "" where that is
// more than can be counted, or nothing lives.
func busiest(changes []bytesChange) (command string) {
	slices.SortStableFunc(changes, func(a, b bytesChange) int {
		return cmp.Or(cmp.Compare(a.time, b.time), cmp.Compare(a.phase, b.phase))
	})
	now, most := int64(0), int64(-1)
	for _, c := range changes {
		if now += c.bytes; c.bytes > 0 && now < 0 {
			return ""
		}
		if c.phase == 1 && now > most {
			most, command = now, c.by
		}
	}
	return command
}
