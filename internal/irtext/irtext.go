package irtext

import (
	"fmt"
	"strings"

	"plancheck/internal/diag"
)

// Schemas lists the schemas of the documents that have a text form.
func Schemas() []string {
	var all []string
	for _, l := range levels() {
		all = append(all, l.schema)
	}
	return all
}

// begins returns the level with whose word a text begins, and false for what is no
// text.
func begins(src *diag.Source) (level, bool) {
	data := src.Text()[src.Start:]
	if i := firstOther(data); i < len(data) && data[i] == '{' { // most files are JSON
		return level{}, false
	}
	t := scan(string(data), 0)
	for _, l := range levels() {
		if t.kind == word && t.text == l.word {
			return l, true
		}
	}
	return level{}, false
}

// firstOther is the offset of the first byte that is no white space.
func firstOther(data []byte) int {
	for i, c := range data {
		if c != ' ' && c != '\t' && c != '\r' && c != '\n' {
			return i
		}
	}
	return len(data)
}

// Print writes the text of a document, of which it is given the JSON that the
// encoder of its level writes.
func Print(data []byte) ([]byte, error) {
	doc, err := readTree(data)
	if err != nil {
		return nil, err
	}
	schema := doc.get("schema")
	for _, l := range levels() {
		if schema != nil && schema.word == l.schema {
			return []byte(l.print(doc)), nil
		}
	}
	return nil, fmt.Errorf("documents of this schema have no text form; those of %s have one", strings.Join(Schemas(), ", "))
}

func (l level) print(doc *node) string {
	p := &printer{names: namesOf(doc, l.named)}
	head := l.word + " {"
	if name := doc.get("name"); name != nil && name.kind == text {
		head = l.word + " " + quote(name.word) + " {"
	}
	p.line(head)
	p.depth++
	l.body.print(p, doc, "schema", "name")
	p.depth--
	p.line("}")
	p.table()
	return p.out.String()
}

// table writes the table of the ids that the text shows otherwise.
func (p *printer) table() {
	shown := map[string]bool{}
	for _, s := range p.shown {
		shown[s] = true
	}
	var lines []string
	for _, e := range p.names.order {
		name := string(e.sigil) + e.name
		if !shown[name] && !(isWhole(e.id) && shown[e.id]) {
			continue
		}
		if !bare(e.id) {
			e.id = quote(e.id)
		}
		lines = append(lines, name+" = "+e.id)
	}
	for _, id := range p.names.whole {
		if shown[id] {
			lines = append(lines, id)
		}
	}
	if lines == nil {
		return
	}
	p.line("ids {")
	p.depth++
	for _, s := range lines {
		p.line(s)
	}
	p.depth--
	p.line("}")
}

// Source reads a text and returns the JSON of the document that it says, with the
// places in the text behind it: what is said about the document points there. It
// returns either that or the first error of the text. What is no text is returned
// as it is.
func Source(src *diag.Source) (*diag.Source, []diag.Diagnostic) {
	l, ok := begins(src)
	if !ok {
		return src, nil
	}
	p := &parser{src: string(src.Text()), tok: token{end: src.Start}}
	doc := l.parse(p)
	if p.failed {
		d := diag.Diagnostic{Code: "text-syntax", Severity: diag.Error, Message: p.problem, Help: p.help, Pos: src.Position(p.at)}
		d.Snippet, d.SnippetSkip = src.Excerpt(p.at)
		return nil, []diag.Diagnostic{d}
	}
	w := &writing{}
	w.node(doc)
	return src.Derived(w.buf, w.origin), nil
}

// parse reads a whole text.
func (l level) parse(p *parser) *node {
	p.next()
	doc := &node{kind: object, at: p.tok.at}
	doc.set("schema", p.tok.at, &node{kind: text, at: p.tok.at, word: l.schema})
	p.next()
	if p.tok.kind == quoted {
		doc.set("name", p.tok.at, &node{kind: text, at: p.tok.at, word: p.tok.text})
		p.next()
	}
	p.mark("{")
	l.body.parse(p, doc)
	if p.tok.kind == word && p.tok.text == "ids" {
		p.table()
	}
	if !p.failed && p.tok.kind != end {
		p.fail(p.tok.at, "expected nothing behind the document, found "+p.tok.shown(), "")
	}
	if p.failed {
		return doc
	}
	p.resolve()
	if g := l.body.graph; g != nil && !p.failed {
		g.finish(p, doc)
	}
	return doc
}

// Words lists the words that a text may begin with, for messages.
func Words() string {
	all := levels()
	var words []string
	for _, l := range all[:len(all)-1] {
		words = append(words, l.word)
	}
	return strings.Join(words, ", ") + " or " + all[len(all)-1].word
}
