package ir

import (
	"strings"

	"plancheck/internal/diag"
	"plancheck/internal/strictjson"
)

// DeclaredSchema returns what a document calls itself: the text of the field
// "schema" of an object, or "". The rest of the document may be wrong.
func DeclaredSchema(src *diag.Source) string {
	r := strictjson.NewReader(src)
	for o := r.Object(strictjson.NewFields("", "schema").Open()); o.Next(); {
		if o.Field == strictjson.Other {
			r.Skip()
			continue
		}
		name, _ := r.String("")
		return string(name)
	}
	return ""
}

// DeclaresPlan says whether a document calls itself a plan, of whatever version.
func DeclaresPlan(src *diag.Source) bool {
	stem, _, _ := strings.Cut(PlanSchema, "/")
	return strings.HasPrefix(DeclaredSchema(src), stem+"/")
}
