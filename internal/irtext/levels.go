package irtext

import (
	"slices"
	"strings"
)

// level is a kind of document that has a text form.
type level struct {
	word, schema string
	named        []named
	body         *section
}

// levels lists them. A new version of a schema needs an entry of its own.
func levels() []level {
	return []level{
		{"model", "plancheck.model/1", []named{{valueMark, "values"}, {opMark, "ops"}}, modelSection()},
		{"tasks", "plancheck.tasks/1", []named{{valueMark, "values"}, {opMark, "tasks"}}, tasksSection()},
		{"portable", "plancheck.portable-plan/1", []named{{valueMark, "buffers"}, {opMark, "tasks"}}, portableSection()},
		{"plan", "plancheck.concrete-plan/1", nil, planSection()},
		{"machine", "plancheck.machine/1", nil, machineSection()},
	}
}

// parent is a document that this one was made from.
func parent() listed {
	return listed{field: "parents", form: statement("parent", its(0, "schema", "a schema"), its(0, "digest", "a digest"))}
}

// after is what an op, a task or a command comes behind.
func after(key string) part {
	return clause("after", references("[", "]", opMark, key, "an id"))
}

func modelSection() *section {
	return &section{
		lists: []listed{
			parent(),
			{field: "symbols", form: statement("symbol", its(0, "id", "a symbol"), clause("counts", its(0, "axis", "what it counts")))},
		},
		graph: &graph{
			ops:   "ops",
			value: []part{within("type", tensor())},
			kind:  dotted("kind"),
			op: []part{
				after("after"),
				clause("effects", each("effects", its(0, "kind", "a kind of effect"), its(0, "resource", "a resource"))),
			},
		},
	}
}

// dotted is a string that is a word with a dot in it.
func dotted(key string) part {
	x := its(0, key, "what is done, such as model.linear")
	print := x.print
	x.print = func(p *printer, e *entity) (string, bool) {
		s, ok := print(p, e)
		return s, ok && strings.Contains(s, ".") && s[0] != '"'
	}
	return x
}

func tasksSection() *section {
	return &section{
		lists: []listed{
			parent(),
			{field: "mesh", form: statement("mesh", its(0, "id", "an axis"), fixed("="), counted("size", "its size"))},
		},
		blocks: []block{{"strategy", &section{lists: []listed{
			{field: "linear", form: statement("linear", its(0, "op", "an op"), fixed("by"), its(0, "cut", "row or column"))},
		}}}},
		graph: &graph{
			ops: "tasks",
			value: []part{
				tensor(), shards(), partials(), sizesOf("local", "local"),
				clause("on", said("owners")), clause("of", its(0, "source", "a value of the model")), lineage(),
			},
			kind: work("compute", "collective"),
			op: []part{
				clause("on", said("ranks")), after("after"), clause("does", said("operations")), clause("message", said("message_bytes")), lineage(),
			},
			tall: true,
		},
	}
}

// work is what a task does, with its body before it where that does not compute,
// and what a collective reduces by: collective.all-reduce<sum>.
func work(bodies ...string) part {
	return part{
		print: func(p *printer, e *entity) (string, bool) {
			body, op := e.left("body"), e.left("op")
			if body == nil || op == nil || !slices.Contains(bodies, body.word) || op.kind != text {
				return "", false
			}
			s := body.word + "." + op.word
			if head, _, dot := strings.Cut(op.word, "."); body.word == "compute" && dot && !slices.Contains(bodies, head) {
				s = op.word
			}
			if !bare(s) || !bare(op.word) {
				return "", false
			}
			e.said = append(e.said, "body", "op")
			if how := e.left("reduction"); how != nil && how.kind == text {
				e.say("reduction")
				s += "<" + p.plain(how.word) + ">"
			}
			return s, true
		},
		parse: func(p *parser, n *node) {
			head, op, dot := strings.Cut(p.tok.text, ".")
			if p.tok.kind != word || !dot || op == "" || p.tok.newLine {
				p.want("what is done, such as model.linear")
				return
			}
			body := "compute"
			if slices.Contains(bodies, head) {
				body = head
			} else {
				op = p.tok.text
			}
			n.set("body", p.tok.at, &node{kind: text, at: p.tok.at, word: body})
			n.set("op", p.tok.at, &node{kind: text, at: p.tok.at, word: op})
			p.next()
			if p.tok.is("<") && p.tok.at == p.last {
				p.next()
				n.set("reduction", p.tok.at, p.string("a reduction"))
				p.mark(">")
			}
		},
	}
}

func portableSection() *section {
	bodies := []string{"compute", "collective", "transfer", "barrier", "host"}
	return &section{
		lists: []listed{
			parent(),
			{field: "bindings", form: statement("bind", its(0, "symbol", "a symbol"), fixed("="), counted("value", "its value"))},
			{field: "buffers", mark: valueMark, form: statement("",
				defined(valueMark, "the id of a buffer"), fixed("="), its(0, "role", "a role"), its(0, "storage_class", "a storage class"),
				clause("on", counted("rank", "a rank")), fixed(":"), tensor(), clause("size", said("size_bytes")), clause("align", counted("alignment_bytes", "bytes")),
				clause("made", its(opMark, "producer", "a task")), clause("read", references("[", "]", opMark, "consumers", "a task")), lineage())},
			{field: "tasks", mark: opMark, form: statement("",
				defined(opMark, "the id of a task"), fixed("="), work(bodies...),
				arguments(valueMark, "inputs", "a buffer"), results(valueMark, "outputs", "a buffer"),
				clause("on", said("logical_ranks")), after("dependencies"), clause("work", said("workload")),
				clause("needs", said("capabilities")), clause("group", its(0, "concurrency_group", "a group")), lineage())},
			{field: "objectives", form: statement("objective", its(0, "kind", "what is to be good"), clause("weight", counted("weight", "a weight")))},
		},
		own: []own{
			{"inputs", statement("inputs", references("[", "]", valueMark, "inputs", "a buffer"))},
			{"outputs", statement("outputs", references("[", "]", valueMark, "outputs", "a buffer"))},
		},
	}
}
