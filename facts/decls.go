package facts

import (
	"fmt"
	"strings"
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
		fmt.Fprintf(&b, "Decl %s(%s)\n  descr [doc(%s), says(%s)]\n  bound [%s].\n",
			r.Name, strings.Join(vars, ", "), quote(r.Doc), quote(r.Says), strings.Join(types, ", "))
	}
	return b.String()
}
