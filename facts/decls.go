package facts

import (
	"fmt"
	"strings"

	"plancheck/internal/datalog"
	"plancheck/internal/diag"
)

// Decls returns the declarations of all relations in Mangle's language, each
// with its doc and the types of its columns.
func Decls() string {
	var b strings.Builder
	for _, r := range Relations() {
		var vars, types []string
		for _, c := range r.Cols {
			vars = append(vars, c.Name)
			types = append(types, string(c.Type))
		}
		fmt.Fprintf(&b, "Decl %s(%s)\n  descr [doc(%s)]\n  bound [%s].\n",
			r.Name, strings.Join(vars, ", "), quote(r.Doc), strings.Join(types, ", "))
	}
	return b.String()
}

// declLines is how many lines Decls takes for a relation.
const declLines = 3

// Unit is Decls as a unit of rules, without being parsed.
func Unit() *datalog.Unit {
	var ds []datalog.Declaration
	for _, r := range Relations() {
		d := datalog.Declaration{Name: r.Name, Doc: r.Doc}
		for _, c := range r.Cols {
			d.Cols = append(d.Cols, c.Name)
			d.Types = append(d.Types, string(c.Type))
		}
		ds = append(ds, d)
	}
	return datalog.Declare(diag.NewSource("facts", []byte(Decls())), ds, declLines)
}
