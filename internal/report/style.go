package report

import (
	"fmt"
	"strconv"

	"plancheck/internal/diag"
)

// painter adds colours when they are wanted.
type painter bool

// The ANSI codes in use.
const (
	bold   = "1"
	red    = "1;31"
	yellow = "1;33"
	cyan   = "1;36"
	green  = "32"
	faint  = "2"
)

func (p painter) paint(code, s string) string {
	if !p || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func severityColor(s diag.Severity) string {
	switch s {
	case diag.Error:
		return red
	case diag.Warning:
		return yellow
	}
	return cyan
}

// FileName shows the name of a file; standard input has none of its own.
func FileName(name string) string {
	if name == "-" {
		return "<stdin>"
	}
	return printable(name)
}

// place shows a position as file:line:col, or as much of it as there is.
func place(p diag.Position) string {
	if p.Line == 0 {
		return FileName(p.File)
	}
	return fmt.Sprintf("%s:%d:%d", FileName(p.File), p.Line, p.Column)
}

// rulePlace shows a position in a rule file as file:line: the line is what one
// looks for there.
func rulePlace(p diag.Position) string {
	if p.Line == 0 {
		return FileName(p.File)
	}
	return fmt.Sprintf("%s:%d", FileName(p.File), p.Line)
}

// Thousands writes a number with commas: 1,204.
func Thousands[N int | int64](n N) string {
	s := strconv.FormatInt(int64(n), 10)
	sign := ""
	if s[0] == '-' {
		sign, s = "-", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}

// counted writes "1 fact" or "1,204 facts".
func counted[N int | int64](n N, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return Thousands(n) + " " + noun
}
