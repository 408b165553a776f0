package programtest

import (
	"math/rand/v2"
	"slices"

	"plancheck/ir"
)

// Mutation is a way to make a legal program wrong by one cause.
type Mutation struct {
	Name string
	Code string // of what is then found
	// Edits offers changes of a legal program.
	Edits func(*Case) []Edit
}

// Case is a legal program that is to be changed.
type Case struct {
	*Order
	plan *ir.Plan
}

// Edit is a change of a program.
type Edit struct {
	Do func(*ir.Program) // on a copy
	// Places are the JSON pointers behind the change of which findings have one,
	// for what Faults knows nothing of: that must then find nothing. Nil leaves
	// them to Faults, which must find the mutation's code and no other.
	Places []string
	Every  bool // there is a finding at each of Places
}

// Mutated is a program with one thing wrong.
type Mutated struct {
	*ir.Plan // written and read
	Want     Fault
}

// tried is how many of its changes a mutation tries.
const tried = 40

// Apply changes a legal program; false where it offers no place for the mutation.
func (m *Mutation) Apply(p *ir.Plan, r *rand.Rand) (*Mutated, bool) {
	edits := m.Edits(&Case{Analyse(p.Program), p})
	r.Shuffle(len(edits), func(i, j int) { edits[i], edits[j] = edits[j], edits[i] })
	for _, e := range edits[:min(len(edits), tried)] {
		changed := *p
		changed.Program = clone(p.Program)
		e.Do(changed.Program)
		faults := Faults(changed.Program)
		want := Fault{m.Code, e.Places, e.Every}
		switch {
		case e.Places != nil && len(faults) == 0:
		case e.Places == nil && len(faults) == 1 && faults[0].Code == m.Code:
			want = faults[0]
		default:
			continue
		}
		return &Mutated{Reread(&changed), want}, true
	}
	return nil, false
}

// Mutations lists all ways to make a program wrong.
func Mutations() []Mutation {
	return slices.Concat(ofCommands(), ofMeetings(), ofChannels(), ofTokens(), ofOrder(), ofUse(), ofBytes())
}

// clone copies a program with all its lists.
func clone(p *ir.Program) *ir.Program {
	c := *p
	c.Devices, c.Queues, c.Regions, c.Buffers = slices.Clone(p.Devices), slices.Clone(p.Queues), slices.Clone(p.Regions), slices.Clone(p.Buffers)
	c.Tokens, c.Channels, c.Groups, c.Barriers = slices.Clone(p.Tokens), slices.Clone(p.Channels), slices.Clone(p.Groups), slices.Clone(p.Barriers)
	c.Commands = slices.Clone(p.Commands)
	for i := range c.Groups {
		c.Groups[i].Ranks = slices.Clone(c.Groups[i].Ranks)
	}
	for i := range c.Barriers {
		c.Barriers[i].Queues = slices.Clone(c.Barriers[i].Queues)
	}
	for i := range c.Commands {
		x := &c.Commands[i]
		x.After, x.Reads, x.Writes, x.InPlace = slices.Clone(x.After), slices.Clone(x.Reads), slices.Clone(x.Writes), slices.Clone(x.InPlace)
		x.Waits, x.Signals = slices.Clone(x.Waits), slices.Clone(x.Signals)
	}
	return &c
}

// edits makes a change for each command that satisfies a condition.
func (c *Case) edits(is func(*ir.Command) bool, edit func(i int) Edit) (list []Edit) {
	for _, i := range c.those(is) {
		list = append(list, edit(i))
	}
	return list
}

// change is an edit of one command.
func change(i int, do func(*ir.Command), places ...string) Edit {
	return Edit{Do: func(p *ir.Program) { do(&p.Commands[i]) }, Places: places}
}

// insert is an edit that puts a command at a position of the list.
func (c *Case) insert(at int, x ir.Command, places ...string) Edit {
	x.ID, x.Bytes, x.Stage, x.Microbatch = c.id("new"), ir.None, ir.None, ir.None
	return Edit{Do: func(p *ir.Program) { p.Commands = slices.Insert(p.Commands, at, x) }, Places: places}
}

// remove is an edit that takes a command out.
func remove(i int, places ...string) Edit {
	return Edit{Do: func(p *ir.Program) { p.Commands = slices.Delete(p.Commands, i, i+1) }, Places: places}
}

// loose says that no other command, and no buffer, names a command, also not by
// its tokens.
func (c *Case) loose(i int) bool {
	x := &c.Program.Commands[i]
	return len(x.Signals) == 0 && len(x.Waits) == 0 &&
		!slices.ContainsFunc(c.Program.Commands, func(y ir.Command) bool { return slices.Contains(y.After, x.ID) }) &&
		!slices.ContainsFunc(c.Program.Buffers, func(b ir.Buffer) bool { return b.FreedBy == x.ID })
}

// id is a new id.
func (c *Case) id(text string) ir.ID { return c.plan.Symbols.String(text) }

// queueOf returns the queue of a command.
func (c *Case) queueOf(x *ir.Command) *ir.Queue {
	return &c.Program.Queues[slices.IndexFunc(c.Program.Queues, func(q ir.Queue) bool { return q.ID == x.Queue })]
}

// deviceOf returns the device that has a region.
func (c *Case) deviceOf(region ir.ID) ir.ID {
	return c.Program.Regions[slices.IndexFunc(c.Program.Regions, func(r ir.Region) bool { return r.ID == region })].Device
}

// takes says whether commands of a kind may be on a queue.
func takes(q *ir.Queue, kind string) bool {
	switch kind {
	case ir.KindSignal, ir.KindWait, ir.KindBarrier:
		return true
	}
	return q.Kind == "" || slices.Contains(ir.QueueKinds()[q.Kind], kind)
}

// works says that a command is one that works alone.
func works(c *ir.Command) bool {
	return c.Kind == ir.KindLaunch || c.Kind == ir.KindHostCall || c.Kind == ir.KindTransfer
}

// without returns a list without one of its entries.
func without[T comparable](list []T, x T) []T {
	return slices.DeleteFunc(slices.Clone(list), func(y T) bool { return x == y })
}
