package report

import (
	"encoding/hex"
	"unicode/utf8"

	"plancheck/internal/diag"
	"plancheck/internal/symbol"
)

type jsonProof struct {
	Kind     string        `json:"kind"`
	Relation string        `json:"relation,omitempty"`
	Args     []any         `json:"args,omitempty"`
	Text     string        `json:"text,omitempty"`
	Position *jsonPosition `json:"position,omitempty"`
	Rule     *jsonRule     `json:"rule,omitempty"`
	Bindings []jsonBinding `json:"bindings,omitempty"`
	Premises []*jsonProof  `json:"premises,omitempty"`
	Rows     []*jsonProof  `json:"rows,omitempty"`
	Omitted  int           `json:"omitted_rows,omitempty"`
}

type jsonRule struct {
	Position *jsonPosition `json:"position"`
	Clause   string        `json:"clause"`
}

type jsonBinding struct {
	Variable string `json:"variable"`
	Value    any    `json:"value"`
}

func proofOf(p *diag.Proof, syms *symbol.Table) *jsonProof {
	if p == nil {
		return nil
	}
	j := &jsonProof{Kind: p.Kind.String(), Relation: p.Pred, Text: p.Text, Position: positionOf(p.Pos), Omitted: p.Omitted}
	for i, v := range p.Args {
		if p.Open != nil && p.Open[i] {
			j.Args = append(j.Args, nil)
		} else {
			j.Args = append(j.Args, valueOf(v, syms))
		}
	}
	if p.Rule != nil {
		j.Rule = &jsonRule{positionOf(p.Rule.Pos), p.Rule.Clause}
		j.Position = nil // says no more than the rule's
	}
	for _, b := range p.Bindings {
		j.Bindings = append(j.Bindings, jsonBinding{b.Var, valueOf(b.Value, syms)})
	}
	for _, premise := range p.Premises {
		j.Premises = append(j.Premises, proofOf(premise, syms))
	}
	for _, row := range p.Rows {
		j.Rows = append(j.Rows, proofOf(row, syms))
	}
	return j
}

type jsonName struct {
	Name string `json:"name"`
}

type jsonBytes struct {
	Hex string `json:"bytes"`
}

// valueOf turns a constant into JSON so that constants that differ look
// different: numbers, strings and lists are themselves, names are
// {"name": "/x"}, and strings that are not UTF-8, which JSON cannot hold, are
// {"bytes": hex}.
func valueOf(v symbol.Value, syms *symbol.Table) any {
	switch syms.Kind(v) {
	case symbol.Number:
		n, _ := syms.Number(v)
		return n
	case symbol.Name:
		return jsonName{syms.Text(v)}
	case symbol.List:
		elems := syms.Elems(v)
		values := make([]any, len(elems))
		for i, e := range elems {
			values[i] = valueOf(e, syms)
		}
		return values
	}
	s := syms.Text(v)
	if !utf8.ValidString(s) {
		return jsonBytes{hex.EncodeToString([]byte(s))}
	}
	return s
}
