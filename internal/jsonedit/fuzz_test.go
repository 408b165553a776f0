package jsonedit_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/jsonedit"
)

// Texts of any kind give edits or an error. Edits of a document, in whatever
// formatting, make it say what it should.
func FuzzEdits(f *testing.F) {
	f.Add([]byte(`{"a": [1, {"b": null}], "c": "\u00e9\\"}`), []byte(`{"a": [2], "d": {}}`), true)
	f.Add([]byte(`[[], {}, "", -1.5e3]`), []byte(`[{}, []]`), false)
	f.Add([]byte("\ufeff[ {\"id\":\"x\"} ,\n{\"id\":\"y\"}]"), []byte(`[{"id":"y"},{"id":"z"}]`), true)
	f.Add([]byte(`{"a":1,"a":2}`), []byte(`{"a":3}`), false)
	f.Add([]byte(`{"a":`), []byte(`]`), false)
	f.Fuzz(func(t *testing.T, src, after []byte, wide bool) {
		var was, is any
		text := bytes.TrimPrefix(src, []byte("\ufeff"))
		if json.Unmarshal(text, &was) != nil || json.Unmarshal(after, &is) != nil {
			if edits, err := jsonedit.Edits(src, src, after); err == nil {
				jsonedit.Apply(src, edits)
			}
			return
		}
		before, want := mustJSON(t, was), mustJSON(t, is)
		var plain bytes.Buffer // without repeated keys
		if wide {
			if err := json.Indent(&plain, before, "", "  "); err != nil {
				t.Fatal(err)
			}
		} else {
			plain.Write(before)
		}
		edits, err := jsonedit.Edits(plain.Bytes(), before, want)
		if err != nil {
			t.Skip(err) // values that are nested too deep
		}
		got := jsonedit.Apply(plain.Bytes(), edits)
		var back any
		if err := json.Unmarshal(got, &back); err != nil {
			t.Fatalf("%v in %s", err, got)
		}
		if diff := cmp.Diff(string(want), string(mustJSON(t, back))); diff != "" {
			t.Fatalf("(-want +got):\n%s", diff)
		}
		jsonedit.Unified("x", plain.Bytes(), edits)
	})
}
