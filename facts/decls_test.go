package facts

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/mangle/ast"

	"plancheck/internal/datalog"
	"plancheck/internal/diag"
)

// The unit made without parsing is the one that parsing Decls makes.
func TestUnitIsWhatDeclsSay(t *testing.T) {
	src := diag.NewSource("facts", []byte(Decls()))
	parsed, ds := datalog.Parse(src)
	if parsed == nil {
		t.Fatal(ds)
	}
	want, ds := datalog.Compile([]*datalog.Unit{parsed}, nil)
	if want == nil {
		t.Fatal(ds)
	}
	got, ds := datalog.Compile([]*datalog.Unit{Unit()}, nil)
	if got == nil {
		t.Fatal(ds)
	}
	ignore := cmpopts.IgnoreFields(datalog.Relation{}, "Unit")
	same := cmp.Comparer(func(a, b ast.Atom) bool { return a.String() == b.String() })
	if diff := cmp.Diff(want.Relations(), got.Relations(), ignore, same); diff != "" {
		t.Errorf("-parsed +made\n%s", diff)
	}
}
