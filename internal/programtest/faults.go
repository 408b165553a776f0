package programtest

import (
	"fmt"
	"slices"

	"plancheck/ir"
)

// Fault is something wrong with a program: the code of its findings, and JSON
// pointers of which each finding has one.
type Fault struct {
	Code   string
	Places []string
	Every  bool // there is a finding at each place
}

// Faults tells what is wrong with the order of the commands, with the use of
// memory and with where buffers lie.
func Faults(p *ir.Program) []Fault {
	return append(Analyse(p).Faults(), layout(p)...)
}

// Faults tells what is wrong with the order and with the use of memory; nothing
// about the use of memory while commands wait for each other.
func (o *Order) Faults() []Fault {
	if o.Dead {
		return []Fault{o.deadlock()}
	}
	faults := append(o.listing(), o.numbers()...)
	for b := range o.Program.Buffers {
		faults = append(faults, o.uses(b)...)
		for a := range b {
			if f, ok := o.shared(a, b); ok {
				faults = append(faults, f)
			}
		}
	}
	return faults
}

// listing tells which dependencies are listed behind the command that has them.
func (o *Order) listing() (faults []Fault) {
	for i := range o.Program.Commands {
		for k, a := range o.Program.Commands[i].After {
			if o.index[a] > i {
				faults = append(faults, Fault{Code: "dag-not-topological", Places: []string{fmt.Sprintf("%s/after/%d", commandAt(i), k)}})
			}
		}
	}
	return faults
}

// numbers tells which tokens that waits use up have signals, or waits, on several
// queues, so that their numbers may not be those of the list.
func (o *Order) numbers() (faults []Fault) {
	for k, t := range o.Program.Tokens {
		queues := func(of func(*ir.Command) []ir.ID) int {
			all := map[ir.ID]bool{}
			for _, i := range o.those(func(c *ir.Command) bool { return slices.Contains(of(c), t.ID) }) {
				all[o.Program.Commands[i].Queue] = true
			}
			return len(all)
		}
		if t.Consuming && (queues(func(c *ir.Command) []ir.ID { return c.Signals }) > 1 || queues(func(c *ir.Command) []ir.ID { return c.Waits }) > 1) {
			faults = append(faults, Fault{Code: "token-order-open", Places: []string{fmt.Sprintf("/program/tokens/%d", k)}})
		}
	}
	return faults
}

// uses tells what is wrong with the accesses of one buffer.
func (o *Order) uses(b int) []Fault {
	buffer := &o.Program.Buffers[b]
	all := o.accesses(buffer.ID)
	writes := func(c int) bool { return slices.Contains(o.Program.Commands[c].Writes, buffer.ID) }
	var faults []Fault
	for i, c := range all {
		for _, d := range all[:i] {
			if (writes(c) || writes(d)) && o.apart(c, d) && !o.never[c] && !o.never[d] {
				faults = append(faults, Fault{Code: "data-race", Places: []string{commandAt(c), commandAt(d)}})
			}
		}
	}
	var unwritten []string
	for _, c := range all {
		k := slices.Index(o.Program.Commands[c].Reads, buffer.ID)
		written := slices.ContainsFunc(all, func(w int) bool { return writes(w) && o.Before(w, c) })
		if k >= 0 && !written && !buffer.Initialised && !o.never[c] {
			unwritten = append(unwritten, fmt.Sprintf("%s/reads/%d", commandAt(c), k))
		}
	}
	if len(unwritten) > 0 && len(faults) == 0 {
		faults = append(faults, Fault{Code: "buffer-read-before-write", Places: unwritten})
	}
	if freer, ok := o.index[buffer.FreedBy]; ok && !o.never[freer] &&
		slices.ContainsFunc(all, func(c int) bool { return c != freer && !o.Before(c, freer) && !o.never[c] }) {
		faults = append(faults, Fault{Code: "buffer-use-after-free", Places: []string{bufferAt(b) + "/freed_by"}})
	}
	return faults
}

// shared tells whether two buffers share bytes and may live at once.
func (o *Order) shared(a, b int) (Fault, bool) {
	x, y := &o.Program.Buffers[a], &o.Program.Buffers[b]
	if !o.lives(a) || !o.lives(b) || x.Region != y.Region || x.Offset >= y.Offset+y.Size || y.Offset >= x.Offset+x.Size ||
		o.ended(a, b) || o.ended(b, a) {
		return Fault{}, false
	}
	places := []string{bufferAt(a), bufferAt(b)}
	for _, c := range o.accesses(x.ID) {
		if slices.Contains(o.accesses(y.ID), c) {
			places = append(places, commandAt(c))
		}
	}
	return Fault{Code: "buffer-overlap", Places: places}, true
}

// lives says whether a buffer ever lives, and lies in its region.
func (o *Order) lives(b int) bool {
	x := &o.Program.Buffers[b]
	k := slices.IndexFunc(o.Program.Regions, func(r ir.Region) bool { return r.ID == x.Region })
	return x.Size > 0 && x.Size <= o.Program.Regions[k].Capacity && x.Offset <= o.Program.Regions[k].Capacity-x.Size &&
		(x.Initialised && x.Kept || len(o.accesses(x.ID)) > 0)
}

// ended says whether the life of the first buffer has always ended when that of
// the second one begins: each use of it is done, or writes the second over it in
// place.
func (o *Order) ended(first, second int) bool {
	x, y := &o.Program.Buffers[first], &o.Program.Buffers[second]
	if x.Kept || y.Initialised {
		return false
	}
	for _, c := range o.accesses(x.ID) {
		for _, d := range o.accesses(y.ID) {
			switch {
			case c == d && (x.Offset != y.Offset || x.Size != y.Size ||
				!slices.Contains(o.Program.Commands[c].InPlace, ir.InPlace{Read: x.ID, Write: y.ID})):
				return false
			case c != d && !o.Before(c, d) && !o.never[c] && !o.never[d]:
				return false
			}
		}
	}
	return true
}

func commandAt(i int) string { return fmt.Sprintf("/program/commands/%d", i) }

func bufferAt(i int) string { return fmt.Sprintf("/program/buffers/%d", i) }
