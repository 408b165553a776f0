package triage

import (
	"path"
	"path/filepath"
	"strings"

	"plancheck/internal/diag"
	"plancheck/internal/strictjson"
)

// SuppressionsSchema names the format of lists of suppressions.
const SuppressionsSchema = "plancheck.suppressions/1"

// Suppression accepts findings, for a reason that somebody can read.
type Suppression struct {
	Code string
	// Subjects are ids, or numbers in decimal, that must all be among the
	// values of the finding's row: ops, values, weights, cores, stages. None
	// means any finding of the code.
	Subjects []string
	// Document is a pattern for the name of the plan, with * and ? for parts of
	// a name; one without a slash is for the last part of the name. Empty means
	// any plan.
	Document string
	Reason   string
	Pos      diag.Position // of the entry in its file
	Snippet  string        // of Pos, as in diag.Diagnostic
	Skip     int
}

// DecodeSuppressions reads a list of suppressions strictly. It returns either
// the list or every error of the document, each with its place.
func DecodeSuppressions(src *diag.Source) ([]Suppression, []diag.Diagnostic) {
	d := &decoder{Reader: strictjson.NewReader(src)}
	var read []placed
	suppressionsShape.Read(d.Reader, d, &read)
	d.End()
	if d.Failed() {
		return nil, d.Diagnostics()
	}
	var offsets []uint32
	for _, p := range read {
		offsets = append(offsets, p.at)
	}
	var all []Suppression
	for i, pointer := range strictjson.Pointers(src.Text(), offsets) {
		s := read[i].Suppression
		s.Pos = src.Position(int(offsets[i]))
		s.Pos.Pointer = pointer
		s.Snippet, s.Skip = src.Excerpt(int(offsets[i]))
		all = append(all, s)
	}
	return all, nil
}

// SuppressionsJSONSchema describes what DecodeSuppressions reads.
func SuppressionsJSONSchema() *strictjson.Schema {
	return strictjson.Describe(func(r *strictjson.Reader) {
		suppressionsShape.Read(r, &decoder{Reader: r}, &[]placed{})
	})
}

// placed is a suppression while its document is read.
type placed struct {
	Suppression
	at uint32
}

var suppressionsShape = strictjson.NewShape("a list of suppressions",
	strictjson.Required("schema", func(d *decoder, _ *[]placed) { d.schema(SuppressionsSchema) }),
	strictjson.Required("suppressions", func(d *decoder, all *[]placed) {
		for l := d.List("a list of suppressions"); l.Next(); {
			p := placed{at: d.Offset()}
			suppressionShape.Read(d.Reader, d, &p.Suppression)
			*all = append(*all, p)
		}
	}),
)

var suppressionShape = strictjson.NewShape("a suppression",
	strictjson.Required("code", func(d *decoder, s *Suppression) { s.Code = d.text("the code of a finding") }),
	strictjson.Optional("subjects", func(d *decoder, s *Suppression) {
		for l := d.List("a list of ids, or numbers in decimal"); l.Next(); {
			s.Subjects = append(s.Subjects, d.text("an id, or a number in decimal (a string)"))
		}
	}),
	strictjson.Optional("document", func(d *decoder, s *Suppression) {
		at := d.Offset()
		s.Document = d.text("a pattern for the name of a plan (a string)")
		if _, err := path.Match(s.Document, ""); err != nil {
			d.ReportValue(at, "pattern-malformed", "is not a pattern: "+strictjson.Quote(s.Document), `a "[" needs its "]"`)
		}
	}),
	strictjson.Required("reason", func(d *decoder, s *Suppression) {
		at := d.Offset()
		s.Reason = d.text("why the finding is accepted (a string)")
		if described := d.Described(); described != nil {
			described.Pattern = `[^ \t\n\r]`
		}
		if s.Reason != "" && strings.Trim(s.Reason, " \t\n\r") == "" {
			d.ReportValue(at, "text-empty", "must not be empty", "")
		}
	}),
)

// ofDocument says whether the suppression is for a plan of this name.
func (s *Suppression) ofDocument(name string) bool {
	if s.Document == "" {
		return true
	}
	name = path.Clean(filepath.ToSlash(name))
	if !strings.Contains(s.Document, "/") {
		name = path.Base(name)
	}
	match, _ := path.Match(path.Clean(s.Document), name) // the pattern was checked
	return match
}
