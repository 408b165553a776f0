package derive

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// inTurn is the order of commands that run one after the other.
func inTurn(first, second int) bool { return first < second }

func TestPlaceInMemory(t *testing.T) {
	atOnce := func(int, int) bool { return false }
	one := []memorySpace{{1024, 1}}
	need := func(size, align int64, uses ...int) memoryNeed {
		return memoryNeed{size: size, align: align, uses: uses}
	}
	for _, c := range []struct {
		name    string
		spaces  []memorySpace
		buffers []memoryNeed
		before  func(int, int) bool
		want    []int64
		lack    *memoryLack
	}{
		{"nothing", one, nil, inTurn, []int64{}, nil},
		{"what a public fixture has, all of it living at once", one,
			[]memoryNeed{need(64, 16, 0), need(128, 16, 0), need(64, 16, 0, 1), need(64, 16, 1)}, atOnce, []int64{0, 64, 192, 256}, nil},
		{"what is over gives its bytes back", one,
			[]memoryNeed{need(64, 16, 0), need(64, 16, 0, 1), need(64, 16, 1, 2), need(64, 16, 2)}, inTurn, []int64{0, 64, 0, 64}, nil},
		{"what is given and what is kept does not", one,
			[]memoryNeed{{size: 8, align: 1, uses: []int{0}, given: true, kept: true}, {size: 8, align: 1, uses: []int{1}, kept: true}, need(8, 1, 2)}, inTurn, []int64{0, 8, 16}, nil},
		{"what is given gives its bytes when it is over, and takes none", one,
			[]memoryNeed{{size: 8, align: 1, uses: []int{0}, given: true}, need(8, 1, 1), {size: 8, align: 1, uses: []int{2}, given: true}}, inTurn, []int64{0, 0, 8}, nil},
		{"a gap between two", one,
			[]memoryNeed{need(8, 1, 0), need(8, 1, 0, 3), need(8, 1, 0, 1, 2, 3), need(4, 1, 1), need(8, 1, 1)}, inTurn, []int64{0, 8, 16, 0, 24}, nil},
		{"the larger alignment", []memorySpace{{1024, 32}}, []memoryNeed{need(1, 16, 0), need(1, 64, 0), need(1, 1, 0)}, inTurn, []int64{0, 64, 32}, nil},
		{"no bytes", one, []memoryNeed{need(0, 1, 0), need(8, 1, 0), need(0, 16, 0)}, inTurn, []int64{0, 0, 0}, nil},
		{"spaces of their own", []memorySpace{{8, 1}, {8, 1}}, []memoryNeed{need(8, 1, 0), {space: 1, size: 8, align: 1, uses: []int{0}}}, inTurn, []int64{0, 0}, nil},
		{"only the largest first fit", []memorySpace{{12, 4}}, []memoryNeed{need(4, 4, 0), need(4, 4, 0, 1), need(8, 4, 1)}, inTurn, []int64{0, 8, 0}, nil},
		{"too many by four", []memorySpace{{16, 1}}, []memoryNeed{need(10, 1, 0), need(10, 1, 0)}, inTurn, nil, &memoryLack{0, 4}},
		{"the first that is too small", []memorySpace{{16, 1}, {4, 1}, {2, 1}},
			[]memoryNeed{{space: 2, size: 3, align: 1, uses: []int{0}}, {space: 1, size: 6, align: 1, uses: []int{0}}}, inTurn, nil, &memoryLack{1, 2}},
		{"larger than any memory", one, []memoryNeed{need(math.MaxInt64, 1, 0), need(math.MaxInt64, 1, 0)}, inTurn, nil, &memoryLack{0, math.MaxInt64 - 1024}},
	} {
		got, lack := placeInMemory(c.spaces, c.buffers, c.before)
		if diff := cmp.Diff(c.lack, lack, cmp.AllowUnexported(memoryLack{})); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		if c.lack != nil {
			continue
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// Whatever is placed, what may live at once has no byte in common, and offsets are
// aligned.
func TestPlacesAreDisjoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		commands := rapid.IntRange(1, 6).Draw(t, "commands")
		behind := make([][]bool, commands) // behind[b][a]: a is before b
		for b := range behind {
			behind[b] = make([]bool, commands)
			for a := range b {
				if rapid.Bool().Draw(t, "waits") {
					behind[b][a] = true
					for c, is := range behind[a] {
						behind[b][c] = behind[b][c] || is
					}
				}
			}
		}
		before := func(first, second int) bool { return behind[second][first] }
		var buffers []memoryNeed
		for range rapid.IntRange(0, 8).Draw(t, "buffers") {
			b := memoryNeed{size: rapid.Int64Range(0, 20).Draw(t, "size"), align: rapid.SampledFrom([]int64{1, 3, 4, 16}).Draw(t, "align")}
			b.given, b.kept = rapid.IntRange(0, 4).Draw(t, "given") == 0, rapid.IntRange(0, 4).Draw(t, "kept") == 0
			for c := range commands {
				if rapid.IntRange(0, 2).Draw(t, "uses") == 0 {
					b.uses = append(b.uses, c)
				}
			}
			buffers = append(buffers, b)
		}
		offsets, lack := placeInMemory([]memorySpace{{1 << 20, 2}}, buffers, before)
		if lack != nil {
			t.Fatal(lack)
		}
		for i, a := range buffers {
			if offsets[i]%max(2, a.align) != 0 {
				t.Fatalf("buffer %d is at %d", i, offsets[i])
			}
			for j, b := range buffers[:i] {
				if offsets[i]+a.size <= offsets[j] || offsets[j]+b.size <= offsets[i] || a.size == 0 || b.size == 0 {
					continue
				}
				apart := func(x, y memoryNeed) bool { // x is done with before y begins
					for _, first := range x.uses {
						for _, second := range y.uses {
							if !before(first, second) {
								return false
							}
						}
					}
					return !x.kept && !y.given && x.uses != nil && y.uses != nil
				}
				if !apart(a, b) && !apart(b, a) {
					t.Fatalf("buffers %d and %d may live at once and share bytes", i, j)
				}
			}
		}
	})
}
