package ir

import (
	"fmt"
	"strings"

	"plancheck/internal/diag"
	"plancheck/internal/strictjson"
	"plancheck/internal/symbol"
)

// DecodePlan reads a plan strictly. It returns either the plan or every error
// of the document, sorted, each with its place.
func DecodePlan(src *diag.Source) (*Plan, []diag.Diagnostic) {
	d := readPlan(src)
	if d.Failed() {
		return nil, d.Diagnostics()
	}
	return d.plan, nil
}

// Validate checks a plan that was built rather than read for everything that
// DecodePlan would object to in its document. The diagnostics have pointers
// into that document and no lines.
func Validate(p *Plan) []diag.Diagnostic {
	name := ""
	if p.Source != nil {
		name = p.Source.Name
	}
	return readPlan(diag.NewSource(name, Encode(p))).DiagnosticsByPointer()
}

// Schema describes the documents that DecodePlan reads: all that it accepts,
// and nothing that has another shape, another type or a number out of range.
// That ids are unique, that references lead somewhere and that lists belonging
// together are equally long a JSON Schema cannot say.
func Schema() *strictjson.Schema {
	return strictjson.Describe(func(r *strictjson.Reader) {
		d := newDecoder(r, nil)
		planShape.Read(d.Reader, d, d.plan)
	})
}

func readPlan(src *diag.Source) *decoder {
	d := newDecoder(strictjson.NewReader(src), src)
	at := d.Offset()
	whole := planShape.Read(d.Reader, d, d.plan)
	if whole && !d.graphGiven && !d.Stopped() {
		if d.plan.Program == nil {
			d.Report(at, "missing-field", `a plan must have the field "graph"`, "")
		} else {
			d.unknown = 0 // there are no ops, weights, values and inputs
		}
	}
	d.End()
	if !d.Stopped() {
		d.check()
	}
	return d
}

func newDecoder(r *strictjson.Reader, src *diag.Source) *decoder {
	symbols := symbol.NewBuilder()
	return &decoder{
		Reader:  r,
		symbols: symbols,
		plan:    &Plan{Symbols: symbols.Table(), Source: src, LogicalCores: None},
		texts:   map[string]string{},
		unknown: anyKind,
	}
}

// decoder fills a plan from a document. Its tables of fields are in shapes.go,
// the checks that need the whole document in check.go.
type decoder struct {
	*strictjson.Reader
	symbols   symbol.Builder
	trails    trails
	program   programTrails
	extension extensionTrails
	plan      *Plan
	texts     map[string]string // short strings that come again and again

	// unknown are the kinds of ids that the document does not tell completely,
	// because of errors: references to them cannot be judged.
	unknown kinds
	// unlisted are the nouns of a program's entities whose lists could not be
	// read, and regionless the offsets of channels whose region could not.
	unlisted   []string
	regionless []uint32
	// graphGiven says that the document has a graph.
	graphGiven bool

	ids     []ID // buffers of the list that is being read
	numbers []int64
	offsets []uint32
	kinds   []KindWork

	idArena     arena[ID]
	numberArena arena[int64]
	offsetArena arena[uint32]
	kindArena   arena[KindWork]
}

// trails follow the series of references in a plan, one for each field.
type trails struct {
	consumer, valueFrom, opWeight, forwards, edgeFrom, edgeTo, edgeValue symbol.Trail
	instance, split, resident, replica                                   symbol.Trail
	transferFrom, transferTo, sync                                       symbol.Trail
}

// entries reads a list of objects of one shape, each beginning as fresh says.
// It returns nil if there is no list.
func entries[T any](d *decoder, shape *strictjson.Shape[*decoder, T], fresh func(at uint32) T) []T {
	l := d.List("a list")
	if !l.Ok() {
		return nil
	}
	var all list[T]
	for l.Next() {
		shape.Read(d.Reader, d, all.add(fresh(d.Offset())))
	}
	return all.take()
}

// told notes whether the list of a kind of ids could be read.
func (d *decoder) told(k kinds, read bool) {
	d.unknown &^= k
	if !read {
		d.unknown |= k
	}
}

// text reads a string.
func (d *decoder) text() string {
	b, ok := d.String("a string")
	if !ok {
		return ""
	}
	return d.share(b)
}

// name reads a string that is not empty; what says what it names. It returns an
// empty one on an error.
func (d *decoder) name(what string) string { return d.share(d.idBytes(what)) }

func (d *decoder) share(b []byte) string {
	s, known := d.texts[string(b)]
	if !known {
		s = string(b)
		d.texts[s] = s
	}
	return s
}

// id reads the id of a new entity; what names its kind: "an op id". It returns
// NoID on an error.
func (d *decoder) id(what string) ID {
	if b := d.idBytes(what); b != nil {
		return d.symbols.String(b)
	}
	return NoID
}

// reference reads an id that is one of a series.
func (d *decoder) reference(what string, trail *symbol.Trail) ID {
	if b := d.idBytes(what); b != nil {
		return d.symbols.Next(b, trail)
	}
	return NoID
}

// idBytes returns nil on an error.
func (d *decoder) idBytes(what string) []byte {
	at := d.Offset()
	b, ok := d.String(what)
	if s := d.Described(); s != nil {
		s.MinLength = 1
	}
	if !ok {
		return nil
	}
	if len(b) == 0 {
		d.ReportValue(at, "id-empty", "must not be empty", "")
		return nil
	}
	return b
}

// idList reads a list of ids and leaves the offsets of its entries in d.offsets.
func (d *decoder) idList(lists, what string, trail *symbol.Trail) []ID {
	l := d.List(lists)
	if !l.Ok() {
		return nil
	}
	d.ids, d.offsets = d.ids[:0], d.offsets[:0]
	for l.Next() {
		d.offsets = append(d.offsets, d.Offset())
		d.ids = append(d.ids, d.reference(what, trail))
	}
	return d.idArena.keep(d.ids)
}

// number reads an integer of at least least. On an error it returns a number
// that no later check objects to.
func (d *decoder) number(least int64) int64 {
	if n, ok := d.Int(least); ok {
		return n
	}
	return least
}

// numberOrNull is number, but null is a hole.
func (d *decoder) numberOrNull(least int64) int64 {
	if d.Null() {
		return None
	}
	return d.number(least)
}

// key reads an integer that names something. On an error it returns None.
func (d *decoder) key() int64 {
	if n, ok := d.Int(0); ok {
		return n
	}
	return None
}

// numberList reads a list of integers of at least least.
func (d *decoder) numberList(lists string, least int64) []int64 {
	l := d.List(lists)
	if !l.Ok() {
		return nil
	}
	d.numbers = d.numbers[:0]
	for l.Next() {
		d.numbers = append(d.numbers, d.number(least))
	}
	return d.numberArena.keep(d.numbers)
}

// holeList reads a list of integers and nulls, which are holes, or null
// instead of it, and leaves the offsets of its entries in d.offsets.
func (d *decoder) holeList(lists string) []int64 {
	if d.Null() {
		return nil
	}
	l := d.List(lists)
	if !l.Ok() {
		return nil
	}
	d.numbers, d.offsets = d.numbers[:0], d.offsets[:0]
	for l.Next() {
		d.offsets = append(d.offsets, d.Offset())
		d.numbers = append(d.numbers, d.numberOrNull(0))
	}
	return d.numberArena.keep(d.numbers)
}

// pair reads a list of two integers of at least least; what names them: "[row,
// column]". It returns nil on an error.
func (d *decoder) pair(what string, least int64) []int64 {
	at := d.Offset()
	two := d.numberList(what, least)
	if s := d.Described(); s != nil {
		s.MinItems, s.MaxItems = 2, 2
	}
	if two != nil && len(two) != 2 {
		d.ReportValue(at, "length-mismatch", fmt.Sprintf("must be %s, found %s", what, count(len(two), "number")), "")
		return nil
	}
	return two
}

// schema reads the name of the document's schema; none says what the document
// is not when it names another one.
func (d *decoder) schema(want, none string) {
	at := d.Offset()
	b, ok := d.String("the name of the schema, " + `"` + want + `"`)
	if s := d.Described(); s != nil {
		s.Const = want
	}
	if !ok || string(b) == want {
		return
	}
	code, help := "schema-name-mismatch", none
	name, version, _ := strings.Cut(want, "/")
	if foundName, found, _ := strings.Cut(string(b), "/"); foundName == name {
		code, help = "schema-version-mismatch", fmt.Sprintf("version %s can be read, version %s cannot", version, strictjson.Quote(found))
		if found == "" {
			help = "the name must end with its version"
		}
	}
	d.ReportValue(at, code, fmt.Sprintf("must be %q, found %s", want, strictjson.Quote(string(b))), help)
}

// count writes a number of things: "1 entry", "3 entries".
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	if stem, ok := strings.CutSuffix(noun, "y"); ok {
		return fmt.Sprintf("%d %sies", n, stem)
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
