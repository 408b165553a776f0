package datalog

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/google/mangle/ast"
	"github.com/google/mangle/parse"

	"plancheck/internal/diag"
)

// Unit is a parsed rule file.
type Unit struct {
	Source *diag.Source
	decls  []sourceDecl
	rules  []sourceRule
}

// sourceDecl is a Decl and its place.
type sourceDecl struct {
	ast.Decl
	pos diag.Position
}

// sourceRule is a clause exactly as parsed, its place, its premises' places
// and its text with white space folded.
type sourceRule struct {
	ast.Clause
	unit     *Unit
	pos      diag.Position
	premises []diag.Position
	text     string
}

// maxNesting bounds the depth of brackets in a rule file, so that the parser's
// recursion stays shallow.
const maxNesting = 100

// Parse reads one rule file. The diagnostics are errors with positions.
func Parse(src *diag.Source) (*Unit, []diag.Diagnostic) {
	text := src.Text()[src.Start:]
	if !utf8.Valid(text) {
		off := src.Start
		for b := text; len(b) > 0; {
			r, n := utf8.DecodeRune(b)
			if r == utf8.RuneError && n == 1 {
				break
			}
			b, off = b[n:], off+n
		}
		return nil, []diag.Diagnostic{ruleError(src, src.Position(off), "rule-syntax", "this file is not valid UTF-8")}
	}
	statements, errs := split(src, string(text))
	if len(errs) > 0 {
		return nil, errs
	}
	parsed, err := parse.Unit(strings.NewReader(string(text)))
	if err != nil {
		return nil, syntaxErrors(src, string(text), err)
	}
	u := &Unit{Source: src}
	decls := parsed.Decls[1:] // the first stands for the package
	clauses := parsed.Clauses
	for _, s := range statements {
		switch {
		case s.word == "Package" || s.word == "Use":
			return nil, []diag.Diagnostic{ruleError(src, s.pos, "rule-unsupported",
				"%s is not supported: rule files share one name space", s.word)}
		case s.word == "Decl" && len(decls) > 0:
			u.decls = append(u.decls, sourceDecl{decls[0], s.pos})
			decls = decls[1:]
		case len(clauses) > 0:
			u.rules = append(u.rules, sourceRule{clauses[0], u, s.pos, s.premises, s.text})
			clauses = clauses[1:]
		}
	}
	if len(decls) > 0 || len(clauses) > 0 {
		return nil, []diag.Diagnostic{ruleError(src, src.Position(0), "rule-syntax",
			"cannot tell the statements of this file apart")}
	}
	return u, nil
}

// Declaration describes a relation that is given from outside.
type Declaration struct {
	Name  string
	Cols  []string
	Types []string // /number, /string or /name
	Doc   string
}

// Declare makes the unit that parsing the Decls of the given relations would
// make. The source is shown where a message points to one of them; each takes
// the given number of its lines.
func Declare(src *diag.Source, ds []Declaration, lines int) *Unit {
	u := &Unit{Source: src}
	for i, d := range ds {
		decl := ast.Decl{
			DeclaredAtom: ast.Atom{Predicate: ast.PredicateSym{Symbol: d.Name, Arity: len(d.Cols)}},
			Descr:        []ast.Atom{ast.NewAtom("doc", ast.String(d.Doc))},
		}
		var bound ast.BoundDecl
		for c, col := range d.Cols {
			decl.DeclaredAtom.Args = append(decl.DeclaredAtom.Args, ast.Variable{Symbol: col})
			bound.Bounds = append(bound.Bounds, ast.Constant{Type: ast.NameType, Symbol: d.Types[c]})
		}
		decl.Bounds = []ast.BoundDecl{bound}
		u.decls = append(u.decls, sourceDecl{decl, diag.Position{File: src.Name, Line: 1 + i*lines, Column: 1}})
	}
	return u
}

// statement is a Decl or a clause as the lexer sees it.
type statement struct {
	pos      diag.Position
	word     string // its first token
	premises []diag.Position
	text     string
}

// split cuts a file into statements by its tokens: a dot outside of brackets
// ends one, a comma outside of brackets behind ":-" begins a premise. What is
// no token it steps over: that is the parser's to report.
func split(src *diag.Source, text string) ([]statement, []diag.Diagnostic) {
	var (
		all     []statement
		cur     *statement
		words   []string
		depth   int
		body    bool
		premise bool // the next token begins one
	)
	for lex := (lexer{text: text}); ; {
		word := lex.next()
		if word == "" {
			return all, nil // an unfinished statement is the parser's to report, too
		}
		pos := diag.Position{File: src.Name, Line: lex.line, Column: lex.column + 1}
		if cur == nil {
			all = append(all, statement{pos: pos, word: word})
			cur, words, depth, body, premise = &all[len(all)-1], words[:0], 0, false, false
		}
		if premise && word != "|>" {
			cur.premises = append(cur.premises, pos)
		}
		premise = false
		if len(words) > 0 && needsSpace(words[len(words)-1], word) {
			words = append(words, " ")
		}
		words = append(words, word)
		switch word {
		case "(", "[", "{":
			if depth++; depth > maxNesting {
				return nil, []diag.Diagnostic{ruleError(src, pos, "rule-syntax",
					"brackets are nested more than %d deep", maxNesting)}
			}
		case ")", "]", "}":
			depth--
		case ":-", "⟸":
			body, premise = true, true
		case "|>":
			body = false
		case ",":
			premise = body && depth == 0
		case ".", "!":
			if depth <= 0 && (word == "." || cur.word == "Package" || cur.word == "Use") {
				cur.text = strings.Join(words, "")
				cur = nil
			}
		}
	}
}

// needsSpace says whether a clause is written with a space between two words.
func needsSpace(last, next string) bool {
	switch next {
	case ".":
		return strings.HasPrefix(last, "/") // a name would take the full stop in
	case ",", ")", "]", "}":
		return false
	case "(":
		return last == ","
	}
	switch last {
	case "(", "[", "{", "!":
		return false
	}
	return true
}

// parserError is what Mangle's parser says about a place.
type parserError struct {
	line, column int // column counts from 0, in characters
	message      string
}

// parserErrors reads Mangle's "LINE:COLUMN message" lines.
func parserErrors(err error) []parserError {
	var all []parserError
	for line := range strings.Lines(err.Error()) {
		line = strings.TrimRight(line, "\n")
		place, message, _ := strings.Cut(line, " ")
		l, c, _ := strings.Cut(place, ":")
		lineNo, err1 := strconv.Atoi(l)
		col, err2 := strconv.Atoi(c)
		if err1 != nil || err2 != nil {
			if len(all) > 0 {
				continue // the rest of a message with a line end in it
			}
			lineNo, col, message = 1, 0, line
		}
		all = append(all, parserError{max(lineNo, 1), col, message})
	}
	return all
}

// maxSyntaxErrors bounds the errors shown: what follows a broken statement is
// mostly its echo.
const maxSyntaxErrors = 10

// syntaxErrors turns what the parser says into diagnostics. Where a statement
// has a mistake that people often make, what to write is said instead, at the
// first place behind the mistake where the parser stumbled.
func syntaxErrors(src *diag.Source, text string, err error) []diag.Diagnostic {
	var ds []diag.Diagnostic
	say := func(at parserError, message string) {
		if len(ds) < maxSyntaxErrors {
			pos := diag.Position{File: src.Name, Line: at.line, Column: at.column + 1}
			ds = append(ds, ruleError(src, pos, "rule-syntax", "syntax error: %s", message))
		}
	}
	found, begin := mistakes(text)
	all := parserErrors(err)
	for len(all) > 0 && len(ds) < maxSyntaxErrors {
		here := statementAt(begin, all[0])
		n := 1
		for n < len(all) && statementAt(begin, all[n]) == here {
			n++
		}
		errs := all[:n]
		all = all[n:]
		advised := false
		for _, m := range found {
			if m.statement != here {
				continue
			}
			advised = true
			say(stumbled(&errs, m), m.advice)
			if m.fatal {
				return ds
			}
		}
		for _, e := range errs {
			if !advised {
				say(e, plainSyntax(e.message))
			}
		}
	}
	return ds
}

// stumbled takes from the parser's errors about a statement the one that a
// mistake caused: the first behind it, or else the first; without any, the place
// of the mistake itself.
func stumbled(errs *[]parserError, m mistake) parserError {
	i := slices.IndexFunc(*errs, func(e parserError) bool {
		return e.line > m.line || e.line == m.line && e.column >= m.column
	})
	if i < 0 && len(*errs) > 0 {
		i = 0
	}
	if i < 0 {
		return parserError{line: m.line, column: m.column}
	}
	e := (*errs)[i]
	*errs = (*errs)[i+1:]
	return e
}

// statementAt returns the number, from 1, of the statement that an error is in.
func statementAt(begin []lexeme, e parserError) int {
	n := 0
	for n < len(begin) && (begin[n].line < e.line || begin[n].line == e.line && begin[n].column <= e.column) {
		n++
	}
	return max(n, 1)
}

// plainSyntax shortens the parser's list of everything it would have taken.
func plainSyntax(message string) string {
	message = strings.ReplaceAll(message, "'<EOF>'", "the end of the file")
	message = strings.ReplaceAll(message, "<EOF>", "the end of the file")
	if i := strings.Index(message, " expecting {"); i >= 0 {
		message = message[:i]
	}
	return message
}

func ruleError(src *diag.Source, pos diag.Position, code, format string, args ...any) diag.Diagnostic {
	return diag.Diagnostic{
		Code: code, Severity: diag.Error, Pos: pos,
		Message: fmt.Sprintf(format, args...), Snippet: src.Line(pos.Line),
	}
}
