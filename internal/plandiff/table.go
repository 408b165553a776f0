package plandiff

import (
	"fmt"
	"reflect"
	"slices"
)

// table is a section of one plan: entities by their ids, in the order of the plan.
type table struct {
	name   string
	order  []string
	fields map[string][]field
}

type field struct {
	name  string
	value any // nil where the plan does not say
}

func newTable(name string) *table { return &table{name: name, fields: map[string][]field{}} }

// add enters an entity. Of one that is there already, it makes another one.
func (t *table) add(id string, fields ...field) {
	name := id
	for n := 2; ; n++ {
		if _, taken := t.fields[name]; !taken {
			break
		}
		name = fmt.Sprintf("%s (%d)", id, n)
	}
	t.order = append(t.order, name)
	t.fields[name] = fields
}

// compare tells what differs between a section of two plans.
func compare(before, after *table) (Section, bool) {
	s := Section{Name: before.name}
	for _, id := range before.order {
		is, there := after.fields[id]
		if !there {
			s.Removed = append(s.Removed, id)
			continue
		}
		for i, was := range before.fields[id] {
			if !reflect.DeepEqual(was.value, is[i].value) {
				s.Changed = append(s.Changed, Change{id, was.name, was.value, is[i].value})
			}
		}
	}
	for _, id := range after.order {
		if _, there := before.fields[id]; !there {
			s.Added = append(s.Added, id)
		}
	}
	return s, len(s.Added)+len(s.Removed)+len(s.Changed) > 0
}

// sorted is a list of texts in order, for lists whose order says nothing.
func sorted(list []string) []string {
	list = slices.Clone(list)
	slices.Sort(list)
	return list
}
