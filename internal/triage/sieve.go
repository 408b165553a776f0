package triage

import (
	"fmt"
	"slices"
	"strconv"

	"plancheck/internal/diag"
	"plancheck/internal/symbol"
)

// Sieve sorts the findings of a run. The zero value lets all through.
type Sieve struct {
	suppressions []Suppression
	used         []bool // by number of the suppression
	entries      []Entry
	left         map[string]int64 // how often a fingerprint may still occur
}

// NewSieve makes a sieve of suppressions and a baseline, which may be nil.
func NewSieve(suppressions []Suppression, b *Baseline) *Sieve {
	s := &Sieve{suppressions: suppressions, used: make([]bool, len(suppressions)), left: map[string]int64{}}
	if b != nil {
		s.entries = b.Entries
		for _, e := range b.Entries {
			s.left[e.Fingerprint] = e.Count
		}
	}
	return s
}

// Suppressed is a finding that a suppression accepts.
type Suppressed struct {
	diag.Diagnostic
	By Suppression
}

// Sorted are the findings of one document, each in one of the lists, in order.
type Sorted struct {
	News       []diag.Diagnostic
	Known      []diag.Diagnostic // in the baseline
	Suppressed []Suppressed
}

// Sort sorts the findings of one document; symbols has the values in their
// proofs. A suppressed finding does not count against the baseline. Of a
// finding that occurs in more plans than the baseline says, the first are known.
func (s *Sieve) Sort(document string, findings []diag.Diagnostic, symbols *symbol.Table) Sorted {
	var out Sorted
	for _, f := range findings {
		if i := s.suppresses(document, f, symbols); i >= 0 {
			out.Suppressed = append(out.Suppressed, Suppressed{f, s.suppressions[i]})
		} else if s.left[f.Fingerprint] > 0 {
			s.left[f.Fingerprint]--
			out.Known = append(out.Known, f)
		} else {
			out.News = append(out.News, f)
		}
	}
	return out
}

// suppresses returns the number of the first suppression for a finding, or -1.
// All that match are used.
func (s *Sieve) suppresses(document string, f diag.Diagnostic, symbols *symbol.Table) int {
	first := -1
	for i := range s.suppressions {
		sup := &s.suppressions[i]
		if sup.Code != f.Code || !sup.ofDocument(document) || !about(f, sup.Subjects, symbols) {
			continue
		}
		s.used[i] = true
		if first < 0 {
			first = i
		}
	}
	return first
}

// about says whether all subjects are among the values of a finding's row.
func about(f diag.Diagnostic, subjects []string, symbols *symbol.Table) bool {
	for _, subject := range subjects {
		if f.Proof == nil || !slices.ContainsFunc(f.Proof.Args, func(v symbol.Value) bool { return is(v, subject, symbols) }) {
			return false
		}
	}
	return true
}

// is says whether a value is, or as a list has, what a subject names.
func is(v symbol.Value, subject string, symbols *symbol.Table) bool {
	switch symbols.Kind(v) {
	case symbol.Number:
		n, _ := symbols.Number(v)
		return strconv.FormatInt(n, 10) == subject
	case symbol.List:
		return slices.ContainsFunc(symbols.Elems(v), func(e symbol.Value) bool { return is(e, subject, symbols) })
	}
	return symbols.Text(v) == subject
}

// Unused reports the suppressions that matched no finding so far; codes are
// those that the rules may report.
func (s *Sieve) Unused(codes []string) []diag.Diagnostic {
	var all []diag.Diagnostic
	for i, sup := range s.suppressions {
		if s.used[i] {
			continue
		}
		d := diag.Diagnostic{
			Code: "suppression-unused", Severity: diag.Warning, Pos: sup.Pos, Snippet: sup.Snippet, SnippetSkip: sup.Skip,
			Message: fmt.Sprintf("the suppression of %s matches no finding", sup.Code),
			Help:    "remove it",
		}
		if !slices.Contains(codes, sup.Code) {
			d.Help = fmt.Sprintf("no rule that was asked has the code %q", sup.Code)
			if near := diag.Nearest(sup.Code, slices.Values(codes)); near != "" {
				d.Help += fmt.Sprintf("; did you mean %q?", near)
			}
		}
		all = append(all, d)
	}
	return all
}

// Gone lists the entries of the baseline that occurred less often so far than
// it says; Count is how often they are missing.
func (s *Sieve) Gone() []Entry {
	var all []Entry
	for _, e := range s.entries {
		if n := s.left[e.Fingerprint]; n > 0 {
			e.Count = n
			all = append(all, e)
		}
	}
	return all
}
