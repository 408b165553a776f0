package irtext

import (
	"slices"
	"strings"
)

// This file is the forms of MachineIR.

func machineSection() *section {
	return &section{lists: []listed{
		parent(),
		{field: "arenas", form: statement("arena", its(0, "id", "an id"), clause("size", counted("size_bytes", "bytes")))},
		{field: "channels", form: statement("channel", its(0, "id", "an id"), clause("depth", counted("depth", "a number")))},
		{field: "groups", form: statement("group", its(0, "id", "an id"), clause("ranks", said("ranks")))},
		{field: "barriers", form: statement("barrier", its(0, "id", "an id"), clause("queues", said("source_queues")))},
		{field: "ports", form: statement("port", its(0, "direction", "input or output"), its(0, "value", "a value"), clause("rank", counted("rank", "a rank")),
			bytesOf("arena", "offset_bytes", "size_bytes"), fixed("of"), its(valueMark, "source_buffer", "a buffer"), fixed(":"), tensor(), clause("shard", its(valueMark, "source_value", "a value of the tasks")), clause("first", said("first")), clause("whole", said("whole")))},
		{field: "sections", form: statement("section", its(0, "id", "an id"), its(0, "kind", "code or data"), clause("on", its(0, "source_queue", "a queue"))), inner: &section{lists: []listed{
			{field: "instructions", mark: opMark, form: instruction()},
			{field: "data", form: statement("data", its(0, "arena", "an arena"), clause("at", counted("offset_bytes", "bytes")), clause("hex", its(0, "hex", "digits")))},
		}}},
		{field: "entry_points", form: statement("entry", its(0, "name", "a name"), fixed("->"), its(0, "section", "a section"))},
	}}
}

func instruction() *form {
	round := counted("round", "a number")
	clauses := []part{
		accesses(),
		clause("message", within("message", round, fixed("of"), its(0, "channel", "a channel"))),
		clause("meeting", within("meeting", round, fixed("of"), its(0, "group", "a group"), fixed("as"), counted("rank", "a rank"), clause("by", its(0, "reduction", "a reduction")))),
		clause("arrival", within("arrival", round, fixed("of"), its(0, "barrier", "a barrier"))),
		clause("for", its(opMark, "source_command", "a command")),
		lineage(),
	}
	return statement("", append([]part{
		its(opMark, "id", "the id of an instruction"), fixed("="), opcode(), clause("token", its(0, "token", "a token")), unless("function", "a function", append(clauses, clause("token"))),
	}, clauses...)...)
}

// opcode is the name of an opcode; one of another dialect than machine has its
// dialect before it.
func opcode() part {
	return part{
		print: func(p *printer, e *entity) (string, bool) {
			n := e.left("opcode")
			dialect, name := n.get("dialect"), n.get("name")
			if dialect == nil || name == nil || len(n.fields) != 2 {
				return "", false
			}
			s := name.word
			if dialect.word != "machine" || strings.Contains(s, ".") {
				s = dialect.word + "." + s
			}
			e.say("opcode")
			return s, bare(name.word) && bare(s) && !strings.Contains(dialect.word, ".")
		},
		parse: func(p *parser, n *node) {
			if p.tok.kind != word || p.tok.newLine {
				p.want("an opcode")
				return
			}
			dialect, name, dot := strings.Cut(p.tok.text, ".")
			if !dot {
				dialect, name = "machine", dialect
			}
			x := &node{kind: object, at: p.tok.at}
			x.set("dialect", p.tok.at, &node{kind: text, at: p.tok.at, word: dialect})
			x.set("name", p.tok.at, &node{kind: text, at: p.tok.at, word: name})
			n.set("opcode", p.tok.at, x)
			p.next()
		},
	}
}

// accesses is the memory that an instruction reads, and behind an arrow that which
// it writes: (hbm[0:64] of %x : tensor<4x4xf32>) -> (hbm[64:128] of %y). Operands in
// another order are a list of their own.
func accesses() part {
	operand := statement("", bytesOf("arena", "offset_bytes", "size_bytes"), fixed("of"), its(valueMark, "source_buffer", "a buffer"), maybeTensor(), flag("workspace", "workspace", "true"))
	return part{
		starts: func(p *parser) bool { return !p.tok.newLine && (p.tok.is("(") || p.tok.is("->")) },
		print: func(p *printer, e *entity) (string, bool) {
			l := e.left("operands")
			if l == nil || l.kind != list {
				return "", false
			}
			lists := map[string][]string{}
			for _, n := range l.list {
				access := n.get("access")
				if access == nil || access.word != "read" && access.word != "write" || access.word == "read" && lists["write"] != nil {
					return "", false
				}
				s, ok := operand.print(p, &node{kind: object, fields: slices.DeleteFunc(slices.Clone(n.fields), func(m member) bool { return m.key == "access" })})
				if !ok {
					return "", false
				}
				lists[access.word] = append(lists[access.word], s)
			}
			e.say("operands")
			var all []string
			if lists["read"] != nil || len(l.list) == 0 {
				all = append(all, "("+strings.Join(lists["read"], ", ")+")")
			}
			if lists["write"] != nil {
				all = append(all, "->", "("+strings.Join(lists["write"], ", ")+")")
			}
			return join(all...), true
		},
		parse: func(p *parser, n *node) {
			l := &node{kind: list, at: p.tok.at}
			n.set("operands", p.tok.at, l)
			some := func(access string) {
				p.mark("(")
				p.sequence(")", func() {
					x := &node{kind: object, at: p.tok.at}
					x.set("access", p.tok.at, &node{kind: text, at: p.tok.at, word: access})
					operand.parse(p, x)
					l.list = append(l.list, x)
				})
			}
			if p.tok.is("(") {
				some("read")
			}
			if p.tok.is("->") && !p.tok.newLine {
				p.next()
				some("write")
			}
		},
	}
}
