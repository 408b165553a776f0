package strictjson

import "testing"

func TestUnquote(t *testing.T) {
	for _, c := range []struct {
		text, want string
		at         int
		problem    string
	}{
		{text: `""`},
		{text: `"a b"`, want: "a b"},
		{text: `"a\n\u00e9\ud83d\ude00\""`, want: "a\né😀\""},
		{text: `"a\qb"`, want: "aqb", at: 2, problem: "there is no escape of a backslash and 'q'"},
		{text: "\"\xff\"", want: "\ufffd", at: 1, problem: "byte 0xFF is not valid UTF-8 here"},
		{text: `"`, problem: "is no string"},
		{text: `a`, problem: "is no string"},
	} {
		got, at, problem := Unquote([]byte(c.text))
		if string(got) != c.want || at != c.at || problem != c.problem {
			t.Errorf("Unquote(%s) = %q, %d, %q, want %q, %d, %q", c.text, got, at, problem, c.want, c.at, c.problem)
		}
	}
}
