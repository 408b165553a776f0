package strictjson

import (
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/diag"
)

func TestFloat(t *testing.T) {
	for _, test := range []struct {
		text string
		min  float64
		want float64
		err  string
	}{
		{"0.25", 0, 0.25, ""},
		{"-1e-2", math.Inf(-1), -0.01, ""},
		{"12", 0, 12, ""},
		{"1E400", 0, 0, "nonfinite-number: the document must be finite, found 1E400, which is beyond 64-bit floating point"},
		{"1e-400", 0, 0, ""},
		{"-0.5", 0, 0, "number-out-of-range: the document must be at least 0, found -0.5"},
		{"NaN", 0, 0, "nonfinite-number: the document must be finite, found NaN"},
		{"01", 0, 0, "json-syntax: 01 is not a number as JSON writes it"},
		{"true", 0, 0, "wrong-type: the document must be a number, found true"},
		{`"1"`, 0, 0, "wrong-type: the document must be a number, found a string"},
		{"[1]", 0, 0, "wrong-type: the document must be a number, found a list"},
	} {
		r := NewReader(diag.NewSource("t.json", []byte(test.text)))
		got, ok := r.Float(test.min)
		r.End()
		said := ""
		for _, d := range r.Diagnostics() {
			said += d.Code + ": " + d.Message
		}
		if got != test.want || ok != (test.err == "") || said != test.err {
			t.Errorf("%s: %g, %t\n%s", test.text, got, ok, cmp.Diff(test.err, said))
		}
	}
}

// An open shape steps over fields that are not its own, and still objects to
// repeated ones.
func TestOpenShape(t *testing.T) {
	type pair struct{ a, b int64 }
	shape := NewShape("a pair",
		Required("a", func(r *Reader, p *pair) { p.a, _ = r.Int(0) }),
		Required("b", func(r *Reader, p *pair) { p.b, _ = r.Int(0) }),
	).Open()
	r := NewReader(diag.NewSource("t.json", []byte(`{"x": [{"a": 7}], "b": 2, "y": null, "a": 1, "x": 0}`)))
	var p pair
	ok := shape.Read(r, r, &p)
	r.End()
	var said []string
	for _, d := range r.Diagnostics() {
		said = append(said, fmt.Sprintf("%d %s %s", d.Pos.Column, d.Code, d.Message))
	}
	want := []string{`46 duplicate-json-key the key "x" is already given on line 1`}
	if d := cmp.Diff(want, said); !ok || p != (pair{1, 2}) || d != "" {
		t.Errorf("%t %+v %s", ok, p, d)
	}
}

// Many errors in one long key are told apart in time that grows with the key,
// not with its square.
func TestPointersShareWork(t *testing.T) {
	key := make([]byte, 1<<18)
	for i := range key {
		key[i] = 0x9f
	}
	text := fmt.Sprintf("{\"%s\": 1}", key)
	r := NewReader(diag.NewSource("t.json", []byte(text)))
	r.Skip()
	if n := len(r.Diagnostics()); n != maxProblems+1 {
		t.Errorf("%d errors, want %d", n, maxProblems+1)
	}
}
