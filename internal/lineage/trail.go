package lineage

import (
	"slices"
)

// Trail is what was made from the same ops and values of the highest level as the
// entities that were asked for, those included.
type Trail struct {
	index    *Index
	Asked    []Match
	roots    []*entity
	entities []*entity // in order
	asked    map[*entity]bool
}

// Trail follows entities, which must be of one trail, as Find returns them.
func (x *Index) Trail(asked []Match) *Trail {
	t := &Trail{index: x, Asked: asked, asked: map[*entity]bool{}}
	for _, m := range asked {
		t.asked[m.entity] = true
		for _, r := range roots(m.entity) {
			if !slices.Contains(t.roots, r) {
				t.roots = append(t.roots, r)
			}
		}
	}
	inOrder(t.roots)
	t.entities = closure(t.roots, func(e *entity) []*entity { return e.down })
	inOrder(t.entities)
	return t
}

// roots are what an entity was made from in the end, in order. Work and what it
// makes are one root: they are one statement of the text.
func roots(e *entity) []*entity {
	var tops []*entity
	for _, up := range closure([]*entity{e}, func(e *entity) []*entity { return e.up }) {
		if len(up.up) == 0 {
			tops = append(tops, up)
		}
	}
	var all []*entity
	add := func(e *entity) {
		if !slices.Contains(all, e) {
			all = append(all, e)
		}
	}
	for _, top := range tops {
		add(top)
		for _, maker := range top.makers {
			add(maker)
		}
	}
	for _, top := range slices.Clone(all) {
		for _, result := range top.produces {
			add(result)
		}
	}
	inOrder(all)
	return all
}

// closure is what is reached from entities, themselves included. It ends whatever
// documents say: each entity is visited once.
func closure(from []*entity, next func(*entity) []*entity) []*entity {
	seen := map[*entity]bool{}
	var all []*entity
	for queue := slices.Clone(from); len(queue) > 0; queue = queue[1:] {
		if e := queue[0]; !seen[e] {
			seen[e] = true
			all = append(all, e)
			queue = append(queue, next(e)...)
		}
	}
	return all
}

// inOrder sorts entities: by level, by kind, and as documents have them.
func inOrder(all []*entity) {
	slices.SortFunc(all, func(a, b *entity) int {
		switch {
		case a.kind != b.kind:
			return int(a.kind) - int(b.kind)
		}
		return a.order - b.order
	})
}
