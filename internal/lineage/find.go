package lineage

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"plancheck/internal/diag"
	"plancheck/ir/level"
)

// Match is an entity that was asked for.
type Match struct{ entity *entity }

// Unknown is the error of a word that names nothing.
type Unknown struct {
	Word  string
	Level string // where it was looked for; "" for everywhere
	Has   string // another level, which has it; "" for none
	Near  string // what may have been meant; "" for nothing
}

func (u *Unknown) Error() string {
	s := fmt.Sprintf("no entity has the id or the name %q", u.Word)
	if u.Level != "" {
		s = fmt.Sprintf("no entity of level %s has the id or the name %q", u.Level, u.Word)
	}
	switch {
	case u.Has != "":
		s += fmt.Sprintf("; level %s has it", u.Has)
	case u.Near != "":
		s += fmt.Sprintf("; did you mean %q?", u.Near)
	}
	return s
}

// Ambiguous is the error of a word that names entities of several trails, or of
// several ids.
type Ambiguous struct {
	Word       string
	Candidates []string // a line for each
}

func (a *Ambiguous) Error() string {
	return fmt.Sprintf("%q names several entities:\n  %s\ngive more of an id, its kind, as in \"op y\", a level with --level, or fewer documents", a.Word, strings.Join(a.Candidates, "\n  "))
}

// shortest is how many digits of an id at least stand for it.
const shortest = 4

// Find returns what a word names: all entities with this id; else those of the
// highest level with this display name; else the one whose id has these digits
// behind its prefix, at least four, or begins like this. A word of a kind and one
// of these, such as "op y", names entities of this kind only. Level is the name of
// one of Levels, where only its entities count, or "". The error is an *Unknown or
// an *Ambiguous.
func (x *Index) Find(word, level string) ([]Match, error) {
	matches, err := x.find(word, level, "")
	var unknown *Unknown
	if !errors.As(err, &unknown) {
		return matches, err
	}
	for _, k := range kinds {
		rest, ok := strings.CutPrefix(word, k.noun+" ")
		if !ok {
			continue
		}
		if matches, err := x.find(rest, level, k.noun); !errors.As(err, &unknown) {
			return matches, err
		}
	}
	if level == "" {
		unknown = &Unknown{Word: word, Near: x.near(word)}
	} else {
		unknown = &Unknown{Word: word, Level: level}
		if matches, err := x.find(word, "", ""); err == nil {
			unknown.Has = Levels()[matches[0].entity.kind.level()].Name
		}
	}
	return nil, unknown
}

// find is Find, of entities of a kind or, with "", of all.
func (x *Index) find(word, level, noun string) ([]Match, error) {
	only := func(all []*entity) []*entity {
		return slices.DeleteFunc(slices.Clone(all), func(e *entity) bool {
			return e.document == nil || level != "" && Levels()[e.kind.level()].Name != level || noun != "" && e.kind.String() != noun
		})
	}
	if all := only(x.ids[word]); len(all) > 0 {
		return x.one(word, all)
	}
	if all := only(x.named(word)); len(all) > 0 {
		matches, err := x.one(word, all)
		if err != nil {
			return nil, err
		}
		return highest(matches), nil
	}
	var all []*entity
	for id, of := range x.ids {
		if begins(id, word) {
			all = append(all, of...)
		}
	}
	all = only(all)
	inOrder(all)
	switch {
	case len(all) == 0:
		return nil, &Unknown{Word: word}
	case slices.ContainsFunc(all, func(e *entity) bool { return e.id != all[0].id }):
		return nil, x.ambiguous(word, all)
	}
	return x.one(word, all)
}

// named are the entities with a display name, which may be written as texts write
// it, behind a %.
func (x *Index) named(word string) []*entity {
	if all := x.names[word]; all != nil {
		return all
	}
	if name, ok := strings.CutPrefix(word, "%"); ok {
		return x.names[name]
	}
	return nil
}

// begins says whether a derived id begins with a word: with its prefix or
// without.
func begins(id, word string) bool {
	_, digits, derived := level.Derived(id)
	if !derived {
		return false
	}
	_, given, whole := strings.Cut(word, ":")
	if whole {
		return len(given) >= shortest && strings.HasPrefix(id, word)
	}
	return len(word) >= shortest && strings.HasPrefix(digits, word)
}

// one returns entities that are of one trail: whose roots hang together.
func (x *Index) one(word string, all []*entity) ([]Match, error) {
	var trails [][]*entity // roots of each
	for _, e := range all {
		joined := roots(e)
		trails = slices.DeleteFunc(trails, func(other []*entity) bool {
			meets := slices.ContainsFunc(other, func(r *entity) bool { return slices.Contains(joined, r) })
			if meets {
				joined = append(joined, other...)
			}
			return meets
		})
		trails = append(trails, joined)
	}
	if len(trails) > 1 {
		return nil, x.ambiguous(word, all)
	}
	inOrder(all)
	var matches []Match
	for _, e := range all {
		matches = append(matches, Match{e})
	}
	return matches, nil
}

// highest are the matches of the first level that has any.
func highest(all []Match) []Match {
	first := all[0].entity.kind.level()
	return slices.DeleteFunc(slices.Clone(all), func(m Match) bool { return m.entity.kind.level() != first })
}

// mostCandidates is how many candidates are listed.
const mostCandidates = 20

func (x *Index) ambiguous(word string, all []*entity) *Ambiguous {
	inOrder(all)
	a := &Ambiguous{Word: word}
	for i, e := range all {
		if left := len(all) - mostCandidates; left > 1 && i == mostCandidates {
			a.Candidates = append(a.Candidates, fmt.Sprintf("and %d more", left))
			break
		}
		name := Levels()[e.kind.level()].Name + " " + e.kind.String()
		if e.name != "" {
			name += " " + e.name
		}
		a.Candidates = append(a.Candidates, fmt.Sprintf("%s: %s, %s at %s", name, x.words(e, false), e.id, x.placeOf(e)))
	}
	return a
}

// near is the id or the name that a word is likely to mean.
func (x *Index) near(word string) string {
	all := slices.Sorted(maps.Keys(x.names))
	for _, id := range slices.Sorted(maps.Keys(x.ids)) {
		if _, _, long := level.Derived(id); !long {
			all = append(all, id)
		}
	}
	return diag.Nearest(strings.TrimPrefix(word, "%"), slices.Values(all))
}
