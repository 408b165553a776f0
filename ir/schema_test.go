package ir

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"plancheck/internal/diag"
	"plancheck/internal/strictjson/strictjsontest"
	"plancheck/internal/symbol"
)

// shapeCodes are the errors of shape, type and range, which the schema must
// refuse too.
var shapeCodes = []string{
	"missing-field", "unknown-field", "wrong-type", "not-an-integer", "integer-out-of-range", "id-empty",
	"schema-name-mismatch", "schema-version-mismatch", "logical-schedule-has-stage", "attribute-reserved", "unknown-type-tag",
	"target-extension-unknown", "untyped-target-metadata",
}

// misshapen says whether the decoder found an error of shape, type or range.
func misshapen(ds []diag.Diagnostic) bool {
	return slices.ContainsFunc(ds, func(d diag.Diagnostic) bool {
		pair := d.Code == "length-mismatch" && strings.Contains(d.Message, "must be [")
		return pair || slices.Contains(shapeCodes, d.Code)
	})
}

// checkSchema holds that the schema accepts a document if and only if the
// decoder finds no error of shape, type or range in it.
func checkSchema(t rapid.TB, schema *jsonschema.Schema, document []byte) {
	t.Helper()
	_, ds := DecodePlan(diag.NewSource("plan.json", document))
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	if err != nil {
		t.Fatalf("%v\n%s", err, document)
	}
	err = schema.Validate(value)
	if misshapen(ds) && err == nil {
		t.Fatalf("the schema accepts what the decoder refuses: %s\n%s", ds[0].Message, document)
	}
	if !misshapen(ds) && err != nil {
		t.Fatalf("the schema refuses what the decoder accepts: %v\n%s", err, document)
	}
}

func TestSchemaAgreesWithDecoder(t *testing.T) {
	schema := strictjsontest.Compile(t, Schema())
	accepted, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		plan := random{t, symbol.NewTable()}.plan()
		var document any
		dec := json.NewDecoder(bytes.NewReader(Encode(plan)))
		dec.UseNumber()
		if err := dec.Decode(&document); err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(0, 2).Draw(t, "mutations") {
			document = strictjsontest.Mutate(t, document)
		}
		data, err := json.Marshal(document)
		if err != nil {
			t.Fatal(err)
		}
		checkSchema(t, schema, data)
		if _, ds := DecodePlan(diag.NewSource("plan.json", data)); misshapen(ds) {
			refused++
		} else {
			accepted++
		}
	})
	if least := (accepted + refused) / 20; accepted < least || refused < least || least == 0 {
		t.Errorf("%d documents were accepted and %d refused: too few of one kind", accepted, refused)
	}
}

// Each line is one way to be wrong, or nearly so.
func TestSchemaCases(t *testing.T) {
	schema := strictjsontest.Compile(t, Schema())
	wrap := func(parts string) string {
		return `{"schema": "plancheck.concrete-plan/1", "graph": {"ops": [{"id": "a", "work_cycles": 1}]}` + parts + `}`
	}
	for _, document := range []string{
		`null`, `[]`, `{}`,
		wrap(``),
		wrap(`, "target": {"cores": [], "topology": {}}`),
		wrap(`, "target": {"cores": [], "topology": {"mesh": [1, 1]}}`),
		wrap(`, "target": {"cores": [], "topology": {"mesh": [1, 1], "distances": []}}`),
		wrap(`, "target": {"cores": [], "topology": {"mesh": [0, 1]}}`),
		wrap(`, "target": {"cores": [], "topology": {"mesh": [1]}}`),
		wrap(`, "target": {"cores": [], "topology": {"mesh": [1, 1, 1]}}`),
		wrap(`, "stages": [{"index": 0, "cores": null}]`),
		wrap(`, "stages": [{"index": null}]`),
		wrap(`, "stages": [{"index": 9223372036854775807}]`),
		wrap(`, "stages": [{"index": 9223372036854775808}]`),
		wrap(`, "stages": [{"index": -1}]`),
		wrap(`, "stages": [{"index": 1.5}]`),
		wrap(`, "stages": [{"index": true}]`),
		wrap(`, "assignment": {"placement": [null, 0]}`),
		wrap(`, "assignment": {"placement": null}`),
		wrap(`, "assignment": {"instances": null}`),
		wrap(`, "assignment": {"instances": [{"op": "a", "stage": null, "cores": [null]}]}`),
		wrap(`, "assignment": {"instances": [{"op": ""}]}`),
		wrap(`, "assignment": {"instances": [{"op": "gone"}]}`), // not of shape
		wrap(`, "sync": [{"id": "s"}]`),
		wrap(`, "colour": 1`),
		`{"schema": "plancheck.concrete-plan/1"}`,
		`{"schema": "plancheck.concrete-plan/1", "program": {"commands": []}}`,
		`{"schema": "plancheck.concrete-plan/1", "program": {}}`,
		wrap(`, "program": {"commands": [{"id": "c", "kind": "launch"}]}`),
		wrap(`, "program": {"commands": [{"id": "c", "kind": "lunch"}]}`),
		wrap(`, "program": {"commands": [{"id": "c", "kind": "launch", "predicted_start": 1}]}`),
		wrap(`, "program": {"commands": [{"id": "c", "kind": "launch", "after": ["c", ""]}]}`),
		wrap(`, "program": {"commands": [], "channels": [{"id": "a", "depth": 0, "slot_bytes": 8}]}`),
		wrap(`, "program": {"commands": [], "queues": [{"id": "q", "device": "d", "kind": "gpu"}]}`), // and no such device
	} {
		checkSchema(t, schema, []byte(document))
	}
}

// TestSchemaIsWhole holds that each field of each object says what it may be.
func TestSchemaIsWhole(t *testing.T) {
	s := Schema()
	objects := append(s.Defs, strictjsontest.Named("plan", s))
	fields := 0
	for _, object := range objects {
		if !object.Schema.Closed || len(object.Schema.Properties) == 0 {
			t.Errorf("%s is open or empty", object.Name)
		}
		for _, p := range object.Schema.Properties {
			fields++
			if p.Schema.Type == nil && p.Schema.Ref == "" && p.Schema.AnyOf == nil {
				t.Errorf("%s of %s may be anything", p.Name, object.Name)
			}
		}
	}
	if fields < 60 {
		t.Errorf("only %d fields", fields)
	}
}
