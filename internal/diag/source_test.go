package diag

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPosition(t *testing.T) {
	long := strings.Repeat("é", 100_000)
	for _, test := range []struct {
		name, text string
		offset     int
		want       Position
		line       string
	}{
		{"start", "ab\ncd", 0, Position{Line: 1, Column: 1}, "ab"},
		{"line end", "ab\ncd", 2, Position{Line: 1, Column: 3}, "ab"},
		{"second line", "ab\r\ncd\r\n", 5, Position{Line: 2, Column: 2}, "cd"},
		{"end", "ab\n", 3, Position{Line: 2, Column: 1}, ""},
		{"beyond", "ab", 99, Position{Line: 1, Column: 3}, "ab"},
		{"mark", "\xef\xbb\xbfab", 4, Position{Line: 1, Column: 2}, "ab"},
		{"before the mark's end", "\xef\xbb\xbfab", 0, Position{Line: 1, Column: 1}, "ab"},
		{"characters", "äöü x", 7, Position{Line: 1, Column: 5}, "äöü x"},
		{"long line", "x\n" + long + "!", 2 + 2*100_000, Position{Line: 2, Column: 100_001}, long + "!"},
		{"empty", "", 0, Position{Line: 1, Column: 1}, ""},
	} {
		s := NewSource("f", []byte(test.text))
		test.want.File = "f"
		got := s.Position(test.offset)
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
		if line := s.Line(got.Line); line != test.line {
			t.Errorf("%s: line %.40q, want %.40q", test.name, line, test.line)
		}
	}
}

func TestExcerpt(t *testing.T) {
	// Characters of two bytes, so that a cut may fall into one.
	long := "x" + strings.Repeat("é", 20_000) + "?" + strings.Repeat("é", 20_000)
	for _, test := range []struct {
		name, text string
		offset     int
		want       string
		skipped    int
	}{
		{"short", "ab\ncd\r\nef", 4, "cd", 0},
		{"at the line end", "ab\ncd\r\nef", 5, "cd", 0},
		{"start of a long line", "a\n" + long, 2, "x" + strings.Repeat("é", 256), 0},
		{"middle of a long line", "a\n" + long, 2 + 40_001, strings.Repeat("é", 256) + "?" + strings.Repeat("é", 256), 20_001 - 256},
		{"end of a long line", "a\n" + long + "\n", 2 + len(long), strings.Repeat("é", 256), 40_002 - 256},
	} {
		text, skipped := NewSource("f", []byte(test.text)).Excerpt(test.offset)
		if text != test.want || skipped != test.skipped {
			t.Errorf("%s: %d characters %.20q... behind %d, want %d characters %.20q... behind %d", test.name,
				len([]rune(text)), text, skipped, len([]rune(test.want)), test.want, test.skipped)
		}
	}
}
