package strictjson

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/diag"
)

func TestValuesAreRead(t *testing.T) {
	got, ds := decode("\xef\xbb\xbf" + ` { "list" : [ 0 ,1,
		9223372036854775807, 999999999999999999, 1000000000000000000, -0 ] ,
		"signed":-9223372036854775808,"\u0073":"a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00é😀 and more",
		"flag":true, "hole" : null , "inner":{"n":12,"flag":false}, "n":9223372036854775807 } ` + "\r\n")
	if ds != nil {
		t.Fatal(brief(ds))
	}
	want := thing{
		N: math.MaxInt64, Signed: math.MinInt64, B: true, Hole: true,
		S:     "a\"\\/\b\f\n\r\té😀é😀 and more",
		List:  []int64{0, 1, math.MaxInt64, 999999999999999999, 1000000000000000000, 0},
		Inner: &thing{N: 12},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestStringsOfEveryLengthAndAlignment(t *testing.T) {
	for n := range 20 {
		for _, odd := range []string{"", "é", "\\n", "x"} {
			for at := range n + 1 {
				raw := strings.Repeat("a", at) + odd + strings.Repeat("b", n-at)
				var want string
				if err := json.Unmarshal([]byte(`"`+raw+`"`), &want); err != nil {
					t.Fatal(err)
				}
				got, ds := decode(`{"n":1,"s":"` + raw + `"}`)
				if ds != nil || got.S != want {
					t.Errorf("%q is read as %q %v", raw, got.S, brief(ds))
				}
			}
		}
	}
}

func TestOpenObjects(t *testing.T) {
	const data = `{"id": 1, "x\u0079": [2], "z": {"id": 3}, "size": 4, "id": 5}`
	r := NewReader(diag.NewSource("", []byte(data)))
	fields := NewFields("a node", "id", "size").Require("id").Open()
	var got []string
	for o := r.Object(fields); o.Next(); {
		key := string(o.Key())
		if o.Field == Other {
			key += " (other)"
		}
		got = append(got, key)
		r.Skip()
	}
	r.End()
	if diff := cmp.Diff([]string{"id", "xy (other)", "z (other)", "size"}, got); diff != "" {
		t.Errorf("keys (-want +got):\n%s", diff)
	}
	want := []string{`1:54 /id duplicate-json-key: the key "id" is already given on line 1`}
	if diff := cmp.Diff(want, brief(r.Diagnostics())); diff != "" {
		t.Errorf("diagnostics (-want +got):\n%s", diff)
	}
}

func TestLocateAndEntries(t *testing.T) {
	const data = `{"skip": {"n": [0]}, "l\u0069st": [10, {"list": 0}, [] ] }`
	src := diag.NewSource("", []byte(data))
	list := Locate(src, 0, "list")
	if want := uint32(strings.Index(data, "[10")); list != want {
		t.Errorf("list at %d, want %d", list, want)
	}
	want := []uint32{uint32(strings.Index(data, "10")), uint32(strings.Index(data, `{"list"`)), uint32(strings.Index(data, "[]"))}
	if diff := cmp.Diff(want, Entries(src, list)); diff != "" {
		t.Errorf("entries (-want +got):\n%s", diff)
	}
	if at := Locate(src, 0, "absent"); at != 0 {
		t.Errorf("an absent field is at %d, want the object's 0", at)
	}
}

const sample = "{\"list\": [1,\n2], \"inner\": {\"n\": 3, \"flag\": true},\n\"s\": \"a\\u00e9b\", \"n\": 12}"

func TestEveryTruncationIsAnError(t *testing.T) {
	for n := range len(sample) {
		_, ds := decode(sample[:n])
		if len(ds) == 0 {
			t.Errorf("%q is read without an error", sample[:n])
		}
	}
	if _, ds := decode(sample); ds != nil {
		t.Fatal(brief(ds))
	}
}

func TestLineEndsDoNotMatter(t *testing.T) {
	bad := strings.NewReplacer("3", "3.5", "12", "\n0", "true", "1").Replace(sample)
	for _, data := range []string{bad, bad[:40], "{\n\n", "{\n\"s\": \"open\n\"}"} {
		_, lf := decode(data)
		_, crlf := decode(strings.ReplaceAll(data, "\n", "\r\n"))
		if len(lf) == 0 {
			t.Errorf("%q has no error", data)
		}
		if diff := cmp.Diff(lf, crlf); diff != "" {
			t.Errorf("%q (-LF +CRLF):\n%s", data, diff)
		}
	}
}

func TestNothingIsReadBehindTheEnd(t *testing.T) {
	r := NewReader(diag.NewSource("", []byte(`{"a": ]`)))
	r.Skip()
	first := r.Diagnostics()
	r.Skip()
	r.End()
	r.List("a list")
	r.String("a string")
	r.Object(anyFields)
	r.Bool()
	if r.Null() || !r.Stopped() || !r.Failed() {
		t.Error("reading goes on")
	}
	if diff := cmp.Diff(first, r.Diagnostics()); diff != "" {
		t.Errorf("more errors (-first +then):\n%s", diff)
	}
}

// FuzzSkip compares what is accepted with encoding/json, which takes repeated
// keys, bad UTF-8 and deeper nesting.
func FuzzSkip(f *testing.F) {
	for _, s := range []string{sample, `[1.5e-3, -0, "\ud83d\ude00", null, true, {}]`, `{"a":1,"a":2}`, "\xef\xbb\xbf1", `[01]`, `"\x"`, "[NaN]", `{"a":[{}]]`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		src := diag.NewSource("", data)
		r := NewReader(src)
		r.Skip()
		r.End()
		ds := r.Diagnostics()
		for _, d := range ds {
			if d.Pos.Line < 1 || d.Pos.Column < 1 || d.Message == "" {
				t.Fatalf("%q: bad diagnostic %+v", data, d)
			}
		}
		valid := json.Valid(data[src.Start:])
		if !valid && len(ds) == 0 {
			t.Fatalf("%q is read without an error", data)
		}
		stricter := []string{"duplicate-json-key", "invalid-utf8", "nesting-too-deep"}
		for _, d := range ds {
			if valid && !slices.Contains(stricter, d.Code) {
				t.Fatalf("%q is JSON, but: %s", data, brief([]diag.Diagnostic{d}))
			}
		}
	})
}
