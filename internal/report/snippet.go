package report

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	snippetCells = 96 // longest part of a line that a snippet shows
	snippetLead  = 40 // how much of a cut line stands before the column
	tabCells     = 4
	cutMark      = "..."
)

// printable returns s with everything escaped that a terminal would not show
// as a character: control characters, escape sequences, bidirectional marks
// and bytes that are not UTF-8.
func printable(s string) string {
	for i, r := range s {
		if !shows(r) || r == utf8.RuneError {
			return s[:i] + escapeFrom(s[i:])
		}
	}
	return s
}

func shows(r rune) bool { return r == ' ' || unicode.IsGraphic(r) }

func escapeFrom(s string) string {
	var b strings.Builder
	for s != "" {
		r, n := utf8.DecodeRuneInString(s)
		b.WriteString(showRune(r, s[:n]))
		s = s[n:]
	}
	return b.String()
}

// showRune returns the visible form of one character; raw is how it is stored.
func showRune(r rune, raw string) string {
	if r == utf8.RuneError && len(raw) == 1 {
		return fmt.Sprintf(`\x%02x`, raw[0])
	}
	if shows(r) {
		return raw
	}
	q := strconv.QuoteRune(r)
	return q[1 : len(q)-1]
}

// cells returns how many columns of a terminal a visible text takes.
func cells(s string) int {
	n := 0
	for _, r := range s {
		n += runeCells(r)
	}
	return n
}

func runeCells(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me):
		return 0
	case unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana),
		r >= 0xff01 && r <= 0xff60, r >= 0x1f300 && r <= 0x1faff:
		return 2
	}
	return 1
}

// snippet returns the visible part of a line around a column (from 1), and how
// many cells of it stand before that column.
func snippet(line string, column int) (text string, before int) {
	column = min(column, 1+utf8.RuneCountInString(line))
	near, skipped := window(line, column)
	row, at := make([]string, 0, len(near)), -1
	for near != "" {
		if skipped+len(row) == column-1 {
			at = len(row)
		}
		r, n := utf8.DecodeRuneInString(near)
		shown := showRune(r, near[:n])
		if r == '\t' {
			shown = strings.Repeat(" ", tabCells)
		}
		row = append(row, shown)
		near = near[n:]
	}
	if at < 0 {
		at = len(row)
	}
	first, last := at, at
	behind := 0
	grow := func(limit int) {
		for last < len(row) && before+behind+cells(row[last]) <= limit {
			behind += cells(row[last])
			last++
		}
	}
	grow(snippetCells - snippetLead)
	for first > 0 && before+behind+cells(row[first-1]) <= snippetCells {
		first--
		before += cells(row[first])
	}
	grow(snippetCells)

	text = strings.Join(row[first:last], "")
	if first > 0 || skipped > 0 {
		text = cutMark + text
		before += len(cutMark)
	}
	if last < len(row) {
		text += cutMark
	}
	return strings.TrimRight(text, " "), before
}

// window cuts a line to at most snippetCells+1 characters on each side of a
// column and says how many characters it cut in front.
func window(line string, column int) (text string, skipped int) {
	i := 0
	for n := column - 1 - (snippetCells + 1); skipped < n && i < len(line); skipped++ {
		_, size := utf8.DecodeRuneInString(line[i:])
		i += size
	}
	end := i
	for n := 0; n < 2*(snippetCells+1) && end < len(line); n++ {
		_, size := utf8.DecodeRuneInString(line[end:])
		end += size
	}
	return line[i:end], skipped
}

// Printable makes text safe to show: what would move the cursor, colour the
// screen or turn the reading direction is escaped. Line ends stay.
func Printable(s string) string {
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		lines[i] = printable(l)
	}
	return strings.Join(lines, "\n")
}
