package ir

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLabels(t *testing.T) {
	for _, c := range []struct {
		name string
		all  []Labelled
		want map[string]string
	}{
		{"none", []Labelled{{"c0", ""}}, map[string]string{}},
		{"unique", []Labelled{{"command:0123456789", "up@0"}, {"c1", "up@1"}}, map[string]string{"command:0123456789": "up@0", "c1": "up@1"}},
		{"the id itself", []Labelled{{"up", "up"}}, map[string]string{}},
		{"of several", []Labelled{{"command:01234567", "up"}, {"command:01239999", "up"}, {"c", "down"}},
			map[string]string{"command:01234567": "up (command:012345)", "command:01239999": "up (command:012399)", "c": "down"}},
		{"alike for long", []Labelled{{"command:0123456789", "up"}, {"command:0123456700", "up"}},
			map[string]string{"command:0123456789": "up (command:012345678)", "command:0123456700": "up (command:012345670)"}},
		{"one id begins with the other", []Labelled{{"abcdefgh", "up"}, {"abcdefghi", "up"}},
			map[string]string{"abcdefgh": "up (abcdefgh)", "abcdefghi": "up (abcdefghi)"}},
		{"the id of another", []Labelled{{"c0", "c1"}, {"c1", ""}}, map[string]string{"c0": "c1 (c0)"}},
		{"one id twice", []Labelled{{"c0", "up"}, {"c0", "up"}}, map[string]string{"c0": "up"}},
	} {
		if diff := cmp.Diff(c.want, Labels(c.all)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
