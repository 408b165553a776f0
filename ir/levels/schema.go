package levels

import (
	"sync"

	"plancheck/internal/record"
	"plancheck/internal/strictjson"
	"plancheck/ir"
)

// Comments are those of the types of all levels.
var Comments = sync.OnceValue(func() record.Comments {
	c := record.Comments{
		// What fields of these names are, where they have no comment of their own.
		".ID":      "ID is what the rest of the document calls it.",
		".Name":    "Name is for people: nothing is derived from it.",
		".DType":   "DType is the data type of the elements.",
		".Lineage": "Lineage is what it was made from.",
	}
	c.Read("plancheck/ir", ir.Sources)
	return c
})

// JSONSchema returns the JSON Schema of the documents of a level.
func (l Level) JSONSchema() *strictjson.Schema {
	s := record.Schema(l.New(), Comments())
	s.Properties.Get("schema").Const = l.Schema
	return s
}
