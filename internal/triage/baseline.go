package triage

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"

	"plancheck/internal/diag"
	"plancheck/internal/strictjson"
)

// BaselineSchema names the format of baselines.
const BaselineSchema = "plancheck.baseline/1"

// Baseline is the record of the findings of one run. A finding is known by its
// fingerprint, which says what is wrong and not where it stands: formatting a
// plan anew, moving entries or renaming the file changes nothing.
type Baseline struct {
	Entries []Entry // sorted by code, message and fingerprint
}

// Entry is one finding of a baseline.
type Entry struct {
	Fingerprint string // 32 hexadecimal digits
	Code        string
	Message     string // for people; only the fingerprint is compared
	Count       int64  // how many plans of the run had it, at least 1
	At          uint32 // offset in the document that it was read from
}

// Record makes a baseline of findings.
func Record(findings []diag.Diagnostic) *Baseline {
	b := &Baseline{}
	at := map[string]int{}
	for _, f := range findings {
		i, there := at[f.Fingerprint]
		if !there {
			i = len(b.Entries)
			at[f.Fingerprint] = i
			b.Entries = append(b.Entries, Entry{Fingerprint: f.Fingerprint, Code: f.Code, Message: f.Message})
		}
		b.Entries[i].Count++
	}
	slices.SortFunc(b.Entries, func(x, y Entry) int {
		return cmp.Or(cmp.Compare(x.Code, y.Code), cmp.Compare(x.Message, y.Message), cmp.Compare(x.Fingerprint, y.Fingerprint))
	})
	return b
}

// Encode writes the baseline with one finding a line, so that a change of it
// reads well in a diff. The same findings give the same bytes.
func (b *Baseline) Encode() ([]byte, error) {
	var out bytes.Buffer
	fmt.Fprintf(&out, "{\n  \"schema\": %q,\n  \"findings\": [", BaselineSchema)
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	for i, e := range b.Entries {
		if i > 0 {
			out.WriteByte(',')
		}
		out.WriteString("\n    ")
		line := struct {
			Code        string `json:"code"`
			Message     string `json:"message"`
			Fingerprint string `json:"fingerprint"`
			Count       int64  `json:"count"`
		}{e.Code, e.Message, e.Fingerprint, e.Count}
		if err := enc.Encode(line); err != nil {
			return nil, fmt.Errorf("encoding the baseline: %w", err)
		}
		out.Truncate(out.Len() - 1) // the encoder's line end
	}
	if len(b.Entries) > 0 {
		out.WriteString("\n  ")
	}
	out.WriteString("]\n}\n")
	return out.Bytes(), nil
}

// DecodeBaseline reads a baseline strictly. It returns either the baseline or
// every error of the document, each with its place.
func DecodeBaseline(src *diag.Source) (*Baseline, []diag.Diagnostic) {
	d := &decoder{Reader: strictjson.NewReader(src)}
	b := &Baseline{}
	baselineShape.Read(d.Reader, d, b)
	d.End()
	if d.Failed() {
		return nil, d.Diagnostics()
	}
	return b, nil
}

// BaselineJSONSchema describes what DecodeBaseline reads.
func BaselineJSONSchema() *strictjson.Schema {
	return strictjson.Describe(func(r *strictjson.Reader) {
		baselineShape.Read(r, &decoder{Reader: r}, &Baseline{})
	})
}

var baselineShape = strictjson.NewShape("a baseline",
	strictjson.Required("schema", func(d *decoder, _ *Baseline) { d.schema(BaselineSchema) }),
	strictjson.Required("findings", func(d *decoder, b *Baseline) {
		seen := map[string]uint32{}
		for l := d.List("a list of findings"); l.Next(); {
			e := Entry{At: d.Offset()}
			entryShape.Read(d.Reader, d, &e)
			first, again := seen[e.Fingerprint]
			switch {
			case e.Fingerprint == "": // reported before
			case again:
				d.ReportRepeat(e.At, first, "id-duplicate", "a finding with this fingerprint is already given")
			default:
				seen[e.Fingerprint] = e.At
			}
			b.Entries = append(b.Entries, e)
		}
	}),
)

const fingerprintPattern = "^[0-9a-f]{32}$"

var fingerprint = regexp.MustCompile(fingerprintPattern)

var entryShape = strictjson.NewShape("a finding",
	strictjson.Required("code", func(d *decoder, e *Entry) { e.Code = d.text("the code of a finding") }),
	strictjson.Required("message", func(d *decoder, e *Entry) {
		text, _ := d.String("what the finding says, for people")
		e.Message = string(text)
	}),
	strictjson.Required("fingerprint", func(d *decoder, e *Entry) {
		at := d.Offset()
		text, ok := d.String("a fingerprint")
		if s := d.Described(); s != nil {
			s.Pattern = fingerprintPattern
		}
		switch {
		case !ok:
		case !fingerprint.Match(text):
			d.ReportValue(at, "fingerprint-malformed", "must be 32 hexadecimal digits, found "+strictjson.Quote(string(text)), "")
		default:
			e.Fingerprint = string(text)
		}
	}),
	strictjson.Required("count", func(d *decoder, e *Entry) { e.Count, _ = d.Int(1) }),
)

// decoder reads documents of this package.
type decoder struct{ *strictjson.Reader }

// text reads a string that is not empty.
func (d *decoder) text(want string) string {
	at := d.Offset()
	b, ok := d.String(want)
	if s := d.Described(); s != nil {
		s.MinLength = 1
	}
	if ok && len(b) == 0 {
		d.ReportValue(at, "text-empty", "must not be empty", "")
	}
	return string(b)
}

// schema reads the name of the document's schema.
func (d *decoder) schema(want string) {
	at := d.Offset()
	b, ok := d.String(fmt.Sprintf("the name of the schema, %q", want))
	if s := d.Described(); s != nil {
		s.Const = want
	}
	if ok && string(b) != want {
		d.ReportValue(at, "schema-name-mismatch", fmt.Sprintf("must be %q, found %s", want, strictjson.Quote(string(b))), "")
	}
}
