package record

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/diag"
)

// length is a number of metres in a text form of its own.
type length struct{ m int64 }

func (l length) MarshalText() ([]byte, error) {
	if l.m%1000 == 0 && l.m > 0 {
		return fmt.Appendf(nil, "%dkm", l.m/1000), nil
	}
	return fmt.Append(nil, l.m), nil
}

func (length) Form() (noun, pattern string) { return "a length", "^[0-9]+(km)?$" }

func (l *length) UnmarshalText(b []byte) error {
	unit := "m"
	if _, err := fmt.Sscanf(strings.TrimSuffix(string(b), "km"), "%d", &l.m); err != nil {
		return fmt.Errorf("must be a length")
	}
	if strings.HasSuffix(string(b), "km") {
		unit = "km"
	}
	if unit == "km" {
		l.m *= 1000
	}
	return nil
}

type header struct {
	Name string `json:"name,optional"`
}

type tour struct {
	_  struct{} `noun:"a tour"`
	At uint32

	header
	Huts  []hut    `json:"huts" defines:"hut" rel:"hut(Hut, Beds)" says:"hut {Hut} has {Beds}"`
	Legs  []leg    `json:"legs,optional" rel:"leg(Index#, From, To)" rel2:"leg_end(To, Index#)" says2:"leg {Index} ends at {To}"`
	Notes []string `json:"notes,optional" rel:"note(Note)"`
	Best  *leg     `json:"best,optional" rel:"best(From)"`
}

func (tour) Refused() (string, string, []string) {
	return "timing", "no times", []string{"start"}
}

type hut struct {
	_  struct{} `noun:"a hut" key:"Hut"`
	At uint32

	ID     string   `json:"id"`
	Kind   string   `json:"kind" enum:"stone wood" rel:"hut_kind(Hut, Kind)"`
	Beds   int64    `json:"beds,optional" absent:"-1" min:"0"`
	Open   bool     `json:"open,optional" rel:"hut_open(Hut)" doc:"It is open to all."`
	Height length   `json:"height,optional" rel:"hut_height(Hut, Height)"`
	Near   []string `json:"near,optional" ref:"hut" rel:"near(Hut, Index#, Other)"`
}

type leg struct {
	_    struct{} `noun:"a leg"`
	At   uint32
	From string `json:"from" ref:"hut"`
	To   string `json:"to" ref:"hut"`
}

const written = `{
 "name": "Haute Route",
 "huts": [
  {"id": "a", "kind": "stone", "beds": 0, "open": true, "near": ["b"]},
  {"id": "b", "kind": "wood", "height": "3km"},
  {"id": "c", "kind": "wood", "height": 2875}
 ],
 "legs": [
  {"from": "a", "to": "b"},
  {"from": "b", "to": "c"}
 ],
 "notes": ["x\n", "y"],
 "best": {"from": "b", "to": "c"}
}
`

func decoded(t *testing.T, text string) *tour {
	t.Helper()
	var x tour
	if diags := Decode(diag.NewSource("t.json", []byte(text)), &x); diags != nil {
		t.Fatal(diags)
	}
	return &x
}

func TestRoundTrip(t *testing.T) {
	x := decoded(t, written)
	want := &tour{
		header: header{Name: "Haute Route"},
		Huts: []hut{
			{ID: "a", Kind: "stone", Open: true, Near: []string{"b"}},
			{ID: "b", Kind: "wood", Beds: None, Height: length{3000}},
			{ID: "c", Kind: "wood", Beds: None, Height: length{2875}},
		},
		Legs:  []leg{{From: "a", To: "b"}, {From: "b", To: "c"}},
		Notes: []string{"x\n", "y"},
		Best:  &leg{From: "b", To: "c"},
	}
	places := cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".At" }, cmp.Ignore())
	if diff := cmp.Diff(want, x, cmp.AllowUnexported(tour{}, hut{}, leg{}, length{}), places); diff != "" {
		t.Error(diff)
	}
	if at := written[x.Huts[1].At:]; !strings.HasPrefix(at, `{"id": "b"`) {
		t.Errorf("hut b is at %.20q", at)
	}
	if diff := cmp.Diff(written, string(Encode(x))); diff != "" {
		t.Error(diff)
	}
}

func TestCanonical(t *testing.T) {
	const want = `{"best":{"from":"b","to":"c"},"huts":[{"beds":0,"id":"a","kind":"stone","near":["b"],"open":true},` +
		`{"height":"3km","id":"b","kind":"wood"},{"height":2875,"id":"c","kind":"wood"}],` +
		`"legs":[{"from":"a","to":"b"},{"from":"b","to":"c"}],"name":"Haute Route","notes":["x\n","y"]}`
	x := decoded(t, written)
	if diff := cmp.Diff(want, string(Canonical(x))); diff != "" {
		t.Error(diff)
	}
	// An empty list and a false are as good as none.
	plain, worded := decoded(t, `{"huts": [{"id": "a", "kind": "stone"}]}`), decoded(t, `{"legs": [], "huts": [{"kind": "stone", "id": "a", "open": false, "beds": -0}]}`)
	worded.Huts[0].Beds = None
	if diff := cmp.Diff(Canonical(plain), Canonical(worded)); diff != "" {
		t.Error(diff)
	}
	if a, b := Digest("tour/1", x), Digest("tour/1", x, "name"); a == b || len(a) != len("sha256:")+64 {
		t.Errorf("digests %s, %s", a, b)
	}
	x.Name = ""
	if a, b := Digest("tour/1", x), Digest("tour/1", decoded(t, written), "name"); a != b {
		t.Errorf("digests %s, %s", a, b)
	}
}

func errors(text string) (got []string) {
	for _, d := range Decode(diag.NewSource("t.json", []byte(text)), &tour{}) {
		got = append(got, fmt.Sprintf("%d:%d %s %s: %s (%s)", d.Pos.Line, d.Pos.Column, d.Pos.Pointer, d.Code, d.Message, d.Help))
	}
	return got
}

func TestReferences(t *testing.T) {
	want := []string{
		`2:38 /huts/0/near/0 reference-unknown: an entry of "near" names the hut "alpb", which does not exist (did you mean "alp"?)`,
		`3:18 /best/from reference-unknown: "from" names the hut "x", which does not exist ()`,
	}
	if diff := cmp.Diff(want, errors(`{"huts": [
{"id": "a", "kind": "wood", "near": ["alpb", "alp"]}, {"id": "alp", "kind": "stone"}],
"best": {"from": "x", "to": "a"}}`)); diff != "" {
		t.Error(diff)
	}
	// Of what cannot be read nothing is said.
	if diff := cmp.Diff([]string{`1:10 /huts wrong-type: "huts" must be a list, found a number ()`}, errors(`{"huts": 7, "best": {"from": "x", "to": "a"}}`)); diff != "" {
		t.Error(diff)
	}
}

func TestErrors(t *testing.T) {
	got := errors(`{"huts": [
 {"id": "a", "kind": "straw", "beds": -1},
 {"id": "a", "kind": "wood", "beds": 1.5, "near": ["bb", 7], "hight": 3},
 {"id": "", "kind": "wood", "height": "high"},
 {"id": "b"}], "start": 3, "legs": [{"from": "x", "to": "a"}]} x`)
	want := []string{
		`2:22 /huts/0/kind unknown-type-tag: "kind" is "straw", which is not known (known are stone, wood)`,
		`2:39 /huts/0/beds integer-out-of-range: "beds" must be at least 0, found -1 ()`,
		`3:2 /huts/1 id-duplicate: the hut id "a" is already used on line 2 ()`,
		`3:38 /huts/1/beds not-an-integer: "beds" must be an integer, found 1.5 (write whole numbers without fraction and exponent)`,
		`3:58 /huts/1/near/1 wrong-type: an entry of "near" must be the id of a hut (a string), found a number ()`,
		`3:62 /huts/1/hight unknown-field: a hut has no field "hight" (did you mean "height"?)`,
		`4:9 /huts/2/id id-malformed: "id" is empty ()`,
		`4:39 /huts/2/height wrong-type: "height" must be a length ()`,
		`5:2 /huts/3 missing-field: a hut must have the field "kind" ()`,
		`5:16 /start timing: a tour has no field "start" (no times)`,
		"5:64  json-syntax: expected nothing behind the document, found 'x' ()",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestRelations(t *testing.T) {
	want := []Relation{
		{"hut", []Column{{"Hut", false}, {"Beds", true}}, "", "hut {Hut} has {Beds}", "/huts", "", false},
		{"hut_kind", []Column{{"Hut", false}, {"Kind", false}}, "", "", "/huts", "kind", false},
		{"hut_open", []Column{{"Hut", false}}, "It is open to all.", "", "/huts", "open", false},
		{"hut_height", []Column{{"Hut", false}, {"Height", false}}, "", "", "/huts", "height", false},
		{"near", []Column{{"Hut", false}, {"Index", true}, {"Other", false}}, "", "", "/huts", "near", true},
		{"leg", []Column{{"Index", true}, {"From", false}, {"To", false}}, "", "", "/legs", "", false},
		{"leg_end", []Column{{"To", false}, {"Index", true}}, "", "leg {Index} ends at {To}", "/legs", "", false},
		{"note", []Column{{"Note", false}}, "", "", "/notes", "notes", true},
		{"best", []Column{{"From", false}}, "", "", "/best", "", false},
	}
	if diff := cmp.Diff(want, Relations(&tour{})); diff != "" {
		t.Error(diff)
	}
	var got []string
	Rows(decoded(t, written), func(relation string, at Place, values []any) {
		b, _ := json.Marshal(values)
		got = append(got, fmt.Sprintf("%s%s at %.9q %s %d", relation, b, written[at.Object:], at.Field, at.Entry))
	})
	rows := []string{
		`hut["a",0] at "{\"id\": \"a"  -1`,
		`hut_kind["a","stone"] at "{\"id\": \"a" kind -1`,
		`hut_open["a"] at "{\"id\": \"a" open -1`,
		`near["a",0,"b"] at "{\"id\": \"a" near 0`,
		`hut["b",-1] at "{\"id\": \"b"  -1`,
		`hut_kind["b","wood"] at "{\"id\": \"b" kind -1`,
		`hut_height["b","3km"] at "{\"id\": \"b" height -1`,
		`hut["c",-1] at "{\"id\": \"c"  -1`,
		`hut_kind["c","wood"] at "{\"id\": \"c" kind -1`,
		`hut_height["c","2875"] at "{\"id\": \"c" height -1`,
		`leg[0,"a","b"] at "{\"from\": "  -1`,
		`leg_end["b",0] at "{\"from\": "  -1`,
		`leg[1,"b","c"] at "{\"from\": "  -1`,
		`leg_end["c",1] at "{\"from\": "  -1`,
		`note["x\n"] at "{\n \"name\"" notes 0`,
		`note["y"] at "{\n \"name\"" notes 1`,
		`best["b"] at "{\"from\": "  -1`,
	}
	if diff := cmp.Diff(rows, got); diff != "" {
		t.Error(diff)
	}
}

func TestSchema(t *testing.T) {
	comments := Comments{}
	comments.Read("plancheck/internal", fstest.MapFS{"record/hut.go": {Data: []byte(`package record
// hut is where
// walkers sleep.
type hut struct {
	Kind, Kinds string // Kind says what it is built of.
	// Beds are for how many.
	Beds int64 // not this
	Open bool
}
`)}})
	b, err := json.Marshal(Schema(&hut{}, comments))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"title":"a hut","description":"Where walkers sleep.","type":"object","properties":{"id":{"type":"string","minLength":1},` +
		`"kind":{"description":"Says what it is built of.","type":"string","enum":["stone","wood"]},` +
		`"beds":{"description":"For how many.","type":"integer","minimum":0,"maximum":9223372036854775807},` +
		`"open":{"description":"It is open to all.","type":"boolean","default":false},` +
		`"height":{"title":"a length","description":"a string or an integer","type":["string","integer"],"minimum":-9223372036854775808,"maximum":9223372036854775807,"pattern":"^[0-9]+(km)?$"},` +
		`"near":{"type":"array","items":{"description":"the id of a hut (a string)","type":"string"}}},` +
		`"required":["id","kind"],"additionalProperties":false}`
	if diff := cmp.Diff(want, string(b)); diff != "" {
		t.Error(diff)
	}
}
