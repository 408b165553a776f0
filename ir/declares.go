package ir

import (
	"strings"

	"plancheck/internal/diag"
	"plancheck/internal/strictjson"
)

// DeclaresPlan says whether a document calls itself a plan: it is an object
// whose field "schema" is that of plans, of whatever version. The rest of the
// document may be wrong.
func DeclaresPlan(src *diag.Source) bool {
	r := strictjson.NewReader(src)
	for o := r.Object(strictjson.NewFields("", "schema").Open()); o.Next(); {
		if o.Field == strictjson.Other {
			r.Skip()
			continue
		}
		name, ok := r.String("")
		stem, _, _ := strings.Cut(PlanSchema, "/")
		return ok && strings.HasPrefix(string(name), stem+"/")
	}
	return false
}
