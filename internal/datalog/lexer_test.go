package datalog

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/antlr4-go/antlr/v4"
	"github.com/google/go-cmp/cmp"
	"github.com/google/mangle/parse/gen"
)

// token is a word and its place.
type token struct {
	Word         string
	Line, Column int
}

// antlrTokens are the tokens as Mangle's own lexer finds them.
func antlrTokens(text string) (ts []token) {
	lex := gen.NewMangleLexer(antlr.NewInputStream(text))
	lex.RemoveErrorListeners()
	for {
		tok := lex.NextToken()
		if tok.GetTokenType() == antlr.TokenEOF {
			return ts
		}
		if tok.GetChannel() == antlr.TokenDefaultChannel {
			ts = append(ts, token{tok.GetText(), tok.GetLine(), tok.GetColumn()})
		}
	}
}

func ourTokens(text string) (ts []token) {
	lex := lexer{text: text}
	for word := lex.next(); word != ""; word = lex.next() {
		ts = append(ts, token{word, lex.line, lex.column})
	}
	return ts
}

func TestTokensAreMangles(t *testing.T) {
	texts := []string{
		"p(X) :- q(X, _), X != 3, Y <= fn:plus(X, -1), !r(/a.b/c-d_~%, \"s.\\\" #\", 'x', `long\nstring`) |> do fn:group_by(X), let N = fn:count().",
		"Decl f.g(X) descr [doc(\"é # .\")] bound [.List</number>]. # the end\r\nf.g([1, 2]).\n",
		"a(1.5). b(-2). :lt(b\"x\", 3).\nc(\"\\\nnext\"). d(X):-c(X).", "", "# only\n", "p(/a.",
	}
	files, err := filepath.Glob("../../rules/*.dl")
	if err != nil || len(files) == 0 {
		t.Fatalf("rule files: %v %v", files, err)
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(data))
	}
	for _, text := range texts {
		if diff := cmp.Diff(antlrTokens(text), ourTokens(text)); diff != "" {
			t.Errorf("%.60q\n-Mangle +ours\n%s", text, diff)
		}
	}
}
