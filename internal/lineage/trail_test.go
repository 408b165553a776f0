package lineage

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/facts"
)

// unmarked is a trail in full, without the marks of what was asked for.
func unmarked(t *Trail) string {
	return strings.ReplaceAll("\n"+t.Text(true), "\n> ", "\n  ")
}

// The trail of a model with one op has all that is done on every level, and is the
// same whichever of its entities is asked for; each is marked where it is.
func TestTrailBothWays(t *testing.T) {
	c := rowParallel(t, 4)
	x := opened(t, c[:]...)
	whole := trailOf(t, x, "y", "")
	count := map[string]int{}
	for _, e := range x.entities {
		if kinds[e.kind].work {
			count[Levels()[e.kind.level()].Name]++
			if !slices.Contains(whole.entities, e) {
				t.Errorf("the trail has no %s %s", e.kind, e.id)
			}
		}
	}
	want := map[string]int{"model": 1, "tasks": 2, "portable": 5, "binding": 5, "plan": 8, "machine": 16, "timeline": 8, "observations": 8}
	if diff := cmp.Diff(want, count); diff != "" {
		t.Errorf("what is done (-want +got):\n%s", diff)
	}
	for _, e := range whole.entities {
		if e.kind == Operand || e.kind == Port { // they have no ids of their own
			continue
		}
		level := Levels()[e.kind.level()].Name
		again := trailOf(t, x, e.id, level)
		if diff := cmp.Diff(unmarked(whole), unmarked(again)); diff != "" {
			t.Fatalf("%s %s of level %s has another trail:\n%s", e.kind, e.id, level, diff)
		}
		if marks := strings.Count("\n"+again.Text(false), "\n> "); marks != 1 || !again.asked[e] || len(again.asked) != 1 {
			t.Errorf("%s %s of level %s: %d marks", e.kind, e.id, level, marks)
		}
	}
	for _, e := range trailOf(t, x, "x", "").entities {
		if kinds[e.kind].work || slices.Contains(whole.entities, e) && e.kind != Operand {
			t.Errorf("the trail of an input has %s %s", e.kind, e.id)
		}
	}
}

// Everything that is done belongs to one op.
func TestTrailsDoNotMix(t *testing.T) {
	m := small(t, "mlp")
	c := derivedFrom(t, m, 2)
	x := opened(t, c[:]...)
	ops := map[*entity][]string{}
	for _, o := range m.Ops {
		for _, e := range trailOf(t, x, o.ID, "").entities {
			if kinds[e.kind].work {
				ops[e] = append(ops[e], o.Name)
			}
		}
	}
	for _, e := range x.entities {
		if kinds[e.kind].work && len(ops[e]) != 1 {
			t.Errorf("%s %s is of the ops %v", e.kind, e.id, ops[e])
		}
	}
}

// Display names are for people: with others a model gives the same ids.
func TestRenamed(t *testing.T) {
	ids := func(rename func(string) string) (all []string, text string) {
		m := small(t, "mlp")
		for i := range m.Values {
			m.Values[i].Name = rename(m.Values[i].Name)
		}
		for i := range m.Ops {
			m.Ops[i].Name = rename(m.Ops[i].Name)
		}
		c := derivedFrom(t, m, 2)
		x := opened(t, c[:]...)
		trail := trailOf(t, x, rename("y"), "")
		for _, e := range trail.entities {
			all = append(all, fmt.Sprint(e.kind.level(), " ", e.kind, " ", e.id))
		}
		return all, trail.Text(false)
	}
	same, text := ids(func(s string) string { return s })
	renamed, other := ids(func(s string) string { return "new_" + s })
	unnamed, bare := ids(func(s string) string {
		if s == "y" {
			return s
		}
		return ""
	})
	if diff := cmp.Diff(same, renamed); diff != "" {
		t.Errorf("other names:\n%s", diff)
	}
	if diff := cmp.Diff(same, unnamed); diff != "" {
		t.Errorf("no names:\n%s", diff)
	}
	if strings.ReplaceAll(text, "%y", "%new_y") == text || !strings.Contains(other, "%new_y") {
		t.Error(other)
	}
	if got, want := strings.Count(bare, "\n"), strings.Count(text, "\n"); got != want {
		t.Errorf("without names the trail has %d lines, with names %d:\n%s", got, want, bare)
	}
}

// summary is how many entities a trail has of each level, and what it says of
// levels that are not given.
func summary(t *Trail) (all []string) {
	for l, level := range Levels() {
		n := 0
		for _, e := range t.entities {
			if e.kind.level() == l {
				n++
			}
		}
		if gap := t.gap(l); gap != "" {
			all = append(all, gap)
		} else if n > 0 {
			all = append(all, fmt.Sprint(level.Name, " ", n))
		}
	}
	return append(all, t.Notes()...)
}

// Without the documents of some levels the trail goes on where ids join the levels
// around them, and says where it ends.
func TestMissingLevels(t *testing.T) {
	c := rowParallel(t, 2)
	command := c[planLevel].Plan().Text(c[planLevel].Plan().Program.Commands[0].ID)
	for _, test := range []struct {
		given, ask string // levels; C is the first command
		want       []string
	}{
		{"model tasks portable binding plan machine timeline", "y", []string{"model 2", "tasks 4", "portable 7", "binding 3", "plan 8", "machine 16", "timeline 4", "note: not given: set of observations"}},
		{"tasks portable plan", "y", []string{"no model was given: the trail ends here", "tasks 4", "portable 7", "plan 8", "note: not given: binding, machine program, timeline, set of observations"}},
		{"model tasks plan timeline", "y", []string{"model 2", "tasks 4", "no portable plan was given: the trail ends here", "note: not given: binding, machine program, set of observations"}},
		{"model tasks plan timeline", "C", []string{"no portable plan was given: the trail ends here", "plan 2", "timeline 1", "note: not given: binding, machine program, set of observations"}},
		{"model plan machine", "y", []string{"model 2", "no distributed model was given: the trail goes on by ids alone", "no portable plan was given: the trail goes on by ids alone", "machine 2", "note: not given: binding, timeline, set of observations"}},
		{"model tasks portable machine timeline", "y", []string{"model 2", "tasks 4", "portable 7", "no concrete plan was given: the trail goes on by ids alone", "machine 8", "note: not given: binding, set of observations"}},
		{"model tasks portable machine timeline", "C", []string{"no concrete plan was given: the trail ends here", "machine 2", "timeline 1", "note: not given: binding, set of observations"}},
		{"machine timeline", "C", []string{"no concrete plan was given: the trail ends here", "machine 2", "timeline 1", "note: not given: model, distributed model, portable plan, binding, set of observations"}},
		{"timeline observations", "C", []string{"no concrete plan was given: the trail ends here", "timeline 1", "observations 1", "note: not given: model, distributed model, portable plan, binding, machine program"}},
		{"model", "y", []string{"model 2", "note: not given: distributed model, portable plan, binding, concrete plan, machine program, timeline, set of observations"}},
		{"binding plan timeline", "C", []string{"no portable plan was given: the trail ends here", "binding 1", "plan 2", "timeline 1", "note: not given: model, distributed model, machine program, set of observations"}},
		{"plan machine", "C", []string{"no portable plan was given: the trail ends here", "plan 2", "machine 4", "note: not given: model, distributed model, binding, timeline, set of observations"}},
		{"tasks plan", "y", []string{"no model was given: the trail ends here", "tasks 4", "no portable plan was given: the trail ends here", "note: not given: binding, machine program, timeline, set of observations"}},
	} {
		var documents []*facts.Document
		for l, level := range Levels() {
			if slices.Contains(strings.Fields(test.given), level.Name) {
				documents = append(documents, c[l])
			}
		}
		word := strings.Replace(test.ask, "C", command, 1)
		if diff := cmp.Diff(test.want, summary(trailOf(t, opened(t, documents...), word, ""))); diff != "" {
			t.Errorf("%s of %s (-want +got):\n%s", test.ask, test.given, diff)
		}
	}
}
