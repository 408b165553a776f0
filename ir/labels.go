package ir

import (
	"fmt"
	"slices"
	"strings"
)

// Labelled is an entity that people are told of.
type Labelled struct {
	ID, Name string // Name is "" where it has none
}

// fewestDigits is how much of an id stands at least behind its prefix and colon
// where names are not unique.
const fewestDigits = 6

// Labels are what people are told instead of ids, by id: the name of each entity
// that has one. Behind one that several have, or that is the id of another one,
// stands as much of the id as tells these apart. Entities without a name have no
// label. Of several with one id the first counts.
func Labels(all []Labelled) map[string]string {
	labels, of := map[string]string{}, map[string][]string{} // ids by what they would be called
	ids := map[string]bool{}
	for _, e := range all {
		if ids[e.ID] {
			continue
		}
		ids[e.ID] = true
		if e.Name != "" && e.Name != e.ID {
			labels[e.ID] = e.Name
			of[e.Name] = append(of[e.Name], e.ID)
		}
	}
	for name, same := range of {
		if len(same) == 1 && !ids[name] {
			continue
		}
		n := distinct(same)
		for _, id := range same {
			labels[id] = fmt.Sprintf("%s (%s)", name, id[:min(n, len(id))])
		}
	}
	return labels
}

// distinct is how many bytes of ids tell them from each other.
func distinct(ids []string) int {
	ids = slices.Sorted(slices.Values(ids))
	n := 0
	for i, id := range ids {
		n = max(n, strings.LastIndexByte(id, ':')+1+fewestDigits)
		for same := 0; i > 0 && same < len(id) && same < len(ids[i-1]) && id[same] == ids[i-1][same]; same++ {
			n = max(n, same+2)
		}
	}
	return n
}

// CommandLabels are the labels of the commands of the program.
func (p *Plan) CommandLabels() map[string]string {
	var all []Labelled
	if p.Program != nil {
		for i := range p.Program.Commands {
			c := &p.Program.Commands[i]
			all = append(all, Labelled{p.Text(c.ID), c.Name})
		}
	}
	return Labels(all)
}
