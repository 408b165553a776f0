package symbol

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

func TestBuilderAgreesWithTheTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := NewBuilder()
		var trails [2]Trail
		b.Table().Int(-1) // not a string, and not to be taken for one
		for i := range 50 {
			s := fmt.Sprint("s", rapid.IntRange(0, 20).Draw(t, "s"))
			if rapid.IntRange(0, 9).Draw(t, "odd") == 0 {
				s = "\xff\xff\xff\xff\xff\xff\xff\xff" // the bytes of Int(-1)
			}
			var v Value
			if n := rapid.IntRange(0, len(trails)).Draw(t, "trail"); n < len(trails) {
				v = b.Next([]byte(s), &trails[n])
			} else {
				v = b.String([]byte(s))
			}
			if again := b.Table().String(s); again != v {
				t.Fatalf("step %d: %q is %d in the builder and %d in the table", i, s, v, again)
			}
		}
	})
}

func TestTrailFollowsASeries(t *testing.T) {
	b := NewBuilder()
	var want []Value
	for i := range 10 {
		want = append(want, b.String([]byte(fmt.Sprint(i))))
	}
	var trail Trail
	for _, i := range []int{0, 1, 2, 2, 3, 9, 4, 5, 0} {
		if got := b.Next([]byte(fmt.Sprint(i)), &trail); got != want[i] {
			t.Errorf("%d is value %d, want %d", i, got, want[i])
		}
	}
}
