package strictjson

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/diag"
)

// tree has all that a decoder can ask for.
type tree struct {
	size     int64
	ratio    float64
	children []*tree
}

type treeDecoder struct{ *Reader }

var treeShape *Shape[treeDecoder, tree]

func init() {
	treeShape = NewShape("a tree",
		Required("size", func(d treeDecoder, t *tree) { t.size, _ = d.Int(1) }),
		Optional("ratio", func(d treeDecoder, t *tree) { t.ratio, _ = d.Float(0) }),
		Optional("leaf", func(d treeDecoder, t *tree) { d.Bool() }),
		Optional("name", func(d treeDecoder, t *tree) {
			d.String("a name")
			if s := d.Described(); s != nil {
				s.MinLength = 1
			}
		}),
		Optional("children", func(d treeDecoder, t *tree) {
			if d.Null() {
				return
			}
			for l := d.List("a list of trees"); l.Next(); {
				child := &tree{}
				treeShape.Read(d.Reader, d, child)
				t.children = append(t.children, child)
			}
		}),
		Optional("parent", func(d treeDecoder, t *tree) {
			if !d.Null() {
				treeShape.Read(d.Reader, d, t)
			}
		}),
		Optional("note", func(d treeDecoder, t *tree) { noteShape.Read(d.Reader, d, t) }),
	)
}

var noteShape = NewShape("a short note",
	Required("text", func(d treeDecoder, _ *tree) { d.String("a string") }),
).Open().Annotate(func(s *Schema) { s.Description = "for people" })

func TestDescribe(t *testing.T) {
	s := Describe(func(r *Reader) { treeShape.Read(r, treeDecoder{r}, &tree{}) })
	got, err := s.Document()
	if err != nil {
		t.Fatal(err)
	}
	const tree = `"title": "a tree",
  "type": "object",
  "properties": {
    "size": {"type": "integer", "minimum": 1, "maximum": 9223372036854775807},
    "ratio": {"type": "number", "minimum": 0},
    "leaf": {"type": "boolean"},
    "name": {"description": "a name", "type": "string", "minLength": 1},
    "children": {"description": "a list of trees", "type": ["array", "null"], "items": {"$ref": "#/$defs/tree"}},
    "parent": {"anyOf": [{"$ref": "#/$defs/tree"}, {"type": "null"}]},
    "note": {"$ref": "#/$defs/short-note"}
  },
  "required": ["size"]`
	want := `{"$schema": "https://json-schema.org/draft/2020-12/schema", ` + tree + `,
  "$defs": {
    "tree": {` + tree + `, "additionalProperties": false},
    "short-note": {"title": "a short note", "description": "for people", "type": "object",
      "properties": {"text": {"type": "string"}}, "required": ["text"]}
  }, "additionalProperties": false}`
	if diff := cmp.Diff(strings.Join(strings.Fields(want), ""), strings.Join(strings.Fields(string(got)), "")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// Where a document is read nothing is described.
func TestDescribedOfADocument(t *testing.T) {
	r := NewReader(diag.NewSource("f", []byte(`{"size": 3, "name": "x"}`)))
	var got tree
	treeShape.Read(r, treeDecoder{r}, &got)
	if r.Described() != nil || r.Failed() || got.size != 3 {
		t.Errorf("described %v, failed %v, size %d", r.Described(), r.Failed(), got.size)
	}
}
