package importer

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOptionsSet(t *testing.T) {
	for _, test := range []struct {
		name, value string
		want        Options
		err         string
	}{
		{"scale", "total=5000", Options{Total: 5000}, ""},
		{"scale", "5000", Options{}, `scale must be total=N with N at least 1, not "5000"`},
		{"scale", "total=0", Options{}, `scale must be total=N with N at least 1, not "total=0"`},
		{"scale", "total=1.5", Options{}, `scale must be total=N with N at least 1, not "total=1.5"`},
		{"scale", "total=9223372036854775808", Options{}, `scale must be total=N with N at least 1, not "total=9223372036854775808"`},
		{"sources", "ops", Options{}, ""},
		{"sources", "inputs", Options{Sources: SourcesAsInputs}, ""},
		{"sources", "", Options{}, `sources must be ops or inputs, not ""`},
		{"edge-size", "cost", Options{}, ""},
		{"edge-size", "bytes", Options{EdgeSize: EdgeBytes}, ""},
		{"edge-size", "bits", Options{}, `edge-size must be cost or bytes, not "bits"`},
		{"size", "1", Options{}, `no import option "size"; there are scale, sources, edge-size, activation-bytes, message-bytes, capacity-bytes and depth`},
		{"depth", "0", Options{Depth: Amount{0, true}}, ""},
		{"activation-bytes", "12", Options{ActivationBytes: Amount{12, true}}, ""},
		{"message-bytes", "-1", Options{}, `message-bytes must be a number of at least 0, not "-1"`},
		{"capacity-bytes", "1k", Options{}, `capacity-bytes must be a number of at least 0, not "1k"`},
	} {
		var got Options
		text := ""
		if err := got.Set(test.name, test.value); err != nil {
			text = err.Error()
		}
		if got != test.want || text != test.err {
			t.Errorf("%s=%s: %+v, %s", test.name, test.value, got, cmp.Diff(test.err, text))
		}
	}
}
