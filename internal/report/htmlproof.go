package report

import (
	"strings"

	"plancheck/internal/diag"
	"plancheck/internal/symbol"
	"plancheck/rules"
)

// How much of a proof a page holds.
const (
	htmlNodes = 400 // of one finding
	htmlRows  = 12  // of a group
)

// htmlReason is a node of a proof.
type htmlReason struct {
	Kind     string // fact, rule, aggregate, absent, holds, seen, more
	Lead     string // because, and, row 3
	Row      bool   // begins a row of a group
	Text     string // a sentence, or the atom where there are no words for it
	Code     bool   // Text is in the rule language
	Atom     string // the atom that Text puts in words
	Place    string
	Pointer  string
	Rule     *htmlRule
	Title    string // of the rows of a group
	Children []htmlReason
}

// htmlProof turns one proof into reasons.
type htmlProof struct {
	syms  *symbol.Table
	words rules.Sentences
	nodes int
	cut   bool
}

// root lists the reasons of the finding itself: its message has said what the
// proven fact would say.
func (h *htmlProof) root(p *diag.Proof) []htmlReason {
	if p.Kind == diag.ByRule || p.Kind == diag.ByAggregate {
		return h.below(p)
	}
	return []htmlReason{h.reason(p)}
}

// below lists what a rule was applied to.
func (h *htmlProof) below(p *diag.Proof) []htmlReason {
	if p.Kind == diag.ByAggregate {
		return h.rows(p)
	}
	return h.list(p.Premises)
}

func (h *htmlProof) list(proofs []*diag.Proof) []htmlReason {
	var all []htmlReason
	for i, p := range proofs {
		if h.nodes >= htmlNodes {
			h.cut = true
			return append(all, htmlReason{Kind: "more", Text: counted(len(proofs)-i, "more reason")})
		}
		r := h.reason(p)
		r.Lead = "and"
		if i == 0 {
			r.Lead = "because"
		}
		all = append(all, r)
	}
	return all
}

// rows lists the rows of a group. A row with one premise is that premise.
func (h *htmlProof) rows(p *diag.Proof) []htmlReason {
	var all []htmlReason
	for i, row := range p.Rows {
		if h.nodes >= htmlNodes || i == htmlRows && len(p.Rows) > htmlRows+1 {
			h.cut = true
			return append(all, htmlReason{Kind: "more", Text: counted(len(p.Rows)-i+p.Omitted, "more row")})
		}
		reasons := h.list(row.Premises)
		for k := range reasons {
			reasons[k].Lead = "and"
		}
		if len(reasons) > 0 {
			reasons[0].Lead, reasons[0].Row = "row "+Thousands(i+1), true
		}
		all = append(all, reasons...)
	}
	if p.Omitted > 0 {
		h.cut = true
		all = append(all, htmlReason{Kind: "more", Text: counted(p.Omitted, "more row")})
	}
	return all
}

func (h *htmlProof) reason(p *diag.Proof) htmlReason {
	h.nodes++
	r := htmlReason{Kind: p.Kind.String(), Place: rulePlace(p.Pos)}
	if p.Kind == diag.Holds {
		r.Text, r.Code = printable(p.Text), true
		return r
	}
	t := proofText{syms: h.syms}
	r.Atom = t.atom(p)
	r.Text = printable(h.words.Of(p, h.syms))
	if r.Text == "" {
		r.Text, r.Code, r.Atom = r.Atom, true, ""
	}
	switch p.Kind {
	case diag.Fact:
		if p.Pos.Pointer != "" {
			r.Place, r.Pointer = place(p.Pos), printable(p.Pos.Pointer)
		}
	case diag.ByRule, diag.ByAggregate:
		if p.Rule != nil {
			r.Rule = &htmlRule{rulePlace(p.Rule.Pos), printable(p.Rule.Clause), h.bindings(p)}
		}
		if p.Kind == diag.ByAggregate {
			r.Title = strings.TrimSuffix(aggregateTitle(p), ":")
		}
		r.Children = h.below(p)
	}
	return r
}

// bindings writes the values of a rule's variables: From = "conv1", S = 0.
func (h *htmlProof) bindings(p *diag.Proof) string {
	var all []string
	for _, b := range p.Bindings {
		all = append(all, b.Var+" = "+cut(h.syms.Format(b.Value)))
	}
	return printable(strings.Join(all, ", "))
}
