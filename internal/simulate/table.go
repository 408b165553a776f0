package simulate

import (
	"embed"

	"plancheck/internal/record"
	"plancheck/internal/strictjson"
)

// Table is how long each command of one plan takes.
type Table struct {
	_  struct{} `noun:"a table of durations"`
	At uint32

	// Schema is what kind of document this is, and the version of its format.
	Schema string `json:"schema" enum:"plancheck.durations/1"`
	// Durations are how long commands take, each once; signals, waits
	// and barriers need none.
	Durations []Duration `json:"durations" defines:"command"`
}

// TableSchema names tables of durations.
const TableSchema = "plancheck.durations/1"

// Duration is how long a command takes.
type Duration struct {
	_  struct{} `noun:"a duration"`
	At uint32

	// Command is the id of a command of the plan.
	Command string `json:"id"`
	// Picoseconds is how long it takes.
	Picoseconds int64 `json:"duration_ps" min:"0"`
}

// source has this file, whose comments say what the fields of a Table mean.
//
//go:embed table.go
var source embed.FS

// TableJSONSchema returns the JSON Schema of tables of durations.
func TableJSONSchema() *strictjson.Schema {
	c := record.Comments{}
	c.Read("plancheck/internal/simulate", source)
	return record.Schema(&Table{}, c)
}
