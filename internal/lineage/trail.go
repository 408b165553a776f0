package lineage

import (
	"cmp"
	"slices"
)

// Trail is what was made from the same ops and values of the highest level as the
// entities that were asked for, those included.
type Trail struct {
	index    *Index
	roots    []*entity
	entities []*entity // in order
	asked    map[*entity]bool
}

// Trail follows entities, which must be of one trail, as Find returns them.
func (x *Index) Trail(asked []Match) *Trail {
	t := &Trail{index: x, asked: map[*entity]bool{}}
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
// makes have one root: they are one statement of the text.
func roots(e *entity) []*entity {
	above := func(e *entity) []*entity { return e.up }
	all := closure([]*entity{e}, above)
	var makers, products []*entity
	for _, top := range all {
		if top.highest() {
			makers = append(makers, top.makers...)
		}
	}
	for _, top := range append(all, makers...) {
		if top.highest() {
			products = append(products, top.produces...)
		}
	}
	all = closure(slices.Concat(all, makers, products), above)
	all = slices.DeleteFunc(all, func(e *entity) bool { return len(e.up) > 0 })
	inOrder(all)
	return all
}

// highest says that an entity stands in a document, and nothing that it was made
// from does.
func (e *entity) highest() bool {
	return e.document != nil && !slices.ContainsFunc(e.up, func(up *entity) bool { return up.document != nil })
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
		return cmp.Or(int(a.kind)-int(b.kind), a.order-b.order)
	})
}
