package task

import (
	"plancheck/internal/poly"
	"plancheck/ir/level"
	"plancheck/ir/model"
)

// Value returns the value with an id.
func (d *Distributed) Value(id string) (*Value, bool) {
	for i := range d.Values {
		if d.Values[i].ID == id {
			return &d.Values[i], true
		}
	}
	return nil, false
}

// Products implements level.Reckoner: the elements and bytes of shards, what the
// shards of an axis are together, and the operations of a rank and of all.
func (d *Distributed) Products(tell func(factors ...poly.Poly)) {
	locals, cuts := map[string][]poly.Poly{}, map[string]map[string]bool{}
	for _, v := range d.Values {
		locals[v.ID], cuts[v.ID] = v.Local, map[string]bool{}
		tell(v.Shape...)
		if bytes, ok := level.Bytes(v.DType); ok {
			tell(append(append([]poly.Poly{}, v.Local...), poly.Int(bytes))...)
		}
		along := map[int64]map[string]bool{}
		for _, c := range v.Sharding {
			if along[c.Dimension] == nil {
				along[c.Dimension] = map[string]bool{}
			}
			along[c.Dimension][c.Mesh], cuts[v.ID][c.Mesh] = true, true
		}
		for axis, size := range v.Local {
			tell(d.times(size, along[int64(axis)])...)
		}
	}
	for _, t := range d.Tasks {
		var operands [][]poly.Poly
		used := map[string]bool{}
		for _, id := range t.Inputs {
			operands = append(operands, locals[id])
			for axis := range cuts[id] {
				used[axis] = true
			}
		}
		if factors, ok := model.Work(t.Op, operands); ok {
			tell(factors...)
		}
		tell(d.times(t.Operations, used)...)
	}
}

// times is a factor and the sizes of axes of the mesh, in the order of the mesh.
func (d *Distributed) times(first poly.Poly, axes map[string]bool) []poly.Poly {
	factors := []poly.Poly{first}
	for _, a := range d.Mesh {
		if axes[a.ID] {
			factors = append(factors, poly.Int(a.Size))
		}
	}
	return factors
}
