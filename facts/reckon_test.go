package facts

import (
	"math"
	"testing"

	"plancheck/ir/level"
	"plancheck/ir/task"
)

// A mesh of more ranks than there can be rows is refused, also where their number
// does not fit in 64 bits.
func TestLargeMesh(t *testing.T) {
	for _, c := range []struct {
		mesh []task.Axis
		want string
	}{
		{[]task.Axis{{ID: "a", Size: 1 << 20}, {ID: "b", Size: 1 << 20}}, "the mesh has 1099511627776 ranks: the facts of this document would have more than 100000000 rows"},
		{[]task.Axis{{ID: "a", Size: math.MaxInt64}, {ID: "b", Size: 4}}, "the mesh has 9223372036854775807 ranks: the facts of this document would have more than 100000000 rows"},
		{[]task.Axis{{ID: "a", Size: 2}, {ID: "b", Size: 3}}, ""},
	} {
		d := &task.Distributed{Header: level.Header{Schema: task.Schema}, Mesh: c.mesh}
		f, err := ExportChild(OfLevel(d, nil), nil, all)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
		if err == nil && (f.Table("mesh_rank").N != 6 || f.Table("mesh_coordinate").N != 12) {
			t.Errorf("%d ranks, %d coordinates", f.Table("mesh_rank").N, f.Table("mesh_coordinate").N)
		}
	}
}
