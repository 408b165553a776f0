package rules

import (
	"maps"

	"plancheck/facts"
	"plancheck/internal/diag"
	"plancheck/internal/symbol"
)

// Sentences are how relations put their rows in words, as says(..) in their
// Decls has it. Violations say their message.
type Sentences map[string]Sentence

// Sentence is how one relation does.
type Sentence struct {
	Cols     []string // variables of the Decl
	Template string   // with {Variable} where values go
}

// anything stands in a sentence where an absent fact may have any value.
const anything = "(any)"

// Of puts the atom that a node of a proof is about in words; it returns "" for
// nodes without an atom and for relations that have no words for it.
func (s Sentences) Of(p *diag.Proof, syms *symbol.Table) string {
	sentence, ok := s[p.Pred]
	if !ok || len(sentence.Cols) != len(p.Args) {
		return ""
	}
	segments, err := parseTemplate(sentence.Template)
	if err != nil {
		return "" // never: templates are checked when rules are loaded
	}
	return fillOpen(segments, sentence.Cols, p.Args, p.Open, syms)
}

// Sentences returns the sentences of all relations that have one, those of the
// document included.
func (s *Set) Sentences() Sentences {
	all := maps.Clone(s.sentences)
	for _, r := range facts.Relations() {
		words := Sentence{Template: r.Says}
		for _, c := range r.Cols {
			words.Cols = append(words.Cols, c.Name)
		}
		all[r.Name] = words
	}
	return all
}
