package facts

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode"

	"plancheck/internal/symbol"
)

// Text writes the facts in Mangle's language, a relation at a time in the
// order of the relation table, each under a comment with its doc and the
// number of its rows. Relations without rows are named at the end, or stand with
// the others if they were asked for by name.
func Text(w io.Writer, f *Facts, syms *symbol.Table, named bool) error {
	docs := map[string]string{}
	for _, r := range Relations() {
		docs[r.Name] = r.Doc
	}
	out := bufio.NewWriter(w)
	var empty []string
	for _, t := range f.Tables {
		if t.N == 0 && !named {
			empty = append(empty, t.Name)
			continue
		}
		fmt.Fprintf(out, "# %s, %d: %s\n", t.Name, t.N, docs[t.Name])
		for i := range t.N {
			TextRow(out, t.Name, t.Row(i), syms)
		}
	}
	writeEmpty(out, empty)
	return out.Flush()
}

// writeEmpty names relations in a comment, in lines of at most 80 characters.
func writeEmpty(out *bufio.Writer, names []string) {
	line := "# Without facts:"
	for i, name := range names {
		if i+1 < len(names) {
			name += ","
		}
		if len(line)+1+len(name) > 80 {
			fmt.Fprintln(out, line)
			line = "#"
		}
		line += " " + name
	}
	if len(names) > 0 {
		fmt.Fprintln(out, line)
	}
}

// TextRow writes a row of a relation as a clause of Mangle's language, a line.
func TextRow(out *bufio.Writer, relation string, row []symbol.Value, syms *symbol.Table) {
	out.WriteString(relation)
	out.WriteByte('(')
	for c, v := range row {
		if c > 0 {
			out.WriteString(", ")
		}
		out.WriteString(format(v, syms))
	}
	out.WriteString(").\n")
}

func format(v symbol.Value, syms *symbol.Table) string {
	switch syms.Kind(v) {
	case symbol.String:
		return quote(syms.Text(v))
	case symbol.List:
		var parts []string
		for _, e := range syms.Elems(v) {
			parts = append(parts, format(e, syms))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	return syms.Format(v)
}

// quote writes a string with the escapes that Mangle knows.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\x%02x`, r)
		case !unicode.IsPrint(r):
			fmt.Fprintf(&b, `\u{%04x}`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}
