package strictjson

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"plancheck/internal/diag"
)

// maxProblems ends the reading of documents that are wrong through and through.
const maxProblems = 10_000

// problem is an error on its way to a diagnostic.
type problem struct {
	offset uint32
	code   string
	text   string
	help   string
	label  bool // the message begins with the name of the value at offset
	bare   bool // the line is not fit to be shown
	// relation says that the message ends with the place of related.
	relation bool
	related  uint32
}

func (r *Reader) add(p problem) {
	if len(r.problems) < maxProblems {
		r.problems = append(r.problems, p)
		return
	}
	if !r.stopped {
		r.stopped = true
		r.problems = append(r.problems, problem{
			offset: p.offset, code: "too-many-errors",
			text: fmt.Sprintf("reading ends here, after %d errors", maxProblems),
		})
	}
}

// Report notes an error at a byte offset. The help may be empty.
func (r *Reader) Report(at uint32, code, message, help string) {
	r.add(problem{offset: at, code: code, text: message, help: help})
}

// ReportValue is Report for the value at a byte offset; the message goes on
// behind the value's name: `"consumers" ` or `an entry of "consumers" `.
func (r *Reader) ReportValue(at uint32, code, message, help string) {
	r.about(at, code, message, help)
}

// ReportRepeat is Report for something that stands at an earlier offset too;
// the message goes on with that place: ` on line 7`.
func (r *Reader) ReportRepeat(at, first uint32, code, message string) {
	r.add(problem{offset: at, code: code, text: message, relation: true, related: first})
}

func (r *Reader) about(at uint32, code, message, help string) {
	r.add(problem{offset: at, code: code, text: message, help: help, label: true})
}

// stop reports an error that ends reading.
func (r *Reader) stop(at int, code, message string) {
	if !r.stopped {
		r.Report(uint32(at), code, message, "")
		r.stopped = true
	}
}

// Diagnostics returns the errors so far, sorted.
func (r *Reader) Diagnostics() []diag.Diagnostic {
	return r.diagnostics(func(offsets []uint32) []string {
		places := make([]string, len(offsets))
		for i, offset := range offsets {
			places[i] = fmt.Sprintf(" on line %d", r.src.LineAt(int(offset)))
		}
		return places
	})
}

// DiagnosticsByPointer returns the errors for a document that nobody has seen
// as text: with pointers, and without lines, columns and snippets.
func (r *Reader) DiagnosticsByPointer() []diag.Diagnostic {
	ds := r.diagnostics(func(offsets []uint32) []string {
		places := Pointers(r.data, offsets)
		for i, pointer := range places {
			places[i] = " at " + pointer
		}
		return places
	})
	for i := range ds {
		ds[i].Pos = diag.Position{File: ds[i].Pos.File, Pointer: ds[i].Pos.Pointer}
		ds[i].Snippet, ds[i].SnippetSkip = "", 0
	}
	return ds
}

// diagnostics builds the diagnostics; places names offsets that others are
// related to, for the ends of messages.
func (r *Reader) diagnostics(places func(offsets []uint32) []string) []diag.Diagnostic {
	slices.SortStableFunc(r.problems, func(a, b problem) int { return cmp.Compare(a.offset, b.offset) })
	offsets := make([]uint32, len(r.problems))
	var related []uint32
	for i, p := range r.problems {
		offsets[i] = p.offset
		if p.relation {
			related = append(related, p.related)
		}
	}
	pointers, relations := Pointers(r.data, offsets), places(related)
	var ds []diag.Diagnostic
	for i, p := range r.problems {
		d := diag.Diagnostic{Code: p.code, Severity: diag.Error, Message: p.text, Help: p.help}
		if p.label {
			d.Message = valueName(pointers[i]) + " " + d.Message
		}
		if p.relation {
			d.Message += relations[0]
			relations = relations[1:]
		}
		d.Pos = r.src.Position(int(p.offset))
		d.Pos.Pointer = pointers[i]
		if !p.bare {
			d.Snippet, d.SnippetSkip = r.src.Excerpt(int(p.offset))
		}
		ds = append(ds, d)
	}
	diag.Sort(ds)
	return ds
}

// valueName names the value with the given pointer.
func valueName(pointer string) string {
	if pointer == "" {
		return "the document"
	}
	parts := strings.Split(pointer, "/")
	last := parts[len(parts)-1]
	entry := ""
	for len(parts) > 2 && isIndex(last) {
		entry = "an entry of "
		parts = parts[:len(parts)-1]
		last = parts[len(parts)-1]
	}
	return entry + Quote(pointerUnescapes.Replace(last))
}

var pointerUnescapes = strings.NewReplacer("~1", "/", "~0", "~")

func isIndex(s string) bool {
	_, err := strconv.ParseUint(s, 10, 64)
	return err == nil
}

// shownLength is how many bytes of a text a message shows.
const shownLength = 60

// Quote writes a text of the document for a message: in double quotes, odd
// characters escaped, very long ones cut.
func Quote(s string) string {
	if short := shorten(s); short != s {
		return strconv.Quote(strings.TrimSuffix(short, "...")) + "..."
	}
	return strconv.Quote(s)
}

// shorten cuts a long text between characters.
func shorten(s string) string {
	if len(s) <= shownLength {
		return s
	}
	cut := shownLength
	for cut > shownLength-utf8.UTFMax && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut] + "..."
}
