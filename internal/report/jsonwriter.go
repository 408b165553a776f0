package report

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// jsonWriter writes a JSON document piece by piece, so that a large report is
// never held in memory as a whole. Its first error sticks.
type jsonWriter struct {
	w     *bufio.Writer
	depth int
	empty bool // nothing stands yet in the innermost object or list
	err   error
	buf   bytes.Buffer
	enc   *json.Encoder
}

func newJSONWriter(w io.Writer) *jsonWriter {
	out := &jsonWriter{w: bufio.NewWriter(w), empty: true}
	out.enc = json.NewEncoder(&out.buf)
	out.enc.SetEscapeHTML(false)
	return out
}

// open begins an object or a list; name is empty in a list.
func (out *jsonWriter) open(name string, bracket byte) {
	out.begin(name)
	out.w.WriteByte(bracket)
	out.depth++
	out.empty = true
}

// close ends the innermost object or list.
func (out *jsonWriter) close(bracket byte) {
	out.depth--
	if !out.empty {
		out.newline()
	}
	out.w.WriteByte(bracket)
	out.empty = false
}

// value writes a value on one line; name is empty in a list.
func (out *jsonWriter) value(name string, v any) {
	out.begin(name)
	out.encode(v)
}

func (out *jsonWriter) begin(name string) {
	if out.depth > 0 {
		if !out.empty {
			out.w.WriteByte(',')
		}
		out.newline()
	}
	out.empty = false
	if name != "" {
		out.encode(name)
		out.w.WriteString(": ")
	}
}

func (out *jsonWriter) encode(v any) {
	out.buf.Reset()
	if err := out.enc.Encode(v); err != nil && out.err == nil {
		out.err = err
	}
	out.writeVisible(bytes.TrimRight(out.buf.Bytes(), "\n"))
}

// writeVisible writes JSON with every character escaped that a terminal might
// act on: the encoder leaves those beyond ASCII as they are. Such characters
// stand only in strings.
func (out *jsonWriter) writeVisible(text []byte) {
	for len(text) > 0 {
		plain := bytes.IndexFunc(text, func(r rune) bool { return !shows(r) })
		if plain < 0 {
			out.w.Write(text)
			return
		}
		out.w.Write(text[:plain])
		r, n := utf8.DecodeRune(text[plain:])
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(out.w, `\u%04x`, unit)
		}
		text = text[plain+n:]
	}
}

func (out *jsonWriter) newline() {
	out.w.WriteByte('\n')
	out.w.WriteString(strings.Repeat("  ", out.depth))
}

func (out *jsonWriter) finish() error {
	out.w.WriteByte('\n')
	if out.err != nil {
		return out.err
	}
	return out.w.Flush()
}
