package plandiff

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
)

// table is a section of one plan: entities by their ids, in the order of the plan.
type table struct {
	name   string
	order  []string
	fields map[string][]field
	again  map[string][]string // further entities of an id, by what they are called
	copies map[string]bool     // all of these
	// open: an entity whose fields are all open is no other than one that is not
	// there.
	open bool
}

type field struct {
	name  string
	value any // nil where the plan does not say
}

func newTable(name string) *table {
	return &table{name: name, fields: map[string][]field{}, again: map[string][]string{}, copies: map[string]bool{}}
}

// newOpenTable makes a table of decisions, in which a hole may be written or left
// out.
func newOpenTable(name string) *table {
	t := newTable(name)
	t.open = true
	return t
}

// add enters an entity. Of one that is there already, it makes another one.
func (t *table) add(id string, fields ...field) {
	name := id
	for n := 2; ; n++ {
		if _, taken := t.fields[name]; !taken {
			break
		}
		name = fmt.Sprintf("%s (%d)", id, n)
	}
	if name != id {
		t.again[id] = append(t.again[id], name)
		t.copies[name] = true
	}
	t.order = append(t.order, name)
	t.fields[name] = fields
}

// settle puts entities of one id into an order that is not that of the plan.
func (t *table) settle() {
	for id, names := range t.again { // each by itself
		names = append([]string{id}, names...)
		all := make([][]field, len(names))
		for i, name := range names {
			all[i] = t.fields[name]
		}
		slices.SortStableFunc(all, func(a, b []field) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
		for i, name := range names {
			t.fields[name] = all[i]
		}
	}
}

// silent says whether an entity says no more than if it were not there.
func (t *table) silent(id string) bool {
	return t.open && !t.copies[id] && !slices.ContainsFunc(t.fields[id], func(f field) bool { return f.value != nil })
}

// compare tells what differs between a section of two plans.
func compare(before, after *table) (Section, bool) {
	s := Section{Name: before.name}
	for _, id := range before.order {
		is, there := after.fields[id]
		if !there && before.silent(id) {
			continue
		}
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
		if _, there := before.fields[id]; !there && !after.silent(id) {
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
