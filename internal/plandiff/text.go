package plandiff

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
)

// TextOptions say how text is written.
type TextOptions struct {
	All bool // shorten no list
}

// shown is how many lines a list has that is shortened.
const shown = 20

// WriteText writes a comparison for people: what each section has more, less and
// otherwise, and the costs.
func (d *Diff) WriteText(w io.Writer, o TextOptions) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s -> %s", printable(d.Before), printable(d.After))
	if d.Equal() {
		b.WriteString(": the plans say the same\n")
	} else {
		b.WriteString("\n")
	}
	for i := range d.Sections {
		d.Sections[i].write(&b, d.labels, o)
	}
	if len(d.Costs) > 0 {
		b.WriteString("costs\n")
	}
	for _, c := range d.Costs {
		fmt.Fprintf(&b, "    %-9s %s\n", c.Name, c.text())
	}
	_, err := w.Write(b.Bytes())
	return err
}

func (s *Section) write(b *bytes.Buffer, names labels, o TextOptions) {
	show := func(id string) string { return printable(cmp.Or(names[s.Name][id], id)) }
	var lines, counts []string
	count := func(n int, what string) {
		if n > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", n, what))
		}
	}
	count(len(s.Added), "added")
	count(len(s.Removed), "removed")
	count(len(s.Changed), "changed")
	for _, id := range s.Added {
		lines = append(lines, "+ "+show(id))
	}
	for _, id := range s.Removed {
		lines = append(lines, "- "+show(id))
	}
	for i := range s.Changed {
		c := &s.Changed[i]
		what := show(c.ID)
		if c.Field != "" {
			what += ", " + c.Field
		}
		lines = append(lines, fmt.Sprintf("~ %s: %s -> %s", what, valueText(names.value(c.Field, c.Before)), valueText(names.value(c.Field, c.After))))
	}
	fmt.Fprintf(b, "%s: %s\n", s.Name, strings.Join(counts, ", "))
	for i, l := range lines {
		if i == shown && len(lines) > shown+1 && !o.All {
			fmt.Fprintf(b, "    ... and %d more; --all shows them\n", len(lines)-i)
			return
		}
		fmt.Fprintf(b, "    %s\n", l)
	}
}

func valueText(v any) string {
	switch x := v.(type) {
	case nil:
		return "none"
	case string:
		return printable(x)
	case []string:
		return printable("[" + strings.Join(x, ", ") + "]")
	}
	return fmt.Sprint(v)
}

// printable keeps odd ids from breaking lines.
func printable(s string) string {
	if strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(s)
	}
	return s
}

func (c *Cost) text() string {
	switch {
	case c.Before == nil && c.After == nil:
		return "not known"
	case c.Before == nil:
		return fmt.Sprintf("not known -> %s %s", thousands(*c.After), c.Unit)
	case c.After == nil:
		return fmt.Sprintf("%s -> not known %s", thousands(*c.Before), c.Unit)
	case *c.Before == *c.After:
		return fmt.Sprintf("%s %s, the same", thousands(*c.Before), c.Unit)
	}
	text := fmt.Sprintf("%s -> %s %s", thousands(*c.Before), thousands(*c.After), c.Unit)
	if *c.Before > 0 {
		text += fmt.Sprintf(" (%+.1f %%)", (float64(*c.After)-float64(*c.Before))/float64(*c.Before)*100)
	}
	return text
}

// thousands writes a number with commas.
func thousands(n int64) string {
	digits := fmt.Sprint(n)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
