package strictjson

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"plancheck/internal/diag"
)

// document grows a random JSON text and notes the offset and pointer of every
// value, by construction.
type document struct {
	text     strings.Builder
	offsets  []uint32
	pointers []string
}

func (d *document) blanks(t *rapid.T) {
	d.text.WriteString(rapid.SampledFrom([]string{"", "", " ", "\n", "\r\n\t "}).Draw(t, "blanks"))
}

func (d *document) value(t *rapid.T, pointer string, depth int) {
	d.blanks(t)
	d.offsets = append(d.offsets, uint32(d.text.Len()))
	d.pointers = append(d.pointers, pointer)
	kind := rapid.IntRange(0, 5).Draw(t, "kind")
	if depth == 0 {
		kind %= 4
	}
	switch kind {
	case 0, 1, 2, 3:
		d.text.WriteString([]string{`"a,]}\\\""`, "-1.5e3", "null", `""`}[kind])
	case 4:
		d.text.WriteByte('[')
		for i := range rapid.IntRange(0, 3).Draw(t, "entries") {
			if i > 0 {
				d.text.WriteByte(',')
			}
			d.value(t, pointer+"/"+string(rune('0'+i)), depth-1)
			d.blanks(t)
		}
		d.text.WriteByte(']')
	case 5:
		keys := []struct{ text, pointer string }{
			{`"k"`, "k"}, {`"\u00e9{"`, "é{"}, {`"a/b~c"`, "a~1b~0c"}, {`""`, ""}, {`"\"["`, `"[`},
		}
		d.text.WriteByte('{')
		for i := range rapid.IntRange(0, len(keys)).Draw(t, "members") {
			if i > 0 {
				d.text.WriteByte(',')
			}
			d.blanks(t)
			d.offsets = append(d.offsets, uint32(d.text.Len())) // the key
			d.pointers = append(d.pointers, pointer+"/"+keys[i].pointer)
			d.text.WriteString(keys[i].text)
			d.blanks(t)
			d.text.WriteByte(':')
			d.value(t, pointer+"/"+keys[i].pointer, depth-1)
			d.blanks(t)
		}
		d.text.WriteByte('}')
	}
}

func TestPointersOfRandomDocuments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var d document
		d.value(t, "", 4)
		random := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		random.Shuffle(len(d.offsets), func(i, j int) {
			d.offsets[i], d.offsets[j] = d.offsets[j], d.offsets[i]
			d.pointers[i], d.pointers[j] = d.pointers[j], d.pointers[i]
		})
		if diff := cmp.Diff(d.pointers, Pointers([]byte(d.text.String()), d.offsets)); diff != "" {
			t.Fatalf("%s (-want +got):\n%s", d.text.String(), diff)
		}
	})
}

func TestPointersBetweenValues(t *testing.T) {
	const data = "\xef\xbb\xbf{ \"a\" : [10 , {}] , \"b\": 1 }  "
	for _, c := range []struct {
		at   string // the text that begins at the offset
		want string
	}{
		{"{ \"a", ""},
		{" \"a\"", ""},
		{"\"a\"", "/a"},
		{": [", "/a"},
		{"[10", "/a"},
		{"0 , {", "/a/0"},
		{" , {", "/a"},
		{"{}", "/a/1"},
		{"}]", "/a/1"},
		{"] ,", "/a"},
		{" , \"b", ""},
		{"1 }", "/b"},
		{"}  ", ""},
	} {
		at := uint32(strings.Index(data, c.at))
		if got := Pointers([]byte(data), []uint32{at, 1 << 30}); got[0] != c.want || got[1] != "" {
			t.Errorf("pointer at %q is %q, want %q; behind the end %q", c.at, got[0], c.want, got[1])
		}
	}
}

func TestPointersOfBrokenDocuments(t *testing.T) {
	for _, data := range []string{"", "]}", "{]", `{"a`, `{"a": {"b": [1, `, "[[[}]", `{"a" "b" "c"}`, "\"\\", "{,:}"} {
		offsets := make([]uint32, len(data)+1)
		for i := range offsets {
			offsets[i] = uint32(i)
		}
		if got := Pointers([]byte(data), offsets); len(got) != len(offsets) { // and no panic
			t.Errorf("%q: %d pointers for %d offsets", data, len(got), len(offsets))
		}
	}
}

func BenchmarkPointers(b *testing.B) {
	data := []byte("[" + strings.Repeat(`{"from": "conv1", "to": "conv2", "size_bytes": 123456},`+"\n", 100_000) + "0]")
	offsets := []uint32{uint32(len(data) - 2)}
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		Pointers(data, offsets)
	}
}

func BenchmarkSkip(b *testing.B) {
	data := []byte("[" + strings.Repeat(`{"from": "conv1", "to": "conv2", "size_bytes": 123456},`+"\n", 100_000) + "0]")
	src := diag.NewSource("", data)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		NewReader(src).Skip()
	}
}
