package lineage

import "plancheck/internal/record"

// TrailSchema names what JSON writes.
const TrailSchema = "plancheck.trail/1"

// Report is a trail for tools.
type Report struct {
	_  struct{} `noun:"a trail"`
	At uint32

	Schema string `json:"schema"`
	// Word is what was asked for.
	Word string `json:"word"`
	// Levels are those that are given or that the trail goes through, in reading
	// order.
	Levels []LevelReport `json:"levels"`
	// Notes say what is missing.
	Notes []string `json:"notes,optional"`
}

// LevelReport is what the trail has of one level.
type LevelReport struct {
	_  struct{} `noun:"a level"`
	At uint32

	Level  string `json:"level"` // model, tasks, ...
	Schema string `json:"schema"`
	// Gap says what it means that no document of the level is given.
	Gap       string           `json:"gap,optional"`
	Documents []DocumentReport `json:"documents,optional"`
	Entities  []EntityReport   `json:"entities,optional"`
}

// DocumentReport is a document of a level that is given.
type DocumentReport struct {
	_  struct{} `noun:"a document"`
	At uint32

	File   string `json:"file"`
	Digest string `json:"digest"`
}

// EntityReport is an entity of the trail.
type EntityReport struct {
	_  struct{} `noun:"an entity"`
	At uint32

	ID   string `json:"id"`
	Kind string `json:"kind"`
	Name string `json:"name,optional"`
	// File and Line are where it stands; absent where only its id is known.
	File   string `json:"file,optional"`
	Line   int64  `json:"line,optional" min:"1"`
	Rank   int64  `json:"rank,optional" min:"0" absent:"-1"`
	Device string `json:"device,optional"`
	// Asked says that it was asked for.
	Asked bool   `json:"asked,optional"`
	Text  string `json:"text"`
	// MadeFrom are ids of entities of higher levels, also of those that are not in
	// the trail.
	MadeFrom   []string   `json:"made_from,optional"`
	Properties []Property `json:"properties,optional"`
}

// JSON writes the trail for tools.
func (t *Trail) JSON(word string) []byte {
	x := t.index
	r := &Report{Schema: TrailSchema, Word: word, Levels: []LevelReport{}, Notes: t.Notes()}
	for l, level := range Levels() {
		of := LevelReport{Level: level.Name, Schema: level.Schema, Gap: t.gap(l)}
		for _, d := range x.given(level.Schema) {
			of.Documents = append(of.Documents, DocumentReport{File: d.name, Digest: d.digest})
		}
		for _, e := range t.entities {
			if e.kind.level() == l {
				of.Entities = append(of.Entities, t.entity(e))
			}
		}
		if of.Documents != nil || of.Entities != nil || of.Gap != "" {
			r.Levels = append(r.Levels, of)
		}
	}
	return record.Encode(r)
}

func (t *Trail) entity(e *entity) EntityReport {
	r := EntityReport{
		ID: e.id, Kind: e.kind.String(), Name: e.name, Line: int64(e.line()), Rank: e.rank, Device: e.device,
		Asked: t.asked[e], Text: t.index.words(e, false), Properties: t.index.properties(e, false),
	}
	if e.document != nil {
		r.File = e.document.name
	}
	for _, up := range e.up {
		r.MadeFrom = append(r.MadeFrom, up.id)
	}
	return r
}
