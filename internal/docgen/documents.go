package main

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	"plancheck/internal/cli"
	"plancheck/internal/strictjson"
)

const documentsIntro = `<!-- Made by "make docs" from the types of documents and their comments. Do not edit. -->

# The documents, field by field

Every document that a plan is derived from or through, its objects and their fields. ` + "`plancheck schema KIND`" + ` prints the same as a JSON Schema, for editors and programs; they are in [schema](schema). Plans have a page of their own, [plan.md](plan.md), and so have [logical schedules](logical-schedule.md) and [reports](json-report.md).

Documents are read strictly: a field that is not named here is an error, and so is one that is twice there. There is no null and there are no fractions: an absent field is left out, an integer is one of 64 bits, and ratios are integers in millionths. Units are in the names: ` + "`_bytes`, `_ps` (picoseconds), `_millionths`" + `. A size that may be open is an integer or, as a text, a polynomial in symbols: ` + "`\"2*M*N + 1\"`" + `. A digest is a text: ` + "`sha256:`" + ` and 64 hexadecimal digits; ` + "`plancheck check`" + ` says what that of a document is where one is wrong. *Else* is what a field is when it is absent.
`

// documented are the kinds of documents that the page tells of; others have pages
// of their own.
var documented = []string{
	"model", "tasks", "portable", "target", "deployment", "evidence", "policy", "binding", "machine", "durations", "timeline",
	"observations", "tensors",
}

// documentsPage tells of each document and each object in it.
func documentsPage() []byte {
	var trees []cli.SchemaTree
	for _, t := range cli.SchemaTrees() {
		if slices.Contains(documented, t.Kind) {
			trees = append(trees, t)
		}
	}
	p := &documentPage{common: map[string]string{}}
	p.findCommon(trees)
	p.WriteString(documentsIntro)
	p.WriteString("\n| kind | schema | what it is |\n|---|---|---|\n")
	for _, t := range trees {
		name := ""
		if t.Name != "" {
			name = code1(t.Name)
		}
		fmt.Fprintf(p, "| [%s](#%s) | %s | %s |\n", t.Kind, t.Kind, name, cell(t.Description))
	}
	for _, t := range trees {
		p.kind, p.defs = t.Kind, t.Defs
		fmt.Fprintf(p, "\n## %s\n\n", t.Kind)
		p.object(t.Schema)
		for _, def := range t.Defs {
			if p.common[textOf(def.Schema)] == "" {
				p.heading(def)
			}
		}
	}
	p.WriteString("\n## In several documents\n")
	p.kind, p.defs = "", p.shared
	for _, def := range p.shared {
		p.heading(def)
	}
	return p.Bytes()
}

// documentPage is the page while it is written.
type documentPage struct {
	bytes.Buffer
	kind   string                // of the document that is told of; "" for what several have
	defs   strictjson.Properties // its objects
	common map[string]string     // where an object that several documents have is told of, by its text
	shared strictjson.Properties // those that are no document of their own
}

// findCommon finds the objects that stand in several documents.
func (p *documentPage) findCommon(trees []cli.SchemaTree) {
	seen := map[string]bool{}
	for _, t := range trees {
		whole := *t.Schema
		whole.Defs = nil
		p.common[textOf(&whole)] = t.Kind
	}
	for _, t := range trees {
		for _, def := range t.Defs {
			text := textOf(def.Schema)
			if seen[text] && p.common[text] == "" {
				p.common[text] = anchor("", def.Name)
				p.shared = append(p.shared, def)
			}
			seen[text] = true
		}
	}
}

func textOf(s *strictjson.Schema) string {
	text, err := s.MarshalJSON()
	if err != nil {
		panic("docgen: " + err.Error()) // no schema of ours has what JSON cannot hold
	}
	return string(text)
}

// anchor is that of a heading.
func anchor(kind, name string) string {
	name = strings.ReplaceAll(name, "'", "")
	if kind == "" {
		return name
	}
	return kind + "-" + name
}

func (p *documentPage) heading(def strictjson.Property) {
	title := strings.ReplaceAll(def.Name, "-", " ")
	if p.kind != "" {
		title = p.kind + ": " + title
	}
	fmt.Fprintf(p, "\n### %s\n\n", title)
	p.object(def.Schema)
}

func (p *documentPage) object(s *strictjson.Schema) {
	fmt.Fprintf(p, "%s\n\n| field | needed | type | meaning |\n|---|---|---|---|\n", s.Description)
	for _, f := range s.Properties {
		needed := ""
		switch {
		case slices.Contains(s.Required, f.Name):
			needed = "yes"
		case f.Schema.Default != nil:
			needed = fmt.Sprintf("else %v", f.Schema.Default)
		}
		fmt.Fprintf(p, "| `%s` | %s | %s | %s |\n", f.Name, needed, cell(p.typeOf(f.Schema)), cell(f.Schema.Description))
	}
}

// typeOf says what values of a schema are.
func (p *documentPage) typeOf(s *strictjson.Schema) string {
	switch {
	case s.Ref != "":
		name := strings.TrimPrefix(s.Ref, strictjson.DefsPrefix)
		to := p.common[textOf(p.defs.Get(name))]
		if to == "" {
			to = anchor(p.kind, name)
		}
		return fmt.Sprintf("[%s](#%s)", strings.ReplaceAll(name, "-", " "), to)
	case s.Items != nil:
		return "list of " + p.typeOf(s.Items)
	case s.Const != "":
		return code1(s.Const)
	case len(s.Enum) > 0:
		var words []string
		for _, w := range s.Enum {
			words = append(words, code1(w))
		}
		return strings.Join(words, ", ")
	case s.Names != "":
		return "id of " + s.Names
	case s.Title != "":
		return s.Title
	case s.Type[0] == "integer" && *s.Minimum > math.MinInt64:
		return fmt.Sprintf("integer ≥ %d", *s.Minimum)
	case s.Type[0] == "integer":
		return "integer"
	case s.Type[0] == "boolean":
		return "true or false"
	}
	return "text"
}
