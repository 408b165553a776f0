package diag

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestPosition(t *testing.T) {
	long, bad := strings.Repeat("é", 100_000), strings.Repeat("\x80", 100_000)
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
		{"long line of bytes that are no characters", bad, 60_001, Position{Line: 1, Column: 60_002}, bad},
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
		{"start of a long line", "a\n" + long, 2, "x" + strings.Repeat("é", 255), 0},
		{"middle of a long line", "a\n" + long, 2 + 40_001, strings.Repeat("é", 256) + "?" + strings.Repeat("é", 255), 20_001 - 256},
		{"bytes that are no characters", strings.Repeat("\x80", 99_999), 50_000, strings.Repeat("\x80", 1024), 50_000 - 512},
		{"end of a long line", "a\n" + long + "\n", 2 + len(long), strings.Repeat("é", 256), 40_002 - 256},
	} {
		text, skipped := NewSource("f", []byte(test.text)).Excerpt(test.offset)
		if text != test.want || skipped != test.skipped {
			t.Errorf("%s: %d characters %.20q... behind %d, want %d characters %.20q... behind %d", test.name,
				len([]rune(text)), text, skipped, len([]rune(test.want)), test.want, test.skipped)
		}
	}
}

// Columns are those that one would count from the start of the line, whatever
// the bytes are.
func TestColumnsAreCounted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit := rapid.OneOf(rapid.SampledFrom([]string{"é", "\x80", "\xe7\xae", "算", "a", "😀", "\xff"}), rapid.StringN(1, 5, -1))
		text := ""
		for range 4 {
			text += strings.Repeat(unit.Draw(t, "unit"), rapid.IntRange(1, 20_000).Draw(t, "times"))
		}
		text = strings.ReplaceAll(text, "\n", "")
		s := NewSource("f", []byte(text))
		for range 5 {
			offset := rapid.IntRange(s.Start, len(text)).Draw(t, "offset")
			for offset < len(text) && !utf8.RuneStart(text[offset]) {
				offset++ // may be behind a character, never in one
			}
			if got, want := s.Position(offset).Column, 1+utf8.RuneCountInString(text[s.Start:offset]); got != want {
				t.Fatalf("offset %d: column %d, want %d", offset, got, want)
			}
		}
	})
}

func TestReleasedTextIsReadAgain(t *testing.T) {
	text := "{\n  \"a\": 1\n}\n"
	s := NewSource("a.json", []byte(text))
	s.Release(func() ([]byte, error) { return []byte(text), nil })
	if got := s.Position(4); got.Line != 2 || got.Column != 3 || s.Line(2) != `  "a": 1` || s.Err() != nil {
		t.Errorf("%+v %q %v", got, s.Line(2), s.Err())
	}
	changed := NewSource("a.json", []byte(text))
	changed.Release(func() ([]byte, error) { return []byte(text + " "), nil })
	if got := changed.Text(); len(got) > 0 || changed.Err() == nil {
		t.Errorf("a changed file is shown: %q, %v", got, changed.Err())
	}
	gone := errors.New("gone")
	lost := NewSource("a.json", []byte(text))
	lost.Release(func() ([]byte, error) { return nil, gone })
	if got := lost.Text(); len(got) > 0 || !errors.Is(lost.Err(), gone) {
		t.Errorf("a lost file is shown: %q, %v", got, lost.Err())
	}
}

// What is said about a document that stands in another form in a file is said of
// the file.
func TestDerived(t *testing.T) {
	file := NewSource("f", []byte("one\ntwo three\n"))
	place := map[int]int{0: 0, 5: 8} // "{" is "one", and "3" is "three"
	s := file.Derived([]byte(`{"a":3}`), func(offset int) int { return place[offset] })
	if diff := cmp.Diff(Position{File: "f", Line: 2, Column: 5}, s.Position(5)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got := s.LineAt(5); got != 2 {
		t.Errorf("line %d, want 2", got)
	}
	if got, skipped := s.Excerpt(5); got != "two three" || skipped != 0 {
		t.Errorf("excerpt %q behind %d, want the second line", got, skipped)
	}
	if got := s.Line(1); got != "one" {
		t.Errorf("line 1 is %q, want that of the file", got)
	}
	s.Release(func() ([]byte, error) { return nil, errors.New("no document can be read again") })
	if got := string(s.Text()); got != `{"a":3}` || s.Origin() != file || file.Origin() != nil {
		t.Errorf("the text is %s", got)
	}
}
