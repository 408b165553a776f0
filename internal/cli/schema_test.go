package cli

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"plancheck/internal/diag"
	"plancheck/internal/record"
	"plancheck/internal/simulate"
	"plancheck/internal/strictjson"
	"plancheck/internal/strictjson/strictjsontest"
	"plancheck/internal/tensor"
	"plancheck/ir/evidence"
	"plancheck/ir/levels"
)

// described is a kind of document whose Go types are its decoder and its schema.
type described struct {
	document
	decode func(*diag.Source) []diag.Diagnostic
	files  [][]byte
}

// describedDocuments are all of them, with the test documents of facts and rules.
func describedDocuments(t *testing.T) []described {
	t.Helper()
	var all []described
	for _, d := range documents() {
		x := described{document: d}
		switch l, ok := levels.Of(d.name); {
		case ok:
			x.decode = func(src *diag.Source) []diag.Diagnostic { _, ds := l.Decode(src); return ds }
		case d.kind == "policy":
			x.decode = func(src *diag.Source) []diag.Diagnostic { return record.Decode(src, &evidence.Policy{}) }
			x.files = [][]byte{[]byte(`{"id": "p", "revision": "1", "providers": ["lab"], "matches": ["exact"], "max_distance_millionths": 5, "min_samples": 2, "same_environment": true}`)}
		case d.kind == "durations":
			x.decode = func(src *diag.Source) []diag.Diagnostic { return record.Decode(src, &simulate.Table{}) }
			x.files = [][]byte{[]byte(`{"schema": "plancheck.durations/1", "durations": [{"id": "c", "duration_ps": 7}]}`)}
		case d.kind == "tensors":
			x.decode = func(src *diag.Source) []diag.Diagnostic { return record.Decode(src, &tensor.File{}) }
			x.files = [][]byte{[]byte(`{"schema": "plancheck.tensors/1", "values": [{"id": "v", "shape": [2], "data": [1, "-.5e3"]}]}`)}
		default:
			continue
		}
		all = append(all, x)
	}
	for _, folder := range []string{"../../facts/testdata", "../../rules/testdata"} {
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || !strings.HasSuffix(path, ".json") {
				return err
			}
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			l, _ := levels.Declared(diag.NewSource(path, text))
			for i := range all {
				if l.Schema == all[i].name && l.Schema != "" {
					all[i].files = append(all[i].files, text)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// misshapen says whether the decoder found more wrong with a document of a schema
// than an id that is taken or leads nowhere, of which a JSON Schema cannot tell.
func misshapen(ds []diag.Diagnostic, document any, schema string) bool {
	if object, ok := document.(map[string]any); ok && ds != nil && schema != "" && object["schema"] != schema {
		return true // said of a document only that has no other error
	}
	return slices.ContainsFunc(ds, func(d diag.Diagnostic) bool { return d.Code != "id-duplicate" && d.Code != "reference-unknown" })
}

// A schema accepts a document if and only if the decoder finds nothing wrong in it
// that a schema can say.
func TestSchemasAgreeWithDecoders(t *testing.T) {
	for _, d := range describedDocuments(t) {
		t.Run(d.kind, func(t *testing.T) {
			if len(d.files) == 0 {
				t.Fatal("no documents")
			}
			schema := strictjsontest.Compile(t, d.schema())
			check := func(t rapid.TB, document any) bool {
				text, err := json.Marshal(document)
				if err != nil {
					t.Fatal(err)
				}
				value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
				if err != nil {
					t.Fatal(err)
				}
				ds, err := d.decode(diag.NewSource("a.json", text)), schema.Validate(value)
				refused := misshapen(ds, document, d.name)
				if refused && err == nil {
					t.Fatalf("the schema accepts what the decoder refuses: %s: %s\n%s", ds[0].Code, ds[0].Message, text)
				}
				if !refused && err != nil {
					t.Fatalf("the schema refuses what the decoder accepts: %v\n%s", err, text)
				}
				return !refused
			}
			read := func(t rapid.TB, file []byte) any {
				var document any
				dec := json.NewDecoder(bytes.NewReader(file))
				dec.UseNumber()
				if err := dec.Decode(&document); err != nil {
					t.Fatal(err)
				}
				return document
			}
			for _, file := range d.files {
				check(t, read(t, file))
			}
			accepted, refused := 0, 0
			rapid.Check(t, func(t *rapid.T) {
				document := read(t, rapid.SampledFrom(d.files).Draw(t, "file"))
				for range rapid.IntRange(0, 2).Draw(t, "mutations") {
					document = strictjsontest.Mutate(t, document)
				}
				if check(t, document) {
					accepted++
				} else {
					refused++
				}
			})
			if least := (accepted + refused) / 20; accepted < least || refused < least || least == 0 {
				t.Errorf("%d documents were accepted and %d refused: too few of one kind", accepted, refused)
			}
		})
	}
}

// Every object and every field of a document says what it means.
func TestDocumentsAreDescribed(t *testing.T) {
	fields := 0
	for _, d := range describedDocuments(t) {
		s := d.schema()
		for _, object := range append(s.Defs, strictjsontest.Named(d.kind, s)) {
			if object.Schema.Description == "" {
				t.Errorf("%s: %s has no comment", d.kind, object.Name)
			}
			for _, f := range object.Schema.Properties {
				fields++
				if !hasSentence(f.Schema) {
					t.Errorf("%s: %s of %s has no comment of its own: %q", d.kind, f.Name, object.Name, f.Schema.Description)
				}
			}
		}
	}
	if fields < 300 {
		t.Errorf("only %d fields", fields)
	}
}

// hasSentence says whether a field has a sentence.
func hasSentence(s *strictjson.Schema) bool {
	return strings.HasSuffix(s.Description, ".") && strings.ToUpper(s.Description[:1]) == s.Description[:1]
}
