package irtext_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"plancheck/facts"
	"plancheck/internal/diag"
	"plancheck/internal/irtext"
)

// Whatever stands in a file, it is read or refused with a place in it; and what is
// read survives.
func FuzzText(f *testing.F) {
	paths, err := filepath.Glob("testdata/*.ir")
	if err != nil || len(paths) == 0 {
		f.Fatal(paths, err)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		file := diag.NewSource("text", data)
		src, diags := irtext.Source(file)
		if src == nil {
			if len(diags) != 1 || diags[0].Pos.Line < 1 || diags[0].Message == "" {
				t.Fatalf("no error with a place: %v", diags)
			}
			return
		}
		if src == file {
			return
		}
		if !json.Valid(src.Text()) {
			t.Fatalf("no JSON:\n%s", src.Text())
		}
		d, diags := facts.Decode(src)
		if d == nil {
			for _, x := range diags {
				if x.Pos.Line < 1 {
					t.Fatalf("no place: %v", x)
				}
			}
			return
		}
		survives(t, d)
	})
}
