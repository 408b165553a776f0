package datalog

import (
	"strings"
	"unicode/utf8"
)

// lexer finds the tokens of a rule file. It knows just enough of the grammar
// to tell where statements and premises begin; the parser has a lexer of its
// own, which is slower.
type lexer struct {
	text string
	at   int
	// line and column are those of the last token; lines count from 1, columns
	// from 0 in characters.
	line, column int

	lineAt  int // line of at
	startAt int // where that line begins
	// counted is the place up to which column holds the characters of the line.
	counted int
}

// next returns the next token, or "" at the end.
func (l *lexer) next() string {
	for l.at < len(l.text) {
		switch c := l.text[l.at]; {
		case c == '\n':
			l.at++
			l.lineAt++
			l.startAt = l.at
		case c == ' ' || c == '\t' || c == '\r' || c == '\f':
			l.at++
		case c == '#':
			if n := strings.IndexByte(l.text[l.at:], '\n'); n >= 0 {
				l.at += n
			} else {
				l.at = len(l.text)
			}
		default:
			start := l.at
			l.line = 1 + l.lineAt
			if l.counted <= l.startAt {
				l.column, l.counted = 0, l.startAt
			}
			l.column += utf8.RuneCountInString(l.text[l.counted:start])
			l.counted = start
			l.at = start + tokenLen(l.text[start:])
			word := l.text[start:l.at]
			if n := strings.Count(word, "\n"); n > 0 { // a string may hold line ends
				l.lineAt += n
				l.startAt = start + strings.LastIndexByte(word, '\n') + 1
			}
			return word
		}
	}
	return ""
}

// tokenLen returns the length of the token at the beginning of s.
func tokenLen(s string) int {
	c := s[0]
	switch {
	case c == '"' || c == '\'' || c == '`':
		return stringLen(s)
	case c == 'b' && len(s) > 1 && (s[1] == '"' || s[1] == '\'' || s[1] == '`'):
		return 1 + stringLen(s[1:])
	case c == '/':
		return 1 + span(s[1:], isConstantByte)
	case isDigit(c), c == '-' && len(s) > 1 && isDigit(s[1]):
		n := 1 + span(s[1:], isDigit)
		if n+1 < len(s) && s[n] == '.' && isDigit(s[n+1]) {
			n += 1 + span(s[n+1:], isDigit)
		}
		return n
	case isLetter(c), c == ':' && len(s) > 1 && s[1] >= 'a' && s[1] <= 'z':
		n := 1 + span(s[1:], isNameByte)
		for n+1 < len(s) && s[n] == '.' && isNameByte(s[n+1]) && !isUpper(c) {
			n += 1 + span(s[n+1:], isNameByte)
		}
		return n
	case c == '.' && len(s) > 1 && isUpper(s[1]):
		return 1 + span(s[1:], isNameByte)
	}
	for _, op := range []string{":-", "|>", "!=", "<=", ">="} {
		if strings.HasPrefix(s, op) {
			return 2
		}
	}
	_, n := utf8.DecodeRuneInString(s)
	return n
}

// stringLen returns the length of a quoted string, or of all that is left when
// its end is missing.
func stringLen(s string) int {
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case s[0]:
			return i + 1
		case '\\':
			i++
		}
	}
	return len(s)
}

func span(s string, in func(byte) bool) int {
	n := 0
	for n < len(s) && in(s[n]) {
		n++
	}
	return n
}

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isUpper(c byte) bool  { return c >= 'A' && c <= 'Z' }
func isLetter(c byte) bool { return isUpper(c) || c >= 'a' && c <= 'z' || c == '_' }

func isNameByte(c byte) bool { return isLetter(c) || isDigit(c) || c == ':' }

func isConstantByte(c byte) bool {
	return isLetter(c) || isDigit(c) || strings.IndexByte(".-~%/", c) >= 0
}
