package irtext_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/facts"
	"plancheck/internal/diag"
	"plancheck/internal/irtext"
)

// wrong lists what is said about a text: line, column, code and message, and help.
func wrong(text string) []string {
	src, diags := irtext.Source(diag.NewSource("text", []byte(text)))
	if src != nil {
		_, diags = facts.Decode(src)
	}
	var all []string
	for _, d := range diags {
		s := fmt.Sprintf("%d:%d %s: %s", d.Pos.Line, d.Pos.Column, d.Code, d.Message)
		if d.Help != "" {
			s += "; " + d.Help
		}
		all = append(all, s)
	}
	return all
}

const whole = "value:f8655a1e7bae9f113b8a3a4dc39b622d"

func TestErrors(t *testing.T) {
	model := func(lines ...string) string {
		return "model {\n" + strings.Join(append(lines, "%end = model.end : tensor<f32>"), "\n") + "\n}\n"
	}
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"nothing in it", "model", []string{`1:6 text-syntax: expected "{", found the end of the text`}},
		{"not closed", "model {\n", []string{`2:1 text-syntax: expected a statement or "}", found the end of the text`}},
		{"garbage behind it", "model {\n}\nids {\n}\nmore", []string{`5:1 text-syntax: expected nothing behind the document, found "more"`}},
		{"an unknown word", model("simbol M"), []string{`2:1 text-syntax: no statement here begins with "simbol"; statements begin with %, return, parent, symbol, or FIELD =`}},
		{"two statements on a line", model("symbol M symbol N"), []string{`2:10 text-syntax: expected the end of the line, found "symbol"; known are counts, in this order, and other fields as {FIELD = VALUE}`}},
		{"a misspelt part", model("symbol M count batch"), []string{`2:10 text-syntax: expected the end of the line, found "count"; did you mean counts?`}},
		{"parts in another order", "machine {\nsection a code {\n@a = call f for @b (m[0:1] of %x)\n}\n}", []string{`3:20 text-syntax: expected the end of the line, found "("; known are token, message, meeting, arrival, for, root, preserved, cloned, decomposed, fused, lowered, generated, by, from, because, in this order, and other fields as {FIELD = VALUE}`}},
		{"a statement that ends early", model("%x = input :", "%y = input : tensor<f32>"), []string{`2:13 text-syntax: expected a type such as tensor<Mx12288xbf16> before the end of the line; a statement stands on one line; only what is in brackets goes on`}},
		{"no type", model("%x = input : vector<4>"), []string{`2:14 text-syntax: expected a type such as tensor<Mx12288xbf16>, found "vector"`}},
		{"an empty size", model("%x = input : tensor<4xxf32>"), []string{`2:23 text-syntax: expected a size, found ""; sizes are numbers, symbols such as M, and sums in parentheses such as (2*M + 1); an x is between them`}},
		{"no data type", model("%x = input : tensor<4x>"), []string{`2:23 text-syntax: expected a data type, found ""; a tensor is written as tensor<Mx12288xbf16>`}},
		{"an open bracket", model("%x = input : tensor<4xf32"), []string{`2:20 text-syntax: the "<" here is not closed on its line`}},
		{"an unknown data type", model("%x = input : tensor<4xf31>"), []string{`2:23 unknown-type-tag: "dtype" is "f31", which is not known; known are bf16, f16, f32, f64, i8, i32, i64`}},
		{"no polynomial", model("%x = input : tensor<(4 +)xf32>"), []string{`2:22 wrong-type: an entry of "shape" must be an integer polynomial such as 2*M*N + 1: it ends where a number or a symbol is due`}},
		{"no such value", model("%y = input : tensor<f32>", "%z = model.relu %yy : tensor<f32>"), []string{`3:17 reference-unknown: an entry of "inputs" names the value "yy", which does not exist`}},
		{"a value twice", model("%x = input : tensor<f32>", "%x = input : tensor<f32>"), []string{`3:1 id-duplicate: the value id "x" is already used on line 2`}},
		{"a field twice", model("symbol M {axis = a, axis = b}"), []string{`2:21 duplicate-json-key: the key "axis" is already given on line 2`}},
		{"an unknown field", model("symbol M {axes = a}"), []string{`2:11 unknown-field: a symbol has no field "axes"; did you mean "axis"?`}},
		{"a field that is missing", model("%x = input : tensor<f32>", "model.print %x"), []string{`3:1 missing-field: an op must have the field "id"`}},
		{"a wrong role", model("%x = import : tensor<f32>"), []string{`2:6 unknown-type-tag: "role" is "import", which is not known; known are input, parameter, constant, activation, output, state, kv_cache, optimizer_state`}},
		{"types without results", model("model.print : tensor<f32>"), []string{`2:14 text-syntax: an op without results has no types`}},
		{"a type too few", model("%a, %b = model.split as @s : tensor<f32>"), []string{`2:41 text-syntax: expected "," before the end of the line; a statement stands on one line; only what is in brackets goes on`}},
		{"an id that is cut and not listed", model("%value:f8655a1e = input : tensor<f32>"), []string{`2:1 text-syntax: "value:f8655a1e": no id in the table of ids begins so; the text ends with ids { .. }, which lists whole ids`}},
		{"an id that could be two", model("%value:f8655a1e = input : tensor<f32>") + "ids {\n" + whole + "\n%y = " + whole[:36] + "00\n}", []string{`2:1 text-syntax: "value:f8655a1e": several ids in the table of ids begin so; the text ends with ids { .. }, which lists whole ids`}},
		{"a name that nothing has", model() + "ids {\n%x = " + whole + "\n}", []string{`5:1 text-syntax: nothing in the text has this name or this id`}},
		{"a name twice", model("%x = input : tensor<f32>") + "ids {\n%x = a\n%x = b\n}", []string{`7:1 text-syntax: %x is in the table of ids already`}},
		{"an id twice", model() + "ids {\n" + whole + "\n" + whole + "\n}", []string{`6:1 text-syntax: ` + whole + ` is in the table of ids already`}},
		{"no id in the table", model() + "ids {\n%x = 7\n}", []string{`5:6 text-syntax: expected an id, found "7"`}},
		{"a range that goes down", "plan {\nprogram {\ngroup g ranks [3..1]\n}\n}", []string{`3:16 text-syntax: the range 3..1 goes down`}},
		{"a range without end", "plan {\nprogram {\ngroup g ranks [0..9000000000]\n}\n}", []string{`3:16 text-syntax: ranges stand for more than 1048576 numbers; write numbers`}},
		{"the widest range", "plan {\nprogram {\ngroup g ranks [-9223372036854775808..9223372036854775807]\n}\n}", []string{`3:16 text-syntax: ranges stand for more than 1048576 numbers; write numbers`}},
		{"a range of words", "plan {\nprogram {\ngroup g ranks [a..b]\n}\n}", []string{`3:16 text-syntax: "a..b" is no range of integers, as 0..7 is one; write it in double quotes if it is a string`}},
		{"an entry that is no number", "plan {\nprogram {\ngroup g ranks [a]\n}\n}", []string{`2:1 missing-field: a program must have the field "commands"`, `3:16 wrong-type: an entry of "ranks" must be an integer, found a string`}},
		{"a large number", "plan {\nlogical_cores = 99999999999999999999\n}", []string{`1:1 missing-field: a plan must have the field "graph"`, `2:17 integer-out-of-range: "logical_cores" must be at most 9223372036854775807, found 99999999999999999999`}},
		{"bytes that go backwards", "machine {\nport input x rank 0 m[4:2] : tensor<f32>\n}", []string{`2:23 text-syntax: expected a range of bytes such as 0:64, the first one and the one behind the last, found "4:2"`}},
		{"a string without end", "model \"x {\n}", []string{`1:7 text-syntax: the string that begins here is not closed on its line`}},
		{"a wrong escape", `model "a\qb" {` + "\n}", []string{`1:9 text-syntax: there is no escape of a backslash and 'q'`}},
		{"no character", "model {\n\xff\n}", []string{`2:1 text-syntax: byte 0xFF is not valid UTF-8 here`}},
		{"no word", "model {\n;\n}", []string{`2:1 text-syntax: no word begins with ';'`}},
		{"no name", "model {\n% = input\n}", []string{`2:1 text-syntax: a name must follow %`}},
		{"too deep", "model {\na = " + strings.Repeat("[", 70), []string{`2:69 text-syntax: values are nested more than 64 deep`}},
		{"a comma too many", model("%a, = model.split"), []string{`2:5 text-syntax: expected a value with % before it, found "="`}},
		{"inputs and none", model("no inputs", "inputs = []"), []string{`2:1 text-syntax: the text lists inputs, and says here that none are listed`}},
		{"results twice", model("return", "return"), []string{`3:1 duplicate-json-key: the key "outputs" is already given on line 2`}},
		{"a list and entries of it", model("symbols = []", "symbol M"), []string{`3:1 duplicate-json-key: the key "symbols" is already given on line 2`}},
		{"another document", "timeline {\n}", []string{`1:1 json-syntax: expected a value, found the word timeline; the words of JSON are true, false and null`, `1:10 json-syntax: expected nothing behind the document, found '{'`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, wrong(c.text)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// What people write need not be as the printer writes it.
func TestByHand(t *testing.T) {
	d := decode(t, "text", []byte(`// a linear layer
model "by hand" { // a comment
  symbol M {
    axis = batch
  }
  %w = parameter : tensor<4x8xf32>

  %x = input : tensor<Mx4xf32>
  %y = model.linear %x, %w
     : tensor<Mx8xf32>
  %z = model.relu (
    %y
  ) as @last : tensor<Mx8xf32>
  return %z
}`))
	want := `model "by hand" {
  symbol M counts batch
  %w = parameter : tensor<4x8xf32>
  %x = input : tensor<Mx4xf32>
  %y = model.linear %x, %w : tensor<Mx8xf32>
  %z = model.relu %y as @last : tensor<Mx8xf32>
  return %z
}
`
	if diff := cmp.Diff(want, string(print(t, d))); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
