package symbol

import (
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
)

func TestValuesAreEqualExactlyWhenConstantsAre(t *testing.T) {
	tab := NewTable()
	make := func() []Value {
		return []Value{
			tab.Int(0), tab.Int(1), tab.Int(-1), tab.Int(math.MaxInt64), tab.Int(math.MinInt64),
			tab.Int(1<<31 - 1), tab.Int(1 << 31),
			tab.String(""), tab.String("a"), tab.String("/a"), tab.Name("/a"),
			tab.List(nil), tab.List([]Value{1}), tab.List([]Value{tab.String("a")}),
			tab.String("\x00\x00\x00\x01"),
		}
	}
	first, again := make(), make()
	for i, a := range first {
		for j, b := range again {
			if (a == b) != (i == j) {
				t.Errorf("values %d (%s) and %d (%s): equal is %v", i, tab.Format(a), j, tab.Format(b), a == b)
			}
		}
	}
}

func TestIntegersAreExact(t *testing.T) {
	tab := NewTable()
	for _, n := range []int64{0, 1, -1, 1<<31 - 1, 1 << 31, 1<<53 + 1, math.MaxInt64, math.MinInt64} {
		if got, ok := tab.Number(tab.Int(n)); !ok || got != n {
			t.Errorf("Number(Int(%d)) = %d, %v", n, got, ok)
		}
	}
}

func TestFormat(t *testing.T) {
	tab := NewTable()
	for _, c := range []struct {
		v            Value
		format, show string
	}{
		{tab.Int(-7), "-7", "-7"},
		{tab.String("conv1"), `"conv1"`, "conv1"},
		{tab.String("a b"), `"a b"`, `"a b"`},
		{tab.String("a\u202eb"), `"a\u202eb"`, `"a\u202eb"`},
		{tab.Name("/x"), "/x", "/x"},
		{tab.List([]Value{0, tab.String("s")}), `[0, "s"]`, "0, s"},
	} {
		if got := tab.Format(c.v); got != c.format {
			t.Errorf("Format = %s, want %s", got, c.format)
		}
		if got := tab.Show(c.v); got != c.show {
			t.Errorf("Show = %s, want %s", got, c.show)
		}
	}
}

func TestConcurrentInterning(t *testing.T) {
	tab := NewTable()
	got := make([][]Value, 4)
	var wg sync.WaitGroup
	for g := range got {
		wg.Go(func() {
			for i := range 2000 {
				got[g] = append(got[g], tab.String(fmt.Sprint("s", i)))
			}
		})
	}
	wg.Wait()
	for i := range 2000 {
		if got[0][i] != got[3][i] || tab.Text(got[1][i]) != fmt.Sprint("s", i) {
			t.Fatalf("string %d differs between goroutines", i)
		}
	}
}

// Lists that hold each other unfold to more than anyone can read.
func TestNestedListsAreCut(t *testing.T) {
	tab := NewTable()
	v := tab.List([]Value{1})
	for range 60 {
		v = tab.List([]Value{v, v})
	}
	for _, text := range []string{tab.Format(v), tab.Show(v)} {
		if len(text) > 2*longestList || !strings.Contains(text, "...") {
			t.Errorf("%d bytes", len(text))
		}
	}
	if got := tab.Format(tab.List([]Value{tab.List(nil), tab.String("a"), tab.List([]Value{2, 3})})); got != `[[], "a", [2, 3]]` {
		t.Error(got)
	}
}
