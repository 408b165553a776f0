package ir

import (
	"fmt"
	"iter"
	"strings"

	"plancheck/internal/diag"
	"plancheck/internal/strictjson"
)

// This file, unique.go and lengths.go check what only the whole document can
// tell: that ids are unique, that references lead somewhere, that lists which
// belong together are equally long. Numbers of stages, cores and lanes that do not exist are for the rules
// to judge.

// kinds is a set of kinds of ids.
type kinds uint8

const (
	kindOp kinds = 1 << iota
	kindValue
	kindInput
	kindWeight

	anyKind    = kindOp | kindValue | kindInput | kindWeight
	carriables = kindOp | kindValue | kindInput // they share one namespace
)

func (k kinds) String() string {
	return map[kinds]string{kindOp: "op", kindValue: "value", kindInput: "input", kindWeight: "weight"}[k]
}

// definition is where an id is defined.
type definition struct {
	index uint32
	kind  kinds // 0 where it is not
	all   kinds // kind, and kinds of other entities that have the id by mistake
}

// checker holds the definitions of a plan, by the dense number of the id.
type checker struct {
	*decoder
	carriables []definition
	weights    []definition

	valuesOf  map[ID][]ID     // the named values of each op
	suggested int             // how many near ids have been looked for
	located   map[part]uint32 // offsets of parts of objects
	entriesOf part
	entries   []uint32
}

// part is a field of the object at an offset.
type part struct {
	at    uint32
	field string
}

// maxSuggestions limits the search for near ids, which looks at all of them.
const maxSuggestions = 10

func (d *decoder) check() {
	n := d.plan.Symbols.Len()
	c := &checker{
		decoder:    d,
		carriables: make([]definition, n),
		weights:    make([]definition, n),
		located:    map[part]uint32{},
	}
	c.define()
	c.uniqueKeys()
	c.references()
	c.forwardWork()
	c.lengths()
	c.program()
}

// define enters the definitions of ids and reports those that are taken.
func (c *checker) define() {
	g := &c.plan.Graph
	for i := range g.Weights {
		c.defineOne(c.weights, kindWeight, i, g.Weights[i].ID)
	}
	for i := range g.Ops {
		c.defineOne(c.carriables, kindOp, i, g.Ops[i].ID)
	}
	for i := range g.Values {
		c.defineOne(c.carriables, kindValue, i, g.Values[i].ID)
	}
	for i := range g.Inputs {
		c.defineOne(c.carriables, kindInput, i, g.Inputs[i].ID)
	}
}

func (c *checker) defineOne(defs []definition, kind kinds, i int, id ID) {
	if id == NoID { // reported before
		c.unknown |= kind
		return
	}
	n, _ := id.Index()
	first, second := defs[n], definition{uint32(i), kind, kind}
	if first.kind == 0 {
		defs[n] = second
		return
	}
	if c.Stopped() { // too many errors
		return
	}
	all := first.all | kind
	if c.at(second) < c.at(first) {
		first, second = second, first
	}
	defs[n] = first
	defs[n].all = all
	message := fmt.Sprintf("the %s id %s is already used", second.kind, c.quote(id))
	if first.kind != second.kind {
		article := "a "
		if first.kind != kindValue {
			article = "an "
		}
		message += " by " + article + first.kind.String()
	}
	c.ReportRepeat(c.locate(c.at(second), "id"), c.locate(c.at(first), "id"), "id-duplicate", message)
}

func (c *checker) at(d definition) uint32 {
	g := &c.plan.Graph
	switch d.kind {
	case kindOp:
		return g.Ops[d.index].At
	case kindValue:
		return g.Values[d.index].At
	case kindInput:
		return g.Inputs[d.index].At
	}
	return g.Weights[d.index].At
}

// references reports ids that are used and not defined.
func (c *checker) references() {
	p := c.plan
	g, a := &p.Graph, &p.Assignment
	for i := range g.Inputs {
		in := &g.Inputs[i]
		for j, id := range in.Consumers {
			if !c.defined(kindOp, id) {
				c.unknownID(in.ConsumersAt[j], kindOp, id)
			}
		}
	}
	for i := range g.Values {
		c.resolve(kindOp, g.Values[i].From, g.Values[i].At, "from")
	}
	for i := range g.Ops {
		op := &g.Ops[i]
		for j, id := range op.Weights {
			if !c.defined(kindWeight, id) {
				c.unknownID(c.locateEntry(op.At, "weights", j), kindWeight, id)
			}
		}
		c.resolve(carriables, op.Forwards, op.At, "forwards")
	}
	for i := range g.Edges {
		e := &g.Edges[i]
		c.resolve(kindOp, e.From, e.At, "from")
		c.resolve(kindOp, e.To, e.At, "to")
		c.edgeValue(e)
	}
	for i := range a.Instances {
		c.resolve(kindOp, a.Instances[i].Op, a.Instances[i].At, "op")
	}
	for i := range a.Splits {
		c.resolve(kindOp, a.Splits[i].Op, a.Splits[i].At, "op")
	}
	for i := range a.Residency {
		c.resolve(kindWeight, a.Residency[i].Weight, a.Residency[i].At, "weight")
	}
	for i := range a.Replicas {
		c.resolve(kindOp, a.Replicas[i].Op, a.Replicas[i].At, "op")
	}
	for i := range p.Transfers {
		t := &p.Transfers[i]
		c.resolve(kindOp, t.From, t.At, "from")
		c.resolve(kindOp, t.To, t.At, "to")
	}
	for i := range p.Syncs {
		c.resolve(kindOp, p.Syncs[i].Op, p.Syncs[i].At, "op")
	}
}

// resolve checks the id in a field of the object at an offset.
func (c *checker) resolve(kind kinds, id ID, at uint32, field string) {
	if !c.defined(kind, id) {
		c.unknownID(c.locate(at, field), kind, id)
	}
}

// defined says whether an id is of one of the given kinds, or cannot be judged.
func (c *checker) defined(kind kinds, id ID) bool {
	if id == NoID { // absent, or reported before
		return true
	}
	n, _ := id.Index()
	defs := c.carriables
	if kind == kindWeight {
		defs = c.weights
	}
	return defs[n].all&kind != 0 || c.unknown&kind != 0 || c.Stopped()
}

func (c *checker) unknownID(at uint32, kind kinds, id ID) {
	message := fmt.Sprintf("names the %s %s, which does not exist", kind, c.quote(id))
	if kind == carriables {
		message = fmt.Sprintf("names %s, which is not an op, a value or an input", c.quote(id))
	}
	c.ReportValue(at, "reference-unknown", message, c.suggest(kind, id))
}

// suggest says what an unknown id may be meant for.
func (c *checker) suggest(kind kinds, id ID) string {
	n, _ := id.Index()
	for _, def := range []definition{c.carriables[n], c.weights[n]} {
		if def.kind != 0 {
			return fmt.Sprintf("%s is the id of %s", c.quote(id), map[kinds]string{
				kindOp: "an op", kindValue: "a value", kindInput: "an input", kindWeight: "a weight"}[def.kind])
		}
	}
	if c.suggested == maxSuggestions {
		return ""
	}
	c.suggested++
	if near := diag.Nearest(c.plan.Text(id), c.idsOf(kind)); near != "" {
		return "did you mean " + strictjson.Quote(near) + "?"
	}
	return ""
}

// idsOf goes through the texts of all ids of some kinds.
func (c *checker) idsOf(kind kinds) iter.Seq[string] {
	defs := c.carriables
	if kind == kindWeight {
		defs = c.weights
	}
	return func(yield func(string) bool) {
		for n, def := range defs {
			if def.kind&kind != 0 && !yield(c.plan.Text(symbolAt(n))) {
				return
			}
		}
	}
}

// symbolAt is the inverse of ID.Index.
func symbolAt(n int) ID { return ID(1<<31 + n) }

// edgeValue checks that an edge carries a value of the op that it comes from.
func (c *checker) edgeValue(e *Edge) {
	if !c.defined(kindValue, e.Value) {
		c.unknownID(c.locate(e.At, "value"), kindValue, e.Value)
		return
	}
	if e.From == NoID {
		return
	}
	if e.Value == NoID {
		c.onlyValue(e)
		return
	}
	n, _ := e.Value.Index()
	def := c.carriables[n]
	if def.kind != kindValue {
		return // cannot be judged
	}
	if maker := c.plan.Graph.Values[def.index].From; maker != NoID && maker != e.From {
		c.ReportValue(c.locate(e.At, "value"), "reference-unknown",
			fmt.Sprintf("names the value %s, which does not come from op %s", c.quote(e.Value), c.quote(e.From)),
			fmt.Sprintf("it comes from op %s", c.quote(maker)))
	}
}

// onlyValue checks that an edge without a value comes from an op with one.
func (c *checker) onlyValue(e *Edge) {
	if len(c.plan.Graph.Values) < 2 || c.Stopped() {
		return
	}
	if c.valuesOf == nil {
		c.valuesOf = map[ID][]ID{}
		for i := range c.plan.Graph.Values {
			v := &c.plan.Graph.Values[i]
			c.valuesOf[v.From] = append(c.valuesOf[v.From], v.ID)
		}
	}
	values := c.valuesOf[e.From]
	if len(values) < 2 {
		return
	}
	const shown = 10
	var names []string
	for _, v := range values[:min(len(values), shown)] {
		names = append(names, c.quote(v))
	}
	if more := len(values) - len(names); more > 0 {
		names = append(names, fmt.Sprintf("%d more", more))
	}
	last := len(names) - 1
	c.Report(e.At, "missing-field", fmt.Sprintf("an edge from op %s, which makes %d values, must have the field \"value\"", c.quote(e.From), len(values)),
		"the values are "+strings.Join(names[:last], ", ")+" and "+names[last])
}

// locate returns the offset of a field of the object at an offset.
func (c *checker) locate(at uint32, field string) uint32 {
	key := part{at, field}
	offset, known := c.located[key]
	if !known {
		offset = strictjson.Locate(c.plan.Source, at, field)
		c.located[key] = offset
	}
	return offset
}

// locateEntry returns the offset of an entry of a list in the object at an offset.
func (c *checker) locateEntry(at uint32, field string, i int) uint32 {
	if key := (part{at, field}); key != c.entriesOf || c.entries == nil {
		c.entriesOf, c.entries = key, strictjson.Entries(c.plan.Source, c.locate(at, field))
	}
	return c.entries[i]
}

func (c *checker) quote(id ID) string { return strictjson.Quote(c.plan.Text(id)) }
