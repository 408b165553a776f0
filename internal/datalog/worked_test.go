package datalog_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/datalog/datalogtest"
	"plancheck/internal/diag"
	"plancheck/internal/symbol"
)

// TestWorkedAnswers compares with answers worked out by hand and checks the
// proof of every row.
func TestWorkedAnswers(t *testing.T) {
	for _, c := range datalogtest.Worked() {
		srcs := []*diag.Source{diag.NewSource("worked.dl", []byte(c.Program))}
		syms := symbol.NewTable()
		db, diff := evaluate(srcs, syms, nil, nil, []string{c.Relation})
		if diff != "" {
			t.Errorf("%s\n%s", c.Program, diff)
			continue
		}
		var got []string
		for _, row := range db.Rows(c.Relation) {
			got = append(got, datalogtest.FormatAtom("", datalogtest.FromSymbols(syms, row)))
			proof, err := db.Prove(c.Relation, row)
			if err == nil {
				err = datalogtest.CheckProof(proof, srcs, syms, nil)
			}
			if err != nil {
				t.Errorf("%s\n%v", c.Program, err)
			}
		}
		if diff := cmp.Diff(c.Want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s\n-want +got:\n%s", c.Program, diff)
		}
	}
}

// TestProveWhatDoesNotFollow asks for proofs of rows that are not there.
func TestProveWhatDoesNotFollow(t *testing.T) {
	srcs := []*diag.Source{diag.NewSource("absent.dl", []byte(`p(1). q(X) :- p(X).`))}
	syms := symbol.NewTable()
	db, diff := evaluate(srcs, syms, nil, nil, []string{"q"})
	if diff != "" {
		t.Fatal(diff)
	}
	for _, c := range []struct {
		relation string
		row      []symbol.Value
	}{{"q", []symbol.Value{2}}, {"p", []symbol.Value{2}}, {"nothing", []symbol.Value{1}}, {"q", nil}, {"q", []symbol.Value{1, 1}}} {
		if proof, err := db.Prove(c.relation, c.row); err == nil {
			t.Errorf("%s%v has a proof: %s", c.relation, c.row, proofText(syms, proof, ""))
		}
	}
	if got := db.Rows("nothing"); len(got) != 0 || db.Len("nothing") != 0 {
		t.Errorf("a relation that is not there has rows: %v", got)
	}
}
