package ir

import (
	"cmp"
	"fmt"
	"slices"

	"plancheck/internal/strictjson"
)

// uniqueKeys reports entries of other lists that stand for the same thing.
func (c *checker) uniqueKeys() {
	p := c.plan
	a := &p.Assignment
	if p.Target != nil {
		unique(c, p.Target.Cores, "id", func(x *Core) (int64, int64, uint32) { return x.ID, 0, x.At },
			func(x *Core) string { return fmt.Sprintf("the core id %d is already used", x.ID) })
	}
	for i := range p.Graph.Ops {
		c.uniqueKinds(&p.Graph.Ops[i])
	}
	unique(c, p.Stages, "index", func(x *Stage) (int64, int64, uint32) { return x.Index, 0, x.At },
		func(x *Stage) string { return fmt.Sprintf("the stage index %d is already used", x.Index) })
	unique(c, a.Splits, "op", func(x *Split) (int64, int64, uint32) { return idKey(x.Op), 0, x.At },
		func(x *Split) string { return fmt.Sprintf("op %s is already split", c.quote(x.Op)) })
	unique(c, a.Replicas, "index", func(x *Replica) (int64, int64, uint32) { return idKey(x.Op), x.Index, x.At },
		func(x *Replica) string {
			return fmt.Sprintf("replica %d of op %s is already given", x.Index, c.quote(x.Op))
		})
	unique(c, p.Transfers, "id", func(x *Transfer) (int64, int64, uint32) { return idKey(x.ID), 0, x.At },
		func(x *Transfer) string { return fmt.Sprintf("the transfer id %s is already used", c.quote(x.ID)) })
	unique(c, p.Syncs, "id", func(x *Sync) (int64, int64, uint32) { return idKey(x.ID), 0, x.At },
		func(x *Sync) string { return fmt.Sprintf("the sync id %s is already used", c.quote(x.ID)) })
}

// uniqueKinds reports kinds of cores that an op's work is stated for twice.
func (c *checker) uniqueKinds(op *Op) {
	if len(op.WorkOn) < 2 {
		return
	}
	firsts := map[string]uint32{}
	for _, w := range op.WorkOn {
		first, there := firsts[w.Kind]
		switch {
		case w.Kind == "": // reported before
		case there && !c.Stopped():
			c.ReportRepeat(c.locate(w.At, "kind"), c.locate(first, "kind"), "id-duplicate",
				fmt.Sprintf("work on cores of kind %s is already given", strictjson.Quote(w.Kind)))
		default:
			firsts[w.Kind] = w.At
		}
	}
}

func idKey(id ID) int64 {
	if id == NoID {
		return None
	}
	return int64(id)
}

// unique reports entries of a list that have the same key, a pair of numbers
// of which None is one that could not be read. The key stands in the given
// field of the entry.
func unique[T any](c *checker, list []T, field string, key func(*T) (a, b int64, at uint32), message func(*T) string) {
	compare := func(x, y *T) int {
		a, b, _ := key(x)
		a2, b2, _ := key(y)
		return cmp.Or(cmp.Compare(a, a2), cmp.Compare(b, b2))
	}
	growing := true
	for i := 1; growing && i < len(list); i++ {
		growing = compare(&list[i-1], &list[i]) < 0
	}
	if growing {
		return
	}
	order := make([]int, len(list))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return compare(&list[i], &list[j]) })
	first := &list[order[0]]
	for _, i := range order[1:] {
		x := &list[i]
		if compare(first, x) != 0 {
			first = x
			continue
		}
		a, b, at := key(x)
		if a == None || b == None || c.Stopped() {
			continue
		}
		_, _, firstAt := key(first)
		c.ReportRepeat(c.locate(at, field), c.locate(firstAt, field), "id-duplicate", message(x))
	}
}
