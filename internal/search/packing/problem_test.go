package packing

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPartBytes(t *testing.T) {
	var got []int64
	for part := range 4 {
		got = append(got, PartBytes(10, part, 4))
	}
	if diff := cmp.Diff([]int64{3, 3, 2, 2}, got); diff != "" {
		t.Error(diff)
	}
}
