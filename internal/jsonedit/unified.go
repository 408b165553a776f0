package jsonedit

import (
	"bytes"
	"fmt"
	"strings"
)

// context is how many lines are shown around a change.
const context = 3

// block is a run of lines of a text that others take the place of.
type block struct {
	first, end int // lines from first to before end
	fresh      []string
}

// Unified writes edits of a text, which are in order, as a unified diff of the
// file of a name, for "patch -p0" and "git apply -p0". It is empty when nothing
// changes.
func Unified(name string, src []byte, edits []Edit) []byte {
	lines := splitLines(string(src))
	blocks := blocksOf(src, lines, edits)
	if len(blocks) == 0 {
		return nil
	}
	var out bytes.Buffer
	name = fileName(name)
	fmt.Fprintf(&out, "--- %s\n+++ %s\n", name, name)
	moved := 0 // by how many lines what follows is further down
	for len(blocks) > 0 {
		n := 1
		for n < len(blocks) && blocks[n].first-blocks[n-1].end <= 2*context {
			n++
		}
		moved += writeHunk(&out, lines, blocks[:n], moved)
		blocks = blocks[n:]
	}
	return out.Bytes()
}

// fileName writes a name as patch and git read it: between quotes where it has
// control characters, or white space or a quote at an end, and otherwise with a
// tab behind it where it has spaces.
func fileName(name string) string {
	isControl := func(r rune) bool { return r < ' ' || r == 0x7f }
	switch {
	case strings.ContainsFunc(name, isControl) || strings.TrimSpace(name) != name || strings.HasPrefix(name, `"`):
	case strings.Contains(name, " "):
		return name + "\t"
	default:
		return name
	}
	var out strings.Builder
	out.WriteByte('"')
	for _, c := range []byte(name) {
		switch {
		case c == '"' || c == '\\':
			out.WriteByte('\\')
			out.WriteByte(c)
		case c < ' ' || c == 0x7f:
			fmt.Fprintf(&out, `\%03o`, c)
		default:
			out.WriteByte(c)
		}
	}
	out.WriteByte('"')
	return out.String()
}

// splitLines cuts a text behind every line feed.
func splitLines(text string) []string {
	if text == "" {
		return nil
	}
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// blocksOf finds the lines that edits change.
func blocksOf(src []byte, lines []string, edits []Edit) []block {
	starts := make([]int, len(lines)+1)
	for i, l := range lines {
		starts[i+1] = starts[i] + len(l)
	}
	line := 0
	lineAt := func(at int) int { // of growing offsets
		for line+1 < len(lines) && starts[line+1] <= at {
			line++
		}
		return line
	}
	var blocks []block
	for i := 0; i < len(edits); {
		b := block{first: lineAt(edits[i].Start)}
		n := i
		for n < len(edits) && (n == i || lineAt(edits[n].Start) < b.end) {
			b.end = max(b.end, lineAt(edits[n].End)+1)
			n++
		}
		from, to := starts[b.first], starts[b.end]
		shifted := make([]Edit, 0, n-i)
		for _, e := range edits[i:n] {
			shifted = append(shifted, Edit{e.Start - from, e.End - from, e.Text})
		}
		b.fresh = splitLines(string(Apply(src[from:to], shifted)))
		for len(b.fresh) > 0 && b.first < b.end && b.fresh[0] == lines[b.first] {
			b.fresh, b.first = b.fresh[1:], b.first+1
		}
		for len(b.fresh) > 0 && b.first < b.end && b.fresh[len(b.fresh)-1] == lines[b.end-1] {
			b.fresh, b.end = b.fresh[:len(b.fresh)-1], b.end-1
		}
		switch last := len(blocks) - 1; {
		case len(b.fresh) == 0 && b.first == b.end:
		case last >= 0 && blocks[last].end == b.first:
			blocks[last].end = b.end
			blocks[last].fresh = append(blocks[last].fresh, b.fresh...)
		default:
			blocks = append(blocks, b)
		}
		i = n
	}
	return blocks
}

// writeHunk writes blocks that are near one another, and returns how many lines
// more there are behind them.
func writeHunk(out *bytes.Buffer, lines []string, blocks []block, moved int) int {
	first := max(0, blocks[0].first-context)
	end := min(len(lines), blocks[len(blocks)-1].end+context)
	more := 0
	for _, b := range blocks {
		more += len(b.fresh) - (b.end - b.first)
	}
	fmt.Fprintf(out, "@@ -%s +%s @@\n", hunkRange(first, end-first), hunkRange(first+moved, end-first+more))
	at := first
	write := func(sign byte, line string) {
		out.WriteByte(sign)
		out.WriteString(line)
		if !strings.HasSuffix(line, "\n") {
			out.WriteString("\n\\ No newline at end of file\n")
		}
	}
	for _, b := range blocks {
		for ; at < b.first; at++ {
			write(' ', lines[at])
		}
		for ; at < b.end; at++ {
			write('-', lines[at])
		}
		for _, l := range b.fresh {
			write('+', l)
		}
	}
	for ; at < end; at++ {
		write(' ', lines[at])
	}
	return more
}

// hunkRange writes lines from first, counted from 0.
func hunkRange(first, count int) string {
	if count == 0 {
		return fmt.Sprintf("%d,0", first)
	}
	if count == 1 {
		return fmt.Sprint(first + 1)
	}
	return fmt.Sprintf("%d,%d", first+1, count)
}
