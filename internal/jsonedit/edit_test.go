package jsonedit_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/jsonedit"
)

func TestEdits(t *testing.T) {
	for _, c := range []struct {
		name, src, before, after, want string
	}{
		{"a number", "{\n  \"a\" :  1,\n  \"b\": [1,  2]\n}\n", `{"a": 1, "b": [1, 2]}`, `{"a": 10, "b": [1, 3]}`, "{\n  \"a\" :  10,\n  \"b\": [1,  3]\n}\n"},
		{"a null becomes a number", `{"a": null, "b":2}`, `{"b": 2}`, `{"a": 1, "b": 2}`, `{"a": 1, "b":2}`},
		{"a key with escapes", `{"\u0061b": 1, "c\/<\n":[2]}`, `{"ab": 1, "c/<\n": [2]}`, `{"ab": 3, "c/<\n": [2, 4]}`, `{"\u0061b": 3, "c\/<\n":[2, 4]}`},
		{"a default that the text leaves out", `{"id": "x"}`, `{"id": "x", "lanes": 1}`, `{"id": "y", "lanes": 1}`, `{"id": "y"}`},
		{"an entry like its neighbours", "{\"ops\": [\n\t{ \"id\": \"a\",\n\t  \"work\": 1 },\n\t{ \"id\": \"b\",\n\t  \"work\": 2 }\n]}",
			`{"ops": [{"id": "a", "work": 1}, {"id": "b", "work": 2}]}`, `{"ops": [{"id": "a", "work": 1}, {"id": "b", "work": 2}, {"id": "c", "work": 3}]}`,
			"{\"ops\": [\n\t{ \"id\": \"a\",\n\t  \"work\": 1 },\n\t{ \"id\": \"b\",\n\t  \"work\": 2 },\n\t{ \"id\": \"c\",\n\t  \"work\": 3 }\n]}"},
		{"an entry on one line", `{"l":[{"id":"a"}]}`, `{"l": [{"id": "a"}]}`, `{"l": [{"id": "a"}, {"id": "b"}]}`, `{"l":[{"id":"a"},{"id":"b"}]}`},
		{"an empty list", "{\r\n    \"l\": []\r\n}", `{"l": []}`, `{"l": [{"id": "a"}, {"id": "b"}]}`, "{\r\n    \"l\": [\r\n        {\"id\": \"a\"},\r\n        {\"id\": \"b\"}\r\n    ]\r\n}"},
		{"a new member", "{\n  \"a\": 1\n}", `{"a": 1}`, `{"a": 1, "b": [{"id": 1}, {"id": 2}], "c": [1, 2]}`,
			"{\n  \"a\": 1,\n  \"b\": [\n    {\"id\": 1},\n    {\"id\": 2}\n  ],\n  \"c\": [1, 2]\n}"},
		{"a new object with lists", "{\n  \"a\": 1\n}", `{"a": 1}`, `{"a": 1, "b": {"c": [{"id": 1}], "d": [1, 2], "e": 3}}`,
			"{\n  \"a\": 1,\n  \"b\": {\n    \"c\": [\n      {\"id\": 1}\n    ],\n    \"d\": [1, 2],\n    \"e\": 3\n  }\n}"},
		{"the first entry goes", "[\n {\"id\": 1},\n {\"id\": 2}\n]", `[{"id": 1}, {"id": 2}]`, `[{"id": 2}]`, "[\n {\"id\": 2}\n]"},
		{"the last entry goes", "[\n {\"id\": 1},\n {\"id\": 2}\n]", `[{"id": 1}, {"id": 2}]`, `[{"id": 1}]`, "[\n {\"id\": 1}\n]"},
		{"all go", "[\n {\"id\": 1},\n {\"id\": 2}\n]", `[{"id": 1}, {"id": 2}]`, `[]`, "[\n \n]"},
		{"one goes and one comes", `["a", "b", "c"]`, `["a", "b", "c"]`, `["a", "c", "d"]`, `["a", "c", "d"]`},
		{"the last goes and one comes", `["a", "b", "c"]`, `["a", "b", "c"]`, `["a", "x", "y", "b"]`, `["a", "x", "y", "b"]`},
		{"a list of numbers grows", `{"cores":[0,1]}`, `{"cores": [0, 1]}`, `{"cores": [0, 1, 2, 3]}`, `{"cores":[0,1,2,3]}`},
		{"a list of numbers shrinks", `{"cores":[0,1,2]}`, `{"cores": [0, 1, 2]}`, `{"cores": [5]}`, `{"cores":[5]}`},
		{"a member goes", `{"a": 1, "b": 2, "c": 3}`, `{"a": 1, "b": 2, "c": 3}`, `{"a": 1, "d": 4}`, `{"a": 1, "d": 4}`},
		{"an edge is led elsewhere", `[{"from":"a", "to":"b"}, {"from":"a","to": "c"}, {"from":"b","to":"c"}]`,
			`[{"from": "a", "to": "b"}, {"from": "a", "to": "c"}, {"from": "b", "to": "c"}]`,
			`[{"from": "f", "to": "b"}, {"from": "a", "to": "c"}, {"from": "b", "to": "c"}, {"from": "a", "to": "f"}]`,
			`[{"from":"f", "to":"b"}, {"from":"a","to": "c"}, {"from":"b","to":"c"}, {"from":"a","to":"f"}]`},
	} {
		edits, err := jsonedit.Edits([]byte(c.src), []byte(c.before), []byte(c.after))
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if diff := cmp.Diff(c.want, string(jsonedit.Apply([]byte(c.src), edits))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

func TestEditsRefuse(t *testing.T) {
	for _, c := range [][3]string{
		{`{"a": 1`, `{}`, `{}`}, {`{}`, `{"a" 1}`, `{}`}, {`{}`, `{}`, `[1 2]`}, {`[1]`, `[1, 2]`, `[1, 3]`}, {`"a`, `1`, `2`}, {``, `1`, `2`}, {`1 2`, `1`, `2`},
	} {
		if edits, err := jsonedit.Edits([]byte(c[0]), []byte(c[1]), []byte(c[2])); err == nil {
			t.Errorf("%q: edits %v and no error", c, edits)
		}
	}
}

// In random documents, written in random ways, random changes arrive, and patch
// makes the same of the unified diff.
func TestRandomEdits(t *testing.T) {
	patch, _ := exec.LookPath("patch")
	dir := t.TempDir()
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 7))
		was := value(r, 0)
		src, before := write(r, was), mustJSON(t, was)
		is := was
		for range 1 + r.IntN(3) {
			is = disturb(r, is, 0)
		}
		after := mustJSON(t, is)
		edits, err := jsonedit.Edits(src, before, after)
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		got := jsonedit.Apply(src, edits)
		var back any
		if err := json.Unmarshal(got, &back); err != nil {
			t.Fatalf("seed %d: %v in\n%s\nof\n%s", seed, err, got, src)
		}
		if diff := cmp.Diff(string(after), string(mustJSON(t, back))); diff != "" {
			t.Fatalf("seed %d (-want +got):\n%s\n%s", seed, diff, src)
		}
		if patch == "" {
			continue
		}
		file := filepath.Join(dir, "a b.json")
		if err := os.WriteFile(file, src, 0o666); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(patch, "-p0", "--binary")
		cmd.Dir = dir
		diff := jsonedit.Unified("a b.json", src, edits)
		if (len(diff) == 0) != bytes.Equal(src, got) {
			t.Fatalf("seed %d: a diff of %d bytes", seed, len(diff))
		}
		if len(diff) == 0 {
			continue
		}
		cmd.Stdin = bytes.NewReader(diff)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("seed %d: patch: %v: %s\n%s\n%s", seed, err, out, diff, src)
		}
		patched, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(got), string(patched)); d != "" {
			t.Fatalf("seed %d: patch makes something else (-want +got):\n%s", seed, d)
		}
	}
}

// value is a random document: objects with lists of objects, strings, numbers.
func value(r *rand.Rand, depth int) any {
	switch n := r.IntN(6); {
	case depth == 0 || n < 2 && depth < 4:
		m := map[string]any{}
		for i := range r.IntN(4) {
			m[fmt.Sprint("k", i)] = value(r, depth+1)
		}
		return m
	case n < 4 && depth < 4:
		l := []any{}
		same := r.IntN(3)
		for i := range r.IntN(5) {
			switch same {
			case 0:
				l = append(l, map[string]any{"id": fmt.Sprint("n", i), "x": value(r, depth+1)})
			case 1:
				l = append(l, r.IntN(5))
			default:
				l = append(l, value(r, depth+1))
			}
		}
		return l
	case n == 4:
		return fmt.Sprint("s", r.IntN(9))
	}
	return r.IntN(100)
}

// disturb changes something somewhere.
func disturb(r *rand.Rand, v any, depth int) any {
	switch x := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, e := range x {
			out[k] = e
		}
		key := fmt.Sprint("k", r.IntN(5))
		switch e, there := out[key]; {
		case !there:
			out[key] = value(r, depth+1)
		case r.IntN(4) == 0:
			delete(out, key)
		default:
			out[key] = disturb(r, e, depth+1)
		}
		return out
	case []any:
		out := append([]any{}, x...)
		if len(out) == 0 {
			return append(out, value(r, depth+1))
		}
		i := r.IntN(len(out))
		switch r.IntN(3) {
		case 0:
			return append(out[:i], out[i+1:]...)
		case 1:
			return append(out[:i], append([]any{value(r, depth+1)}, out[i:]...)...)
		}
		out[i] = disturb(r, out[i], depth+1)
		return out
	}
	return value(r, depth+1)
}

func mustJSON(t *testing.T, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// write writes a document with white space here and there.
func write(r *rand.Rand, v any) []byte {
	text, _ := json.Marshal(v)
	var b strings.Builder
	gaps := []string{"", "", " ", "\n", "\n  ", "\r\n\t"}
	for i, c := range text {
		b.WriteByte(c)
		inside := i+1 < len(text) && (c == '{' || c == '[' || c == ',' || c == ':')
		if inside {
			b.WriteString(gaps[r.IntN(len(gaps))])
		}
	}
	if r.IntN(2) == 0 {
		b.WriteByte('\n')
	}
	return []byte(b.String())
}

// Patch finds the file of a diff, whatever its name is.
func TestUnifiedNamesFile(t *testing.T) {
	patch, err := exec.LookPath("patch")
	if err != nil {
		t.Skip("patch is not installed, and it is patch that reads the diff here")
	}
	src := []byte("{\"a\": 1}\n")
	edits, err := jsonedit.Edits(src, []byte(`{"a": 1}`), []byte(`{"a": 2}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a b", " lead", "trail ", "tab\there", "line\nfeed", `"quoted"`, `in"side`, `back\slash`, "ü\t"} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, name), src, 0o666); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(patch, "-p0", "--batch")
		cmd.Dir, cmd.Stdin = dir, bytes.NewReader(jsonedit.Unified(name, src, edits))
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%q: %v: %s", name, err, out)
			continue
		}
		got, err := os.ReadFile(filepath.Join(dir, name))
		if diff := cmp.Diff("{\"a\": 2}\n", string(got)); diff != "" || err != nil {
			t.Errorf("%q: %v (-want +got):\n%s", name, err, diff)
		}
	}
}
