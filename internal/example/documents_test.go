package example

import (
	"context"
	"strings"
	"testing"

	"plancheck/facts"
	"plancheck/internal/diag"
	"plancheck/ir/levels"
	"plancheck/rules"
)

// Every built-in document is legal, by itself and beside the one that it was made
// from, and is read back as it was written.
func TestDocumentsAreLegal(t *testing.T) {
	made := map[string]*facts.Document{} // by digest
	for _, name := range DocumentNames() {
		body, err := Document(name)
		if err != nil {
			t.Fatal(err)
		}
		text := levels.Encode(body)
		d, diags := facts.Decode(diag.NewSource(name, text))
		if d == nil {
			t.Fatalf("%s: %v", name, diags)
		}
		if again := levels.Encode(d.Body()); string(again) != string(text) || d.Digest() != levels.Digest(body) {
			t.Errorf("%s changes when it is read", name)
		}
		if DocumentDoc(name) == "" {
			t.Errorf("%s is not described", name)
		}
		made[d.Digest()] = d
		beside := []*facts.Document{nil}
		for _, p := range body.Head().Parents {
			if made[p.Digest] == nil {
				t.Errorf("%s was made from a %s that is not built in", name, p.Schema)
			}
			beside = append(beside, made[p.Digest])
		}
		set, _ := rules.LoadFor(d.Schema, nil)
		for _, parent := range beside {
			v, err := set.JudgeDocument(context.Background(), d, rules.Options{Parent: parent})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range v.Findings {
				t.Errorf("%s: %s: %s", name, f.Code, f.Message)
			}
		}
	}
	if _, err := Document("b200-target"); err == nil || !strings.Contains(err.Error(), "a100-target") {
		t.Errorf("an unknown document: %v", err)
	}
}
