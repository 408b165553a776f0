package datalog

import (
	"testing"

	"plancheck/internal/symbol"
)

// A dense index knows nothing of values beside its range, the one directly
// before it included.
func TestDenseIndexBesideItsRange(t *testing.T) {
	col := []symbol.Value{7, 9, 7}
	ix := &index{cols: []int{0}}
	if !ix.buildDense(col) {
		t.Fatal("not dense")
	}
	for key, want := range map[symbol.Value][]int{0: nil, 6: nil, 7: {0, 2}, 8: nil, 9: {1}, 10: nil, 1 << 31: nil} {
		c := ix.seek([][]symbol.Value{col}, []symbol.Value{key})
		for _, row := range want {
			if got := c.next(); got != row {
				t.Errorf("key %d: row %d, want %d", key, got, row)
			}
		}
		if got := c.next(); got != -1 {
			t.Errorf("key %d: row %d beyond the last", key, got)
		}
	}
}
