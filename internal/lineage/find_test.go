package lineage

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/facts"
)

// twins is a model with ids as people write them: two values are named h, an op is
// called like the value that it does not make, and two ids begin alike.
const twins = `{"schema": "plancheck.model/1",
 "values": [
  {"id": "x", "type": {"shape": [4], "dtype": "f32"}, "role": "input"},
  {"id": "value:0123456789abcdef0123456789abcdef", "name": "h", "type": {"shape": [4], "dtype": "f32"}, "role": "activation"},
  {"id": "value:0123456a89abcdef0123456789abcdef", "name": "h", "type": {"shape": [4], "dtype": "f32"}, "role": "output"},
  {"id": "z", "name": "result", "type": {"shape": [4], "dtype": "f32"}, "role": "output"}],
 "ops": [
  {"id": "a", "kind": "model.relu", "inputs": ["x"], "outputs": ["value:0123456789abcdef0123456789abcdef"]},
  {"id": "op:fedcba9876543210fedcba9876543210", "name": "x", "kind": "model.gelu", "inputs": ["value:0123456789abcdef0123456789abcdef"], "outputs": ["value:0123456a89abcdef0123456789abcdef"]},
  {"id": "z", "kind": "model.relu", "inputs": ["x"], "outputs": ["z"]}],
 "inputs": ["x"], "outputs": ["value:0123456a89abcdef0123456789abcdef", "z"]}`

func TestFind(t *testing.T) {
	x := opened(t, reread(t, "twins.json", []byte(twins)))
	for _, c := range []struct{ word, level, want string }{
		{"x", "", "value x"}, // an id goes before a name
		{"op x", "", "op op:fedcba9876543210fedcba9876543210"},
		{"op z", "", "op z"},
		{"value op:fedc", "", `no entity has the id or the name "value op:fedc"`},
		{"z", "", "op z, value z"},
		{"z", "model", "op z, value z"},
		{"result", "", "value z"},
		{"%result", "", "value z"},
		{"fedc", "", "op op:fedcba9876543210fedcba9876543210"},
		{"op:fedc", "", "op op:fedcba9876543210fedcba9876543210"},
		{"value:0123456a", "", "value value:0123456a89abcdef0123456789abcdef"},
		{"fed", "", `no entity has the id or the name "fed"`},
		{"value:fedc", "", `no entity has the id or the name "value:fedc"`},
		{"op:fed", "", `no entity has the id or the name "op:fed"`},
		{"z", "tasks", `no entity of level tasks has the id or the name "z"; level model has it`},
		{"reslut", "", `no entity has the id or the name "reslut"; did you mean "result"?`},
		{"%reslut", "", `no entity has the id or the name "%reslut"; did you mean "result"?`},
		{"", "", `no entity has the id or the name ""`},
		{"h", "", `"h" names several entities:
  model value h: %h = activation : tensor<4xf32>, value:0123456789abcdef0123456789abcdef at twins.json:4
  model value h: %h = output : tensor<4xf32>, value:0123456a89abcdef0123456789abcdef at twins.json:5
give more of an id, its kind, as in "op y", a level with --level, or fewer documents`},
		{"01234", "", `"01234" names several entities:
  model value h: %h = activation : tensor<4xf32>, value:0123456789abcdef0123456789abcdef at twins.json:4
  model value h: %h = output : tensor<4xf32>, value:0123456a89abcdef0123456789abcdef at twins.json:5
give more of an id, its kind, as in "op y", a level with --level, or fewer documents`},
	} {
		matches, err := x.Find(c.word, c.level)
		var got []string
		for _, m := range matches {
			got = append(got, fmt.Sprint(m.entity.kind, " ", m.entity.id))
		}
		text := strings.Join(got, ", ")
		if err != nil {
			text = err.Error()
		}
		if diff := cmp.Diff(c.want, text); diff != "" {
			t.Errorf("%q at level %q (-want +got):\n%s", c.word, c.level, diff)
		}
	}
	var unknown *Unknown
	if _, err := x.Find("nothing", ""); !errors.As(err, &unknown) {
		t.Error(err)
	}
	if got := x.shortID("value:0123456789abcdef0123456789abcdef"); got != "value:01234567" {
		t.Errorf("the short id is %s", got)
	}
}

// An entity is found by its name on any level, and a name of several levels is
// that of the highest.
func TestFindAtLevels(t *testing.T) {
	c := rowParallel(t, 2)
	x := opened(t, c[:]...)
	command := c[planLevel].Plan().Text(c[planLevel].Plan().Program.Commands[0].ID)
	for _, test := range []struct{ word, level, want string }{
		{"down", "", "model op"},
		{"down", "tasks", "tasks task"},
		{"down@1", "", "portable task"},
		{"y.terms", "", "tasks value"},
		{"y.terms@0", "", "portable buffer"},
		{command, "", "plan command, timeline interval, observations observation"},
		{command[:len("command:")+8], "timeline", "timeline interval"},
	} {
		matches, err := x.Find(test.word, test.level)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range matches {
			got = append(got, Levels()[m.entity.kind.level()].Name+" "+m.entity.kind.String())
		}
		if diff := cmp.Diff(test.want, strings.Join(got, ", ")); diff != "" {
			t.Errorf("%s at level %q: %s", test.word, test.level, diff)
		}
	}
}

// Documents that were not made from each other are not followed.
func TestParents(t *testing.T) {
	c := rowParallel(t, 2)
	m := small(t, "row-parallel")
	m.Values[0].Name = "other"
	other := derivedFrom(t, m, 2)
	told := func(documents ...*facts.Document) (all []string) {
		_, diags := Open(documents)
		for _, d := range diags {
			all = append(all, fmt.Sprintf("%s:%d: %s: %s", d.Pos.File, d.Pos.Line, d.Code, d.Message))
		}
		return all
	}
	for _, test := range []struct {
		name      string
		documents []*facts.Document
		want      []string
	}{
		{"all fit", c[:], nil},
		{"two derivations", append(c[:], other[:]...), nil},
		{"another model", append([]*facts.Document{other[modelLevel]}, c[taskLevel:]...), []string{
			"tasks.json:6: parent-digest-wrong: the document was made from the plancheck.model/1 with digest " + c[modelLevel].Digest() + ", but model.json has " + other[modelLevel].Digest()}},
		{"another plan", []*facts.Document{c[modelLevel], other[planLevel], c[timelineLevel]}, []string{
			"timeline.json:5: parent-digest-wrong: the document was made from the plancheck.concrete-plan/1 with digest " + c[planLevel].Digest() + ", but plan.json has " + other[planLevel].Digest()}},
		{"evidence of later", append([]*facts.Document{reread(t, "later.json", []byte(`{"schema": "plancheck.evidence/1", "provider": "lab", "records": []}`))}, c[:]...), nil},
	} {
		if diff := cmp.Diff(test.want, told(test.documents...)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

// The same ids in two derivations are one entity only where one was made from the
// other.
func TestTwoDerivations(t *testing.T) {
	c := rowParallel(t, 2)
	m := small(t, "row-parallel")
	m.Values[0].Name = "other"
	other := derivedFrom(t, m, 2)
	x := opened(t, append(c[:], other[:]...)...)
	var several *Ambiguous
	if _, err := x.Find("y", ""); !errors.As(err, &several) || len(several.Candidates) != 4 {
		t.Errorf("%v", err)
	}
	alone := trailOf(t, opened(t, other[:]...), "other", "")
	if diff := cmp.Diff(alone.Text(true), trailOf(t, x, "other", "").Text(true)); diff != "" {
		t.Error(diff)
	}
}

// The same content twice counts once.
func TestCopies(t *testing.T) {
	c := rowParallel(t, 2)
	x := opened(t, append(c[:], c[modelLevel], c[planLevel])...)
	if diff := cmp.Diff([]string{"model.json", "plan.json"}, x.Left()); diff != "" {
		t.Error(diff)
	}
	once := opened(t, c[:]...)
	if diff := cmp.Diff(trailOf(t, once, "y", "").Text(true), trailOf(t, x, "y", "").Text(true)); diff != "" {
		t.Error(diff)
	}
}
