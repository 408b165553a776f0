package triage

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"plancheck/internal/diag"
	"plancheck/internal/strictjson"
	"plancheck/internal/strictjson/strictjsontest"
	"plancheck/internal/symbol"
)

// print is a fingerprint that begins with a letter.
func print(letter string) string { return strings.Repeat(letter, 32) }

// found is a finding about a row of values.
func found(syms *symbol.Table, letter, code string, row ...any) diag.Diagnostic {
	p := &diag.Proof{Kind: diag.ByRule, Pred: "p"}
	for _, v := range row {
		switch v := v.(type) {
		case int:
			p.Args = append(p.Args, syms.Int(int64(v)))
		case string:
			p.Args = append(p.Args, syms.String(v))
		case []string:
			var list []symbol.Value
			for _, s := range v {
				list = append(list, syms.String(s))
			}
			p.Args = append(p.Args, syms.List(list))
		}
	}
	return diag.Diagnostic{Code: code, Message: code + " " + letter, Fingerprint: print(letter), Proof: p}
}

func letters(ds []diag.Diagnostic) string {
	s := ""
	for _, d := range ds {
		s += d.Fingerprint[:1]
	}
	return s
}

func TestSort(t *testing.T) {
	syms := symbol.NewTable()
	first := []diag.Diagnostic{
		found(syms, "a", "skip", "conv1", "add7", 0, 3),
		found(syms, "b", "skip", "conv1", "add8", 0, 3),
		found(syms, "c", "cycle", []string{"x", "conv1"}),
		found(syms, "d", "full", 3),
	}
	second := []diag.Diagnostic{first[1], first[3]}
	for _, test := range []struct {
		name                    string
		suppressions            []Suppression
		recorded                []diag.Diagnostic
		news, known, suppressed string // letters in the first document, then the second
		unused, gone            int
	}{
		{"nothing", nil, nil, "abcd bd", " ", " ", 0, 0},
		{"baseline", nil, first, " bd", "abcd ", " ", 0, 0}, // the second document's are beyond the counts
		{"by code", []Suppression{{Code: "skip"}}, nil, "cd d", " ", "ab b", 0, 0},
		{"by subject", []Suppression{{Code: "skip", Subjects: []string{"add8", "conv1"}}}, nil, "acd d", " ", "b b", 0, 0},
		{"by number", []Suppression{{Code: "full", Subjects: []string{"3"}}}, nil, "abc b", " ", "d d", 0, 0},
		{"by entry of a list", []Suppression{{Code: "cycle", Subjects: []string{"x"}}}, nil, "abd bd", " ", "c ", 0, 0},
		{"by document", []Suppression{{Code: "skip", Document: "2.json"}}, nil, "abcd d", " ", " b", 0, 0},
		{"one subject of two", []Suppression{{Code: "skip", Subjects: []string{"conv1", "gone"}}}, nil, "abcd bd", " ", " ", 1, 0},
		{"another code", []Suppression{{Code: "full", Subjects: []string{"conv1"}}}, nil, "abcd bd", " ", " ", 1, 0},
		{"two that match", []Suppression{{Code: "skip"}, {Code: "skip", Subjects: []string{"add7"}}}, nil, "cd d", " ", "ab b", 0, 0},
		{"suppressed and recorded", []Suppression{{Code: "full"}}, second, "ac b", "b ", "d d", 0, 1},
	} {
		var b *Baseline
		if test.recorded != nil {
			b = Record(test.recorded)
		}
		s := NewSieve(test.suppressions, b)
		one, two := s.Sort("plans/1.json", first, syms), s.Sort("plans/2.json", second, syms)
		suppressed := func(all []Suppressed) string {
			var ds []diag.Diagnostic
			for _, x := range all {
				ds = append(ds, x.Diagnostic)
			}
			return letters(ds)
		}
		got := []any{
			letters(one.News) + " " + letters(two.News), letters(one.Known) + " " + letters(two.Known),
			suppressed(one.Suppressed) + " " + suppressed(two.Suppressed), len(s.Unused(nil)), len(s.Gone()),
		}
		want := []any{test.news, test.known, test.suppressed, test.unused, test.gone}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestOfDocument(t *testing.T) {
	for _, test := range []struct {
		pattern, name string
		want          bool
	}{
		{"", "any.json", true},
		{"a.json", "plans/a.json", true},
		{"a.json", "ba.json", false},
		{"*.json", "./plans/deep/a.json", true},
		{"plans/*.json", "./plans/a.json", true},
		{"./plans/*.json", "plans/a.json", true},
		{"plans/*.json", "plans/deep/a.json", false},
		{"plans/*/a.json", "plans/deep/a.json", true},
		{"plans/a.json", "a.json", false},
		{"-", "-", true},
	} {
		s := Suppression{Document: test.pattern}
		if got := s.ofDocument(test.name); got != test.want {
			t.Errorf("%q for %q: %v, want %v", test.pattern, test.name, got, test.want)
		}
	}
}

// What is recorded is read again, and knows all that was recorded.
func TestBaselineRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var findings []diag.Diagnostic
		for range rapid.IntRange(0, 8).Draw(t, "findings") {
			letter := rapid.SampledFrom([]string{"a", "b", "c", "0"}).Draw(t, "fingerprint")
			findings = append(findings, diag.Diagnostic{
				Code: "code-" + letter, Message: rapid.StringN(0, 5, -1).Draw(t, "message"), Fingerprint: print(letter),
			})
		}
		b := Record(findings)
		data, err := b.Encode()
		if err != nil {
			t.Fatal(err)
		}
		again, ds := DecodeBaseline(diag.NewSource("b.json", data))
		if ds != nil {
			t.Fatalf("%v\n%s", ds, data)
		}
		if diff := cmp.Diff(b, again, cmpopts.IgnoreFields(Entry{}, "At"), cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("(-recorded +read):\n%s", diff)
		}
		s := NewSieve(nil, again)
		sorted := s.Sort("p.json", findings, nil)
		if len(sorted.News) > 0 || len(s.Gone()) > 0 {
			t.Fatalf("news %v, gone %v", sorted.News, s.Gone())
		}
		// Other messages change the order of the lines, nothing else does.
		slices.Reverse(findings)
		for i := range findings {
			findings[i].Message = ""
		}
		for i := range b.Entries {
			b.Entries[i].Message = ""
		}
		if diff := cmp.Diff(b.Entries, Record(findings).Entries, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("order of findings matters (-first +second):\n%s", diff)
		}
	})
}

// kinds are the documents of this package: a good one that has everything,
// their schemas and decoders.
func kinds() []struct {
	name, document string
	schema         *strictjson.Schema
	decode         func(*diag.Source) []diag.Diagnostic
} {
	return []struct {
		name, document string
		schema         *strictjson.Schema
		decode         func(*diag.Source) []diag.Diagnostic
	}{
		{"baseline", `{"schema": "plancheck.baseline/1", "findings": [
			{"code": "a", "message": "m", "fingerprint": "0123456789abcdef0123456789abcdef", "count": 1},
			{"code": "b", "message": "", "fingerprint": "f123456789abcdef0123456789abcdef", "count": 9223372036854775807}]}`,
			BaselineJSONSchema(), func(src *diag.Source) []diag.Diagnostic { _, ds := DecodeBaseline(src); return ds }},
		{"suppressions", `{"schema": "plancheck.suppressions/1", "suppressions": [
			{"code": "a", "subjects": ["x", "3"], "document": "*.json", "reason": "r"}, {"code": "b", "reason": " r"}]}`,
			SuppressionsJSONSchema(), func(src *diag.Source) []diag.Diagnostic { _, ds := DecodeSuppressions(src); return ds }},
	}
}

// beyond are errors that a JSON Schema cannot tell.
var beyond = []string{"id-duplicate", "pattern-malformed"}

func TestSchemasAgreeWithDecoders(t *testing.T) {
	for _, kind := range kinds() {
		schema := strictjsontest.Compile(t, kind.schema)
		check := func(t rapid.TB, document []byte) bool {
			ds := kind.decode(diag.NewSource("d.json", document))
			bad := slices.ContainsFunc(ds, func(d diag.Diagnostic) bool { return !slices.Contains(beyond, d.Code) })
			value, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(value); (err != nil) != bad {
				t.Fatalf("%s: the decoder says %v, the schema %v\n%s", kind.name, ds, err, document)
			}
			return !bad
		}
		if !check(t, []byte(kind.document)) {
			t.Fatalf("%s: the good document is refused", kind.name)
		}
		for _, reason := range []string{"", " ", "\t", "\u00a0", "x"} {
			text, _ := json.Marshal(map[string]any{"schema": SuppressionsSchema, "suppressions": []any{map[string]any{"code": "c", "reason": reason}}})
			check(t, text)
		}
		refused := 0
		rapid.Check(t, func(t *rapid.T) {
			document, err := jsonschema.UnmarshalJSON(strings.NewReader(kind.document))
			if err != nil {
				t.Fatal(err)
			}
			for range rapid.IntRange(1, 2).Draw(t, "mutations") {
				document = strictjsontest.Mutate(t, document)
			}
			data, err := json.Marshal(document)
			if err != nil {
				t.Fatal(err)
			}
			if !check(t, data) {
				refused++
			}
		})
		if refused < 10 {
			t.Errorf("%s: only %d documents were refused", kind.name, refused)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, kind := range kinds() {
		f.Add([]byte(kind.document))
	}
	files, err := filepath.Glob("../../testdata/cases/input/*")
	if err != nil || len(files) == 0 {
		f.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, kind := range kinds() {
			for _, d := range kind.decode(diag.NewSource("d.json", data)) {
				if d.Code == "" || d.Message == "" || d.Pos.Line == 0 {
					t.Errorf("%s: %+v", kind.name, d)
				}
			}
		}
	})
}
