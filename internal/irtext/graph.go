package irtext

import (
	"slices"
	"strings"
)

// graph is the values of a level and the ops that compute them, in static single
// assignment:
//
//	%x = input : tensor<Mx4xf32>
//	%y = model.linear %x, %w as @down : tensor<Mx8xf32>
//	return %y
//
// An op that has types declares its results. One without names values that are
// declared elsewhere, where the document has them in another order.
type graph struct {
	ops   string // the list of ops; that of values is "values"
	value []part // of a value, behind its role
	kind  part   // of an op
	op    []part // behind its operands and its id
	tall  bool   // types stand on a line of their own
}

const (
	valueMark = '%'
	opMark    = '@'
)

// operands are the values that an op reads.
func operands() part {
	inner := references("(", ")", valueMark, "inputs", "a value")
	x := inner
	x.starts = func(p *parser) bool { return !p.tok.newLine && (p.tok.is("(") || p.tok.kind == sigil) }
	x.print = func(p *printer, e *entity) (string, bool) {
		s, ok := inner.print(p, e)
		if ok && s != "()" {
			s = s[1 : len(s)-1]
		}
		return s, ok
	}
	x.parse = func(p *parser, n *node) {
		if p.tok.is("(") {
			inner.parse(p, n)
			return
		}
		l := &node{kind: list, at: p.tok.at}
		n.set("inputs", p.tok.at, l)
		l.list = p.commas()
	}
	return x
}

// commas reads references to values with commas between them.
func (p *parser) commas() []*node {
	all := []*node{p.reference(valueMark, "a value", nil)}
	for p.tok.is(",") && !p.tok.newLine {
		p.next()
		all = append(all, p.reference(valueMark, "a value", nil))
	}
	return all
}

// parts are those of an op.
func (g *graph) parts() []part {
	return slices.Concat([]part{g.kind, operands(), clause("as", defined(opMark, "the id of an op"))}, g.op)
}

// print writes a field of the document where it is one of the graph's.
func (g *graph) print(p *printer, doc *node, m member) bool {
	values, ops, inputs, outputs := doc.get("values"), doc.get(g.ops), doc.get("inputs"), doc.get("outputs")
	if values == nil || ops == nil || values.kind != list || ops.kind != list || len(values.list)+len(ops.list) == 0 {
		return false
	}
	switch m.key {
	case "values":
		if len(values.list) == 0 {
			p.field(m.key, " = ", m.value)
		}
		g.statements(p, values.list, ops.list, ids(outputs))
		if given := inputsOf(values.list); inputs == nil && len(given.list) > 0 {
			p.line("no inputs")
		}
	case g.ops:
		if len(ops.list) == 0 {
			p.field(m.key, " = ", m.value)
		}
	case "inputs":
		given := inputsOf(values.list)
		return len(given.list) > 0 && inputs.kind == list && slices.Equal(ids(given), ids(inputs)) && len(ids(inputs)) == len(inputs.list)
	case "outputs":
		if outputs.kind != list || len(ids(outputs)) != len(outputs.list) {
			return false
		}
		p.line(join("return", p.references(ids(outputs))))
	default:
		return false
	}
	return true
}

// ids are the strings of a list.
func ids(l *node) []string {
	var all []string
	if l != nil {
		for _, n := range l.list {
			if n.kind == text {
				all = append(all, n.word)
			}
		}
	}
	return all
}

// inputsOf lists the values that are inputs, which a text need not list again.
func inputsOf(values []*node) *node {
	l := &node{kind: list}
	for _, v := range values {
		if role, id := v.get("role"), v.get("id"); role != nil && role.word == "input" && id != nil {
			l.list = append(l.list, &node{kind: text, at: id.at, word: id.word})
			l.at = v.at
		}
	}
	return l
}

func (p *printer) references(ids []string) string {
	var all []string
	for _, id := range ids {
		all = append(all, p.reference(valueMark, id))
	}
	return strings.Join(all, ", ")
}

// statements writes values and ops so that each list keeps its order.
func (g *graph) statements(p *printer, values, ops []*node, outputs []string) {
	place, returned := map[string]int{}, map[string]bool{}
	for i, v := range values {
		if id := v.get("id"); id != nil {
			place[id.word] = i
		}
	}
	for _, id := range outputs {
		returned[id] = true
	}
	next := 0 // the first value that is not written
	for _, op := range ops {
		results := ids(op.get("outputs"))
		first, declares := place[slices.Concat(results, []string{""})[0]]
		declares = declares && first >= next
		for i, id := range results {
			at, known := place[id]
			declares = declares && known && at == first+i
		}
		before := len(p.shown)
		if declares {
			_, written := g.statement(p, op)
			_, typed := g.types(p, values[first:first+len(results)], returned)
			declares = written && typed
			p.shown = p.shown[:before] // what follows shows it again
		}
		if !declares {
			g.printOp(p, op, "")
			continue
		}
		g.printValues(p, values[next:first])
		next = first + len(results)
		types, _ := g.types(p, values[first:next], returned)
		g.printOp(p, op, types)
	}
	g.printValues(p, values[next:])
}

// types writes what an op says of the values that it computes.
func (g *graph) types(p *printer, values []*node, returned map[string]bool) (string, bool) {
	var all []string
	for _, n := range values {
		role, s, ok := g.printValue(p, n)
		if !ok || role == "tensor" {
			return "", false
		}
		if role != roleOf(n.get("id").word, returned) {
			s = role + " " + s
		}
		all = append(all, s)
	}
	return strings.Join(all, ", "), true
}

// roleOf is the role of what an op computes where the text does not say it.
func roleOf(id string, returned map[string]bool) string {
	if returned[id] {
		return "output"
	}
	return "activation"
}

// printValue writes a value without its id, and its role apart.
func (g *graph) printValue(p *printer, n *node) (role, s string, ok bool) {
	e := open(n)
	id, as := e.take("id", text), e.take("role", text)
	if id == nil || as == nil || !bare(as.word) || strings.Contains(as.word, ".") {
		return "", "", false
	}
	if _, there := p.names.byID[valueMark][id.word]; there {
		e.say("name")
	}
	if s, ok = printParts(p, e, g.value); !ok {
		return "", "", false
	}
	return as.word, join(s, p.attributes(e)), true
}

func (g *graph) printValues(p *printer, values []*node) {
	for _, n := range values {
		if role, s, ok := g.printValue(p, n); ok {
			p.line(join(p.reference(valueMark, n.get("id").word), "=", role, ":", s))
			continue
		}
		p.field("values", " += ", n)
	}
}

// statement writes an op without the types of its results.
func (g *graph) statement(p *printer, n *node) (string, bool) {
	e := open(n)
	out := e.take("outputs", list)
	if out == nil || len(ids(out)) != len(out.list) {
		return "", false
	}
	results := ids(out)
	if id := e.get("id"); len(results) > 0 && id != nil && id.word == results[0] && e.get("name") == nil {
		e.say("id") // an op without a name of its own is called like its first result
	}
	s, ok := printParts(p, e, g.parts())
	if !ok || !slices.Contains(e.said, "id") {
		return "", false
	}
	equals := ""
	if len(results) > 0 {
		equals = p.references(results) + " ="
	}
	return join(equals, s, p.attributes(e)), true
}

func (g *graph) printOp(p *printer, n *node, types string) {
	s, ok := g.statement(p, n)
	switch {
	case !ok:
		p.field(g.ops, " += ", n)
	case types == "":
		p.line(s)
	case g.tall:
		p.line(s)
		p.line("    : " + types)
	default:
		p.line(s + " : " + types)
	}
}

// begins says whether a statement of the graph begins at the current token.
func (g *graph) begins(p *parser) bool {
	return p.tok.kind == sigil && p.tok.sigil == valueMark ||
		p.tok.kind == word && (p.tok.text == "return" || p.tok.text == "no" || strings.Contains(p.tok.text, "."))
}

func (g *graph) parse(p *parser, doc *node) {
	at := p.tok.at
	switch {
	case p.tok.kind == word && p.tok.text == "return":
		p.next()
		l := &node{kind: list, at: at}
		if p.tok.kind == sigil && !p.tok.newLine {
			l.list = p.commas()
		}
		doc.set("outputs", at, l)
	case p.tok.kind == word && p.tok.text == "no":
		p.next()
		if !p.tok.word("inputs") {
			p.want(`"inputs"`)
		}
		p.next()
		p.noInputs = &node{at: at}
	default:
		p.tok.newLine = false
		g.computation(p, doc, at)
	}
}

// computation reads a value, or an op and its results.
func (g *graph) computation(p *parser, doc *node, at int) {
	var results []token
	for p.tok.kind == sigil {
		results = append(results, p.tok)
		p.next()
		if !p.tok.is(",") || p.tok.newLine {
			break
		}
		p.next()
		if p.tok.kind != sigil || p.tok.sigil != valueMark || p.tok.newLine {
			p.want("a value with % before it")
		}
	}
	if results != nil {
		p.mark("=")
	}
	if p.failed {
		return
	}
	if len(results) == 1 && p.tok.kind == word && !p.tok.newLine && !strings.Contains(p.tok.text, ".") {
		v := g.valueNode(p, results[0], at)
		v.set("role", p.tok.at, p.string("a role"))
		p.mark(":")
		parseParts(p, v, g.value)
		p.rest(v)
		doc.add("values", v)
		return
	}
	g.parseOp(p, doc, results, at)
}

// valueNode is a value that a token declares.
func (g *graph) valueNode(p *parser, t token, at int) *node {
	v := &node{kind: object, at: at}
	v.set("id", t.at, p.named(t, v))
	return v
}

// named is what a token with a mark names.
func (p *parser) named(t token, defines *node) *node {
	n := &node{kind: text, at: t.at, word: t.text}
	if !t.literal {
		p.wait(n, t.sigil, defines)
	}
	return n
}

func (g *graph) parseOp(p *parser, doc *node, results []token, at int) {
	op := &node{kind: object, at: at}
	out := &node{kind: list, at: at}
	for _, t := range results {
		out.list = append(out.list, p.named(t, nil))
	}
	op.set("outputs", at, out)
	parseParts(p, op, g.parts())
	p.rest(op)
	if op.get("id") == nil && len(results) > 0 {
		op.set("id", results[0].at, p.named(results[0], nil))
	}
	doc.add(g.ops, op)
	if !p.tok.is(":") {
		return
	}
	p.next()
	if len(results) == 0 {
		p.fail(p.last, "an op without results has no types", "")
	}
	for i, t := range results {
		if i > 0 {
			p.mark(",")
		}
		v := g.valueNode(p, t, t.at)
		if p.tok.kind == word && p.tok.text != "tensor" && !p.tok.newLine {
			v.set("role", p.tok.at, p.string("a role"))
		} else {
			p.roles = append(p.roles, v)
		}
		parseParts(p, v, g.value)
		p.rest(v)
		doc.add("values", v)
	}
}

// finish says what a text leaves to be understood: the roles of results and which
// values are inputs.
func (g *graph) finish(p *parser, doc *node) {
	returned := map[string]bool{}
	for _, id := range ids(doc.get("outputs")) {
		returned[id] = true
	}
	for _, v := range p.roles {
		v.set("role", v.at, &node{kind: text, at: v.at, word: roleOf(v.get("id").word, returned)})
	}
	values, inputs := doc.get("values"), doc.get("inputs")
	if p.noInputs != nil && inputs != nil {
		p.fail(p.noInputs.at, "the text lists inputs, and says here that none are listed", "")
	}
	if p.noInputs != nil || inputs != nil || values == nil || values.kind != list {
		return
	}
	if given := inputsOf(values.list); len(given.list) > 0 {
		doc.set("inputs", given.at, given)
	}
}
