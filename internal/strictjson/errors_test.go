package strictjson

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/diag"
)

// thing is what the test documents are about.
type thing struct {
	N, Signed int64
	S         string
	B         bool
	Hole      bool
	List      []int64
	Inner     *thing
}

type decoder struct{ *Reader }

var thingShape = NewShape("a thing", thingFields()...)

func thingFields() []Field[*decoder, thing] {
	return []Field[*decoder, thing]{
		Required("n", func(d *decoder, t *thing) { t.N, _ = d.Int(1) }),
		Optional("signed", func(d *decoder, t *thing) { t.Signed, _ = d.Int(math.MinInt64) }),
		Optional("s", func(d *decoder, t *thing) {
			b, _ := d.String("a string")
			t.S = string(b)
		}),
		Optional("flag", func(d *decoder, t *thing) { t.B, _ = d.Bool() }),
		Optional("hole", func(d *decoder, t *thing) {
			if t.Hole = d.Null(); !t.Hole {
				d.Skip()
			}
		}),
		Optional("list", func(d *decoder, t *thing) {
			for l := d.List("a list of numbers"); l.Next(); {
				n, _ := d.Int(0)
				t.List = append(t.List, n)
			}
		}),
		Optional("inner", func(d *decoder, t *thing) {
			t.Inner = &thing{}
			innerShape.Read(d.Reader, d, t.Inner)
		}),
	}
}

var innerShape = NewShape("an inner thing",
	Required("n", func(d *decoder, t *thing) { t.N, _ = d.Int(1) }),
	Optional("flag", func(d *decoder, t *thing) { t.B, _ = d.Bool() }),
)

func decode(data string) (thing, []diag.Diagnostic) {
	d := &decoder{NewReader(diag.NewSource("doc.json", []byte(data)))}
	var t thing
	thingShape.Read(d.Reader, d, &t)
	d.End()
	return t, d.Diagnostics()
}

// brief writes diagnostics one a line: place, pointer, code, message, help.
func brief(ds []diag.Diagnostic) []string {
	var lines []string
	for _, d := range ds {
		line := fmt.Sprintf("%d:%d %s %s: %s", d.Pos.Line, d.Pos.Column, d.Pos.Pointer, d.Code, d.Message)
		if d.Help != "" {
			line += " (" + d.Help + ")"
		}
		lines = append(lines, line)
	}
	return lines
}

const thingHelp = " (its fields are n, signed, s, flag, hole, list, inner)"

func TestEveryErrorIsReportedInItsPlace(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for _, c := range []struct {
		name, data string
		want       []string
	}{
		// Documents as a whole.
		{"empty", "", []string{"1:1  document-empty: the document is empty"}},
		{"only a byte-order mark", "\xef\xbb\xbf", []string{"1:1  document-empty: the document is empty"}},
		{"white space", " \r\n\t", []string{"1:1  document-empty: the document holds nothing but white space"}},
		{"null", "null", []string{"1:1  wrong-type: the document must be an object, found null"}},
		{"list", " []", []string{"1:2  wrong-type: the document must be an object, found a list"}},
		{"number", "-1.5e3", []string{"1:1  wrong-type: the document must be an object, found a number"}},
		{"string", `"plan"`, []string{"1:1  wrong-type: the document must be an object, found a string"}},
		{"more behind it", `{"n": 1}` + "\n{}", []string{`2:1  json-syntax: expected nothing behind the document, found '{'`}},
		{"comment behind it", `{"n": 1} // end`, []string{`1:10  json-syntax: expected nothing behind the document, found '/' (JSON has no comments)`}},

		// Encodings.
		{"UTF-16 LE with mark", "\xff\xfe{\x00", []string{"1:1  encoding-unsupported: the document is encoded in UTF-16 (little-endian) (save it as UTF-8)"}},
		{"UTF-16 BE with mark", "\xfe\xff\x00{", []string{"1:1  encoding-unsupported: the document is encoded in UTF-16 (big-endian) (save it as UTF-8)"}},
		{"UTF-16 LE", "{\x00}\x00", []string{"1:1  encoding-unsupported: the document is encoded in UTF-16 (little-endian) (save it as UTF-8)"}},
		{"UTF-16 BE", "\x00{\x00}", []string{"1:1  encoding-unsupported: the document is encoded in UTF-16 (big-endian) (save it as UTF-8)"}},
		{"UTF-32 LE with mark", "\xff\xfe\x00\x00{\x00\x00\x00", []string{"1:1  encoding-unsupported: the document is encoded in UTF-32 (little-endian) (save it as UTF-8)"}},
		{"UTF-32 BE with mark", "\x00\x00\xfe\xff\x00\x00\x00{", []string{"1:1  encoding-unsupported: the document is encoded in UTF-32 (big-endian) (save it as UTF-8)"}},
		{"UTF-32 LE", "{\x00\x00\x00}\x00\x00\x00", []string{"1:1  encoding-unsupported: the document is encoded in UTF-32 (little-endian) (save it as UTF-8)"}},
		{"UTF-32 BE", "\x00\x00\x00{\x00\x00\x00}", []string{"1:1  encoding-unsupported: the document is encoded in UTF-32 (big-endian) (save it as UTF-8)"}},

		// Fields.
		{"unknown field", `{"n": 1, "zebra": {"n": [1]}, "s": ""}`, []string{`1:10 /zebra unknown-field: a thing has no field "zebra"` + thingHelp}},
		{"close to a field", `{"n": 1, "sigend": 2}`, []string{`1:10 /sigend unknown-field: a thing has no field "sigend" (did you mean "signed"?)`}},
		{"repeated field", "{\"n\": 1,\n \"n\": \"x\"}", []string{`2:2 /n duplicate-json-key: the key "n" is already given on line 1`}},
		{"repeated in other spelling", `{"n": 1, "\u006e": 2}`, []string{`1:10 /n duplicate-json-key: the key "n" is already given on line 1`}},
		{"repeated unknown field", "{\"n\": 1, \"q\": 1,\n\"q\": 2}", []string{
			`1:10 /q unknown-field: a thing has no field "q"` + thingHelp,
			`2:1 /q duplicate-json-key: the key "q" is already given on line 1`,
			`2:1 /q unknown-field: a thing has no field "q"` + thingHelp}},
		{"repeated in a skipped value", `{"n": 1, "hole": {"a": 1, "b": {"a": 2, "a": 3}, "\u0061": 4}}`, []string{
			`1:41 /hole/b/a duplicate-json-key: the key "a" is already given on line 1`,
			`1:50 /hole/a duplicate-json-key: the key "a" is already given on line 1`}},
		{"missing field", "{\n}", []string{`1:1  missing-field: a thing must have the field "n"`}},
		{"missing inner field", `{"inner": {}, "n": 1}`, []string{`1:11 /inner missing-field: an inner thing must have the field "n"`}},
		{"odd key", "{\"n\": 1, \"a/b~\u202e\\n\": 1}", []string{
			"1:10 /a~1b~0\u202e\n unknown-field: a thing has no field \"a/b~\\u202e\\n\"" + thingHelp}},
		{"long key", `{"n": 1, "` + strings.Repeat("é", 100) + `": 1}`, []string{
			"1:10 /" + strings.Repeat("é", 100) + ` unknown-field: a thing has no field "` + strings.Repeat("é", 30) + `"...` + thingHelp}},

		// Types.
		{"types of everything", "{\"n\": true,\n\"signed\": \"1\",\n\"s\": 1,\n\"flag\": 1,\n\"list\": \"ab\",\n\"inner\": [{}]}", []string{
			`1:7 /n wrong-type: "n" must be an integer, found true`,
			`2:11 /signed wrong-type: "signed" must be an integer, found a string`,
			`3:6 /s wrong-type: "s" must be a string, found a number`,
			`4:9 /flag wrong-type: "flag" must be true or false, found a number`,
			`5:9 /list wrong-type: "list" must be a list of numbers, found a string`,
			`6:10 /inner wrong-type: "inner" must be an object, found a list`}},
		{"entries", `{"n": {}, "list": [1, null, [2], 3]}`, []string{
			`1:7 /n wrong-type: "n" must be an integer, found an object`,
			`1:23 /list/1 wrong-type: an entry of "list" must be an integer, found null`,
			`1:29 /list/2 wrong-type: an entry of "list" must be an integer, found a list`}},

		// Numbers.
		{"fractions and exponents", `{"n": 1.0, "list": [1.5, 1e2, 1E+2, -0.0, 1e999]}`, []string{
			`1:7 /n not-an-integer: "n" must be an integer, found 1.0 (write whole numbers without fraction and exponent)`,
			`1:21 /list/0 not-an-integer: an entry of "list" must be an integer, found 1.5 (write whole numbers without fraction and exponent)`,
			`1:26 /list/1 not-an-integer: an entry of "list" must be an integer, found 1e2 (write whole numbers without fraction and exponent)`,
			`1:31 /list/2 not-an-integer: an entry of "list" must be an integer, found 1E+2 (write whole numbers without fraction and exponent)`,
			`1:37 /list/3 not-an-integer: an entry of "list" must be an integer, found -0.0 (write whole numbers without fraction and exponent)`,
			`1:43 /list/4 not-an-integer: an entry of "list" must be an integer, found 1e999 (write whole numbers without fraction and exponent)`}},
		{"ranges", `{"n": 0, "signed": -9223372036854775809, "list": [-1, 9223372036854775808, ` + strings.Repeat("9", 100) + `]}`, []string{
			`1:7 /n integer-out-of-range: "n" must be at least 1, found 0`,
			`1:20 /signed integer-out-of-range: "signed" must be at least -9223372036854775808, found -9223372036854775809`,
			`1:51 /list/0 integer-out-of-range: an entry of "list" must be at least 0, found -1`,
			`1:55 /list/1 integer-out-of-range: an entry of "list" must be at most 9223372036854775807, found 9223372036854775808`,
			`1:76 /list/2 integer-out-of-range: an entry of "list" must be at most 9223372036854775807, found ` + strings.Repeat("9", 60) + "..."}},
		{"not finite", `{"n": NaN, "signed": -Infinity, "s": nan, "list": [+inf, Infinity]}`, []string{
			`1:7 /n nonfinite-number: "n" must be finite, found NaN`,
			`1:22 /signed nonfinite-number: "signed" must be finite, found -Infinity`,
			`1:38 /s nonfinite-number: "s" must be finite, found nan`,
			`1:52 /list/0 nonfinite-number: an entry of "list" must be finite, found +inf`,
			`1:58 /list/1 nonfinite-number: an entry of "list" must be finite, found Infinity`}},
		{"not numbers", `{"n": 01, "list": [+1, -, 1., .5, 1e, 0x10, 1_000, 1e+, --1, 00]}`, []string{
			`1:7 /n json-syntax: 01 is not a number as JSON writes it`,
			`1:20 /list/0 json-syntax: +1 is not a number as JSON writes it`,
			`1:24 /list/1 json-syntax: - is not a number as JSON writes it`,
			`1:27 /list/2 json-syntax: 1. is not a number as JSON writes it`,
			`1:31 /list/3 json-syntax: .5 is not a number as JSON writes it`,
			`1:35 /list/4 json-syntax: 1e is not a number as JSON writes it`,
			`1:39 /list/5 json-syntax: 0x10 is not a number as JSON writes it`,
			`1:45 /list/6 json-syntax: 1_000 is not a number as JSON writes it`,
			`1:52 /list/7 json-syntax: 1e+ is not a number as JSON writes it`,
			`1:57 /list/8 json-syntax: --1 is not a number as JSON writes it`,
			`1:62 /list/9 json-syntax: 00 is not a number as JSON writes it`}},
		{"not words", `{"n": None, "flag": True, "hole": nulll, "s": undefined}`, []string{
			`1:7 /n json-syntax: expected a value, found the word None (the words of JSON are true, false and null)`,
			`1:21 /flag json-syntax: expected a value, found the word True (the words of JSON are true, false and null)`,
			`1:35 /hole json-syntax: expected a value, found the word nulll (the words of JSON are true, false and null)`,
			`1:47 /s json-syntax: expected a value, found the word undefined (the words of JSON are true, false and null)`}},

		// Strings.
		{"bad UTF-8", "{\"n\": 1, \"s\": \"é\xff\xc0\xafz\", \"hole\": \"\xed\xa0\x80\"}", []string{
			"1:17 /s invalid-utf8: byte 0xFF is not valid UTF-8 here",
			"1:18 /s invalid-utf8: byte 0xC0 is not valid UTF-8 here",
			"1:19 /s invalid-utf8: byte 0xAF is not valid UTF-8 here",
			"1:33 /hole invalid-utf8: byte 0xED is not valid UTF-8 here",
			"1:34 /hole invalid-utf8: byte 0xA0 is not valid UTF-8 here",
			"1:35 /hole invalid-utf8: byte 0x80 is not valid UTF-8 here"}},
		{"bad UTF-8 in a key", "{\"n\": 1, \"s\xff\": 1}", []string{"1:12 /s\ufffd invalid-utf8: byte 0xFF is not valid UTF-8 here"}},
		{"half surrogates", `{"n": 1, "s": "\ud800", "hole": ["\udc00x", "\ud800\u0041", "\ud800\ud800\udc00"]}`, []string{
			`1:16 /s invalid-utf8: \ud800 is half of a surrogate pair, which is no character`,
			`1:35 /hole/0 invalid-utf8: \udc00 is half of a surrogate pair, which is no character`,
			`1:46 /hole/1 invalid-utf8: \ud800 is half of a surrogate pair, which is no character`,
			`1:62 /hole/2 invalid-utf8: \ud800 is half of a surrogate pair, which is no character`}},
		{"bad escapes", `{"n": 1, "s": "\x\u12g4\é\u1"}`, []string{
			`1:16 /s json-syntax: there is no escape of a backslash and 'x'`,
			`1:18 /s json-syntax: \u must be followed by four hexadecimal digits`,
			`1:24 /s json-syntax: there is no escape of a backslash and 'é'`,
			`1:26 /s json-syntax: \u must be followed by four hexadecimal digits`}},
		{"control characters", "{\"n\": 1, \"s\": \"a\tb\x00\"}", []string{
			`1:17 /s json-syntax: a control character in a string must be written as \u0009`,
			`1:19 /s json-syntax: a control character in a string must be written as \u0000`}},
		{"open string", "{\"n\": 1, \"s\": \"abc\n\"}", []string{`1:15 /s json-syntax: the string that begins here is not closed on its line`}},
		{"open string at the end", `{"n": 1, "s": "abc\"`, []string{`1:15 /s json-syntax: the string that begins here is not closed on its line`}},
		{"open key", `{"n": 1, "s`, []string{`1:10 /s json-syntax: the string that begins here is not closed on its line`}},

		// Syntax.
		{"no colon", `{"n" 1}`, []string{`1:6 /n json-syntax: expected ':' behind the key, found '1'`}},
		{"no comma", "{\"n\": 1\n\"s\": \"\"}", []string{`2:1 /s json-syntax: expected ',' or '}', found '"'`}},
		{"no comma in a list", `{"n": 1, "list": [1 2]}`, []string{`1:21 /list/1 json-syntax: expected ',' or ']', found '2'`}},
		{"comma too many", `{"n": 1,}`, []string{`1:9  json-syntax: expected a key in double quotes after the comma, found '}'`}},
		{"comma too many in a list", `{"list": [1,]}`, []string{`1:13 /list json-syntax: expected an entry after the comma, found ']'`}},
		{"comma first", `{"list": [,1]}`, []string{`1:11 /list json-syntax: expected a value, found ','`}},
		{"no value", `{"n": }`, []string{`1:7  json-syntax: expected a value, found '}'`}},
		{"single quotes", `{"n": 1, 's': 1}`, []string{`1:10  json-syntax: expected a key in double quotes, found '\'' (strings and keys stand in double quotes)`}},
		{"single quoted value", `{"s": 'x'}`, []string{`1:7 /s json-syntax: expected a value, found '\'' (strings and keys stand in double quotes)`}},
		{"bare key", `{n: 1}`, []string{`1:2  json-syntax: expected a key in double quotes, found 'n'`}},
		{"comment", "{\n  // the count\n  \"n\": 1}", []string{`2:3  json-syntax: expected a key in double quotes, found '/' (JSON has no comments)`}},
		{"wrong bracket", `{"list": [1}`, []string{`1:12 /list json-syntax: expected ',' or ']', found '}'`}},
		{"no-break space", "{\"n\":\u00a01}", []string{`1:6 /n json-syntax: expected a value, found '\u00a0'`}},
		{"stray byte", "{\"n\": 1, \xff}", []string{`1:10  json-syntax: expected a key in double quotes, found byte 0xFF`}},
		{"stray zero byte", "{\"n\": \x00}", []string{`1:7 /n json-syntax: expected a value, found '\x00'`}},
		{"ends in an object", "{\"n\": 1,\n\"inner\": {\"n\": 1\n\n", []string{`2:17 /inner json-syntax: the document ends inside the object that begins on line 2`}},
		{"ends in a list", "{\"list\": [1,\r\n", []string{`1:13 /list json-syntax: the document ends inside the list that begins on line 1`}},
		{"ends behind a key", `{"n"`, []string{`1:5 /n json-syntax: the document ends inside the object that begins on line 1`}},
		{"ends behind a colon", `{"n":`, []string{`1:6 /n json-syntax: the document ends inside the object that begins on line 1`}},
		{"errors before the end", "{\"n\": 0,\n\"q\": 1,\n\"list\": [-1, }", []string{
			`1:7 /n integer-out-of-range: "n" must be at least 1, found 0`,
			`2:1 /q unknown-field: a thing has no field "q"` + thingHelp,
			`3:10 /list/0 integer-out-of-range: an entry of "list" must be at least 0, found -1`,
			`3:14 /list json-syntax: expected a value, found '}'`}},

		// Depth.
		{"deep enough", `{"n": 1, "hole": ` + deep(63) + `}`, nil},
		{"too deep", `{"n": 1, "hole": ` + deep(64) + `}`, []string{
			"1:81 /hole" + strings.Repeat("/0", 63) + " nesting-too-deep: lists and objects are nested more than 64 deep"}},
		{"much too deep", strings.Repeat("[", 1_000_000), []string{
			`1:1  wrong-type: the document must be an object, found a list`,
			"1:65 " + strings.Repeat("/0", 64) + " nesting-too-deep: lists and objects are nested more than 64 deep"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, ds := decode(c.data)
			if diff := cmp.Diff(c.want, brief(ds)); diff != "" {
				t.Errorf("diagnostics of %.200q (-want +got):\n%s", c.data, diff)
			}
		})
	}
}

func TestDiagnosticsAreWhole(t *testing.T) {
	_, got := decode("\xef\xbb\xbf{\r\n  \"ü\": 1, \"n\": 1.5\r\n}\r\n")
	want := []diag.Diagnostic{
		{
			Code: "unknown-field", Severity: diag.Error,
			Message: `a thing has no field "ü"`,
			Help:    "its fields are n, signed, s, flag, hole, list, inner",
			Pos:     diag.Position{File: "doc.json", Line: 2, Column: 3, Pointer: "/ü"},
			Snippet: `  "ü": 1, "n": 1.5`,
		},
		{
			Code: "not-an-integer", Severity: diag.Error,
			Message: `"n" must be an integer, found 1.5`,
			Help:    "write whole numbers without fraction and exponent",
			Pos:     diag.Position{File: "doc.json", Line: 2, Column: 16, Pointer: "/n"},
			Snippet: `  "ü": 1, "n": 1.5`,
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestLinesAreNotShownInAForeignEncoding(t *testing.T) {
	if _, ds := decode("{\x00}\x00"); ds[0].Snippet != "" {
		t.Errorf("snippet %q", ds[0].Snippet)
	}
}

func TestDocumentTooLarge(t *testing.T) {
	for _, c := range []struct {
		size uint64
		code string
	}{{1<<32 - 1, ""}, {1 << 32, "document-too-large"}} {
		if p, _ := unreadable([]byte("{}"), c.size); p.code != c.code {
			t.Errorf("%d bytes: code %q, want %q", c.size, p.code, c.code)
		}
	}
}

func TestReadingEndsAfterTooManyErrors(t *testing.T) {
	data := `{"n": 1, "list": [` + strings.Repeat("\"\",\n", maxProblems+10) + "1]}"
	_, ds := decode(data)
	if len(ds) != maxProblems+1 {
		t.Fatalf("%d diagnostics, want %d", len(ds), maxProblems+1)
	}
	got := brief(ds[maxProblems:])
	want := []string{"10001:1 /list/10000 too-many-errors: reading ends here, after 10000 errors"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDiagnosticsByPointer(t *testing.T) {
	d := &decoder{NewReader(diag.NewSource("", []byte("{\"n\": 1, \"list\": [1, 2],\n\"n\": 2}")))}
	thingShape.Read(d.Reader, d, &thing{})
	d.ReportRepeat(21, 18, "id-duplicate", "the entry is already given")
	want := []diag.Diagnostic{
		{Code: "id-duplicate", Severity: diag.Error, Message: "the entry is already given at /list/0", Pos: diag.Position{Pointer: "/list/1"}},
		{Code: "duplicate-json-key", Severity: diag.Error, Message: `the key "n" is already given at /n`, Pos: diag.Position{Pointer: "/n"}},
	}
	if diff := cmp.Diff(want, d.DiagnosticsByPointer()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
