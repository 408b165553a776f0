package plandiff

import (
	"cmp"

	"plancheck/ir"
)

// labels are what texts call entities that have names, by their ids, by section.
type labels map[string]map[string]string

// labelsOf are the labels of what either plan has. Those of the plan before count
// where the plans call something differently.
func labelsOf(plans ...*ir.Plan) labels {
	var commands, buffers []ir.Labelled
	for _, p := range plans {
		if p.Program == nil {
			continue
		}
		for i := range p.Program.Commands {
			c := &p.Program.Commands[i]
			commands = append(commands, ir.Labelled{ID: p.Text(c.ID), Name: c.Name})
		}
		for i := range p.Program.Buffers {
			b := &p.Program.Buffers[i]
			buffers = append(buffers, ir.Labelled{ID: p.Text(b.ID), Name: b.Name})
		}
	}
	return labels{"command": ir.Labels(commands), "buffer": ir.Labels(buffers)}
}

// named are the fields that name entities, and the section of these.
var named = map[string]string{"after": "command", "behind": "command", "freed_by": "command", "reads": "buffer", "writes": "buffer"}

// value is the value of a field as texts say it.
func (l labels) value(field string, v any) any {
	of := l[named[field]]
	switch x := v.(type) {
	case string:
		return cmp.Or(of[x], x)
	case []string:
		all := make([]string, len(x))
		for i, id := range x {
			all[i] = cmp.Or(of[id], id)
		}
		return all
	}
	return v
}
