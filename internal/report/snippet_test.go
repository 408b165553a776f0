package report

import (
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"":                      "",
		"plain - text":          "plain - text",
		"größe 算子":              "größe 算子",
		"a\x1b[31mred\x1b[0m":   `a\x1b[31mred\x1b[0m`,
		"tab\tnew\nline\r":      `tab\tnew\nline\r`,
		"right\u202eleft":       `right\u202eleft`,
		"bad \xff utf":          `bad \xff utf`,
		"c1 \u009b31m":          `c1 \u009b31m`,
		"zero\u200bwidth":       `zero\u200bwidth`,
		"replacement \ufffd ok": "replacement \ufffd ok",
	} {
		if got := printable(in); got != want {
			t.Errorf("printable(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestSnippet(t *testing.T) {
	type shown struct {
		Text   string
		Before int
	}
	// A line of 300 numbered tens: the character at column 10*n+1 begins "n.".
	var b strings.Builder
	for i := range 30 {
		b.WriteString((string(rune('a'+i%26)) + "123456789")[:10])
	}
	long := b.String()
	for _, test := range []struct {
		name   string
		line   string
		column int
		want   shown
	}{
		{"first", `{"a": 1}`, 1, shown{`{"a": 1}`, 0}},
		{"behind the end", `{"a": 1`, 8, shown{`{"a": 1`, 7}},
		{"far behind the end", `{`, 99, shown{`{`, 1}},
		{"very far behind the end", `{`, 999, shown{`{`, 1}},
		{"tabs", "\t\t\"a\"", 3, shown{`        "a"`, 8}},
		{"escape", "\x1b[31m\"a\"", 6, shown{`\x1b[31m"a"`, 8}},
		{"not UTF-8", "\xff\xfe\"a\"", 3, shown{`\xff\xfe"a"`, 8}},
		{"wide", `"算子": x`, 7, shown{`"算子": x`, 8}},
		{"combining", "e\u0301 x", 4, shown{"e\u0301 x", 2}},
		{"cut behind", long, 1, shown{long[:96] + "...", 0}},
		{"cut before", long, 300, shown{"..." + long[204:], 98}},
		{"cut on both sides", long, 151, shown{"..." + long[110:206] + "...", 43}},
	} {
		text, before := snippet(test.line, test.column)
		if diff := cmp.Diff(test.want, shown{text, before}); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// Whatever a file holds, what is shown of it is short, holds no control
// character, and the caret stands under it or directly behind.
func TestSnippetIsSafe(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		line := rapid.OneOf(
			rapid.String(),
			rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
			rapid.Map(rapid.StringN(0, 20, -1), func(s string) string { return strings.Repeat(s, 40) }),
		).Draw(t, "line")
		column := rapid.IntRange(1, 400).Draw(t, "column")
		text, before := snippet(line, column)
		if n := cells(text); n > snippetCells+2*len("...")+16 {
			t.Fatalf("%d cells wide: %q", n, text)
		}
		if before < 0 || before > snippetCells+len("...") {
			t.Fatalf("caret at %d", before)
		}
		for _, r := range text {
			if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
				t.Fatalf("%q holds %U", text, r)
			}
		}
	})
}
