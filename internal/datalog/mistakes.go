package datalog

import (
	"fmt"
	"slices"
	"strings"
)

// mistake is something that people often write who know another language:
// where it stands, in which statement, and what to write instead.
type mistake struct {
	line, column int // column counts from 0, in characters
	statement    int
	advice       string
	fatal        bool // what follows cannot be read
}

// lexeme is a token of a rule file and its place.
type lexeme struct {
	word         string
	line, column int
}

// maxMistakes bounds the mistakes looked for; fewer are shown.
const maxMistakes = 100

// mistakes looks for common mistakes in a file that the parser refuses. It
// goes by tokens, and what it takes for a mistake may be right where the parser
// has nothing to say. It also returns where the statements begin.
func mistakes(text string) (found []mistake, begin []lexeme) {
	s := scan{fresh: true}
	for lex := (lexer{text: text}); ; {
		word := lex.next()
		if word == "" {
			break
		}
		s.tokens = append(s.tokens, lexeme{word, lex.line, lex.column})
	}
	for s.at < len(s.tokens) && len(s.found) < maxMistakes {
		if s.fresh {
			s.begin = append(s.begin, s.tokens[s.at])
			s.number++
			s.restart()
			s.fresh = false
		}
		s.token()
		s.at++
	}
	if !s.fresh && len(s.found) < maxMistakes {
		s.at = len(s.tokens) - 1
		s.unfinished("before the file ends")
	}
	return s.found, s.begin
}

// scan is the way through the tokens of a file.
type scan struct {
	tokens []lexeme
	at     int
	found  []mistake
	begin  []lexeme
	number int  // of statements begun
	fresh  bool // the next token begins a statement

	// Of the statement at hand:
	start     int   // its first token
	open      []int // the brackets that are open
	decl      bool
	bound     bool // in the bound of a Decl
	body      bool // behind its :-
	transform bool // behind its |>
}

// restart begins a statement at the token at hand.
func (s *scan) restart() {
	s.start, s.open = s.at, s.open[:0]
	s.decl, s.bound, s.body, s.transform = s.word(0) == "Decl", false, false, false
}

// word is the token so many away from the one at hand; "" outside of the file.
func (s *scan) word(away int) string {
	if i := s.at + away; i >= 0 && i < len(s.tokens) {
		return s.tokens[i].word
	}
	return ""
}

// touches says whether the next token follows without space.
func (s *scan) touches(next string) bool {
	if s.word(1) != next {
		return false
	}
	a, b := s.tokens[s.at], s.tokens[s.at+1]
	return a.line == b.line && a.column+len(a.word) == b.column
}

func (s *scan) say(format string, args ...any) {
	t := s.tokens[s.at]
	m := mistake{line: t.line, column: t.column, statement: s.number, advice: fmt.Sprintf(format, args...)}
	said := func(old mistake) bool { return old.statement == m.statement && old.advice == m.advice }
	if !slices.ContainsFunc(s.found, said) {
		s.found = append(s.found, m)
	}
}

// clean says whether nothing is wrong yet with the statement: what is missing
// at its end may be the echo of something else.
func (s *scan) clean() bool {
	return len(s.found) == 0 || s.found[len(s.found)-1].statement != s.number
}

// token looks at one token.
func (s *scan) token() {
	word := s.word(0)
	if len(s.open) > 0 && s.tokens[s.at].column > 0 && ends(s.word(-1)) && begins(word) && s.clean() {
		s.say("a comma is missing before %s", clip(word))
	}
	switch c := word[0]; {
	case c == '"' || c == '\'' || c == '`':
		s.str()
	case isLetter(c):
		s.name()
	case c == '/' || c == '-' || c == '%' || c == '+' || c == '*':
		s.arithmetic()
	default:
		s.sign()
	}
}

// ends says whether a token may be the end of a term.
func ends(word string) bool {
	return word != "" && (word == ")" || word == "]" || begins(word))
}

// begins says whether a token is or begins a term, and cannot be an operator.
func begins(word string) bool {
	c := word[0]
	return c == '"' || c == '\'' || c == '`' || isLetter(c) || isDigit(c)
}

func (s *scan) str() {
	word := s.word(0)
	closed := stringClosed(word)
	if !closed || word[0] != '`' && strings.Contains(word, "\n") {
		s.say("the string that begins with %s in line %d is not closed: it needs a %c at its end", clip(word), s.tokens[s.at].line, word[0])
		s.found[len(s.found)-1].fatal = true
	}
}

func stringClosed(word string) bool {
	for i := 1; i < len(word); i++ {
		switch word[i] {
		case word[0]:
			return true
		case '\\':
			i++
		}
	}
	return false
}

// clip is the beginning of a long token.
func clip(word string) string {
	line, _, _ := strings.Cut(word, "\n")
	if runes := []rune(line); len(runes) > 20 {
		return string(runes[:20]) + "..."
	}
	return line
}

// name looks at a word: a variable, a relation, a keyword.
func (s *scan) name() {
	word := s.word(0)
	upper := isUpper(word[0])
	switch {
	case word == "Decl" && s.at > s.start:
		s.unfinished("before Decl")
		s.restart()
	case word == "Decl" || word == "Package" || word == "Use" || word == "_":
	case word == "decl" && s.at == s.start && s.word(1) != "(":
		s.say("write Decl, with a capital D")
		s.decl = true
	case (upper || word[0] == '_') && strings.Contains(word, "_"):
		s.say("%s: a variable has no underscore: write %s, or _ for a value that does not matter", word, camel(word))
	case upper && s.word(1) == "(":
		s.say("%s(..): the name of a relation begins with a small letter: write %s(..)", word, strings.ToLower(word[:1])+word[1:])
	case upper || strings.HasPrefix(word, "fn:"):
	case len(s.open) > 0:
		s.argument()
	default:
		s.premise()
	}
}

// camel makes a variable of a word with underscores.
func camel(word string) string {
	var b strings.Builder
	for _, part := range strings.Split(word, "_") {
		if part != "" {
			b.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	return b.String()
}

// argument looks at a small word inside of brackets.
func (s *scan) argument() {
	word := s.word(0)
	if s.word(1) == "(" {
		return
	}
	switch {
	case s.decl && s.bound:
		s.say("%s: a type is written with a slash: /number, /string, /name", word)
	case s.decl && len(s.open) == 1 && s.word(-1) != "(":
		s.say("%s: what stands in descr has brackets: %s(..)", word, word)
	default:
		s.noValue()
	}
}

func (s *scan) noValue() {
	word := s.word(0)
	s.say("%s is no value: write %q for a string (as ids are), %s for a variable, or /%s for a name",
		word, word, camel(word), word)
}

// premise looks at a small word outside of brackets.
func (s *scan) premise() {
	word, last, next := s.word(0), s.word(-1), s.word(1)
	switch word {
	case "descr", "inclusion", "bound":
		s.bound = word == "bound"
		return
	case "let", "do":
		return
	case "not":
		if next == "(" {
			next = s.word(2)
		}
		s.say("write ! for not: !%s(..)", next)
		return
	case "and":
		s.say("write a comma for and")
		return
	case "or":
		s.say("there is no or: write a rule for each case")
		return
	}
	operators := []string{"=", "!=", "<", "<=", ">", ">="}
	switch {
	case next != "(" && (slices.Contains(operators, last) || slices.Contains(operators, next)):
		s.noValue()
	case next != "(" && s.body && !s.transform && (last == ":-" || last == ","):
		s.say("%s: a relation has its columns in brackets: %s(..)", word, word)
	case next == "(" && s.at > s.start && (last == ")" || last == "]"):
		if s.body && !s.heads() {
			s.say("a comma is missing before %s(..)", word)
			return
		}
		s.unfinished("before " + word + "(..)")
		s.restart()
	}
}

// heads says whether the atom at hand is the head of a statement: it has a
// body, or begins a line.
func (s *scan) heads() bool {
	if s.tokens[s.at].column == 0 {
		return true
	}
	depth := 0
	for _, t := range s.tokens[s.at+1:] {
		switch t.word {
		case "(", "[", "{":
			depth++
		case ")", "]", "}":
			depth--
		default:
			if depth == 0 {
				return t.word == ":-"
			}
		}
	}
	return false
}

// unfinished reports a statement that lacks its end.
func (s *scan) unfinished(where string) {
	if !s.clean() {
		return
	}
	if len(s.open) > 0 {
		s.unclosed(where)
		return
	}
	s.say("a full stop is missing %s: %s, which begins in line %d, needs one at its end",
		where, s.statement(), s.tokens[s.start].line)
}

// statement is how the statement at hand begins.
func (s *scan) statement() string {
	name := s.tokens[s.start].word
	if name == "Decl" && s.start+1 < len(s.tokens) {
		return "Decl " + s.tokens[s.start+1].word + "(..)"
	}
	return name + "(..)"
}

// unclosed reports the innermost open bracket.
func (s *scan) unclosed(where string) {
	t := s.tokens[s.open[len(s.open)-1]]
	s.say("the %s in line %d, column %d is not closed %s", t.word, t.line, t.column+1, where)
}
