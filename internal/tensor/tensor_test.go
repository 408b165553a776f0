package tensor

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"plancheck/internal/diag"
)

// Every number of 16 bits is itself, and what lies between two neighbours goes to
// the nearer one, on a tie to the even one.
func TestNarrowNumbers(t *testing.T) {
	for name, f := range map[string]narrow{"bf16": bf16, "f16": f16} {
		infinity := uint16(2*f.bias+1) << f.fraction
		for code := uint16(0); code <= infinity; code++ {
			x := fromNarrow(code, f)
			if got := toNarrow(x, f); got != code {
				t.Fatalf("%s: %#x is %v, which is %#x", name, code, x, got)
			}
			if got := toNarrow(-x, f); got != code|1<<15 {
				t.Fatalf("%s: -%v is %#x", name, x, got)
			}
			if code+1 >= infinity {
				continue
			}
			next := fromNarrow(code+1, f)
			middle := x + (next-x)/2
			even := code + code&1
			if got := toNarrow(middle, f); got != even {
				t.Fatalf("%s: %v, between %#x and %#x, is %#x", name, middle, code, code+1, got)
			}
			if got := toNarrow(math.Nextafter(middle, 0), f); got != code {
				t.Fatalf("%s: what is less than %v is %#x, want %#x", name, middle, got, code)
			}
			if got := toNarrow(math.Nextafter(middle, next), f); got != code+1 {
				t.Fatalf("%s: what is more than %v is %#x, want %#x", name, middle, got, code+1)
			}
		}
		if x := fromNarrow(toNarrow(math.NaN(), f), f); !math.IsNaN(x) {
			t.Errorf("%s: NaN is %v", name, x)
		}
		if x := fromNarrow(toNarrow(1e300, f), f); !math.IsInf(x, 1) {
			t.Errorf("%s: 1e300 is %v", name, x)
		}
	}
}

// Known numbers of the two formats.
func TestNarrowCodes(t *testing.T) {
	for _, c := range []struct {
		f    narrow
		x    float64
		want uint16
	}{
		{bf16, 1, 0x3f80}, {bf16, -2, 0xc000}, {bf16, 3.140625, 0x4049}, {bf16, math.Inf(1), 0x7f80}, {bf16, 0x1p-133, 0x0001},
		{f16, 1, 0x3c00}, {f16, -2, 0xc000}, {f16, 65504, 0x7bff}, {f16, 65520, 0x7c00}, {f16, 0x1p-24, 0x0001}, {f16, 0x1p-14, 0x0400},
	} {
		if got := toNarrow(c.x, c.f); got != c.want {
			t.Errorf("%v is %#x, want %#x", c.x, got, c.want)
		}
	}
}

// Rounding errs by at most the unit of a type.
func TestUnit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dtype := rapid.SampledFrom([]string{"bf16", "f16", "f32", "f64"}).Draw(t, "dtype")
		x := rapid.Float64Range(-1000, 1000).Draw(t, "x")
		if math.Abs(x) < 1e-4 { // subnormal numbers of f16 are coarser
			return
		}
		unit, err := Unit(dtype)
		if err != nil {
			t.Fatal(err)
		}
		round, err := Rounding(dtype)
		if err != nil {
			t.Fatal(err)
		}
		if off := math.Abs(round(x) - x); off > unit*math.Abs(x) {
			t.Fatalf("%s: %v becomes %v", dtype, x, round(x))
		}
	})
	if _, err := Unit("i8"); err == nil {
		t.Error("i8 has a unit of rounding")
	}
}

func TestLoadAndStore(t *testing.T) {
	want := []float64{1, -0.5, 0, 3}
	for dtype, size := range map[string]int{"bf16": 2, "f16": 2, "f32": 4, "f64": 8} {
		memory := make([]byte, 4*size)
		if err := Store(dtype, memory, want); err != nil {
			t.Fatal(err)
		}
		got, err := Load(dtype, memory, 4)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", dtype, diff)
		}
		if err := Store(dtype, memory[1:], want); err == nil {
			t.Errorf("%s: four elements fit in %d bytes", dtype, len(memory)-1)
		}
		if _, err := Load(dtype, memory, 5); err == nil {
			t.Errorf("%s: five elements were read from %d bytes", dtype, len(memory))
		}
	}
}

func TestParts(t *testing.T) {
	whole := &Tensor{[]int64{3, 4}, []float64{0, 1, 2, 3, 10, 11, 12, 13, 20, 21, 22, 23}}
	part, err := whole.Part([]int64{1, 2}, []int64{2, 2})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(&Tensor{[]int64{2, 2}, []float64{12, 13, 22, 23}}, part); diff != "" {
		t.Error(diff)
	}
	zero, err := New([]int64{3, 4})
	if err != nil {
		t.Fatal(err)
	}
	if err := zero.SetPart([]int64{0, 1}, part); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]float64{0, 12, 13, 0, 0, 22, 23, 0, 0, 0, 0, 0}, zero.Data); diff != "" {
		t.Error(diff)
	}
	for _, c := range [][2][]int64{{{2, 0}, {2, 4}}, {{-1, 0}, {1, 1}}, {{0}, {1}}, {{0, 0}, {1 << 62, 1}}, {{1 << 62, 0}, {1, 1}}} {
		if _, err := whole.Part(c[0], c[1]); err == nil {
			t.Errorf("shape %v has a part %v from %v on", whole.Shape, c[1], c[0])
		}
	}
	if _, err := New([]int64{1 << 40, 1 << 40}); err == nil {
		t.Error("a tensor of 2^80 elements was made")
	}
}

// The parts of a tensor, put together, are the tensor.
func TestPartsTile(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		axes := rapid.IntRange(0, 3).Draw(t, "axes")
		parts, local := make([]int64, axes), make([]int64, axes)
		var shape []int64
		for i := range axes {
			parts[i], local[i] = rapid.Int64Range(1, 3).Draw(t, "parts"), rapid.Int64Range(1, 3).Draw(t, "local")
			shape = append(shape, parts[i]*local[i])
		}
		want, err := Random(shape, "f64", 7, 1)
		if err != nil {
			t.Fatal(err)
		}
		got, err := New(shape)
		if err != nil {
			t.Fatal(err)
		}
		first := make([]int64, axes)
		var walk func(axis int)
		walk = func(axis int) {
			if axis == axes {
				p, err := want.Part(first, local)
				if err != nil {
					t.Fatal(err)
				}
				if err := got.SetPart(first, p); err != nil {
					t.Fatal(err)
				}
				return
			}
			for i := range parts[axis] {
				first[axis] = i * local[axis]
				walk(axis + 1)
			}
		}
		walk(0)
		if diff := cmp.Diff(want.Data, got.Data); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestFiles(t *testing.T) {
	want := map[string]*Tensor{"x": {[]int64{2, 2}, []float64{1, -0.5, 1e-30, 3e300}}, "s": {[]int64{}, []float64{7}}}
	text := Encode([]string{"x", "s"}, want)
	got, diags := Decode(diag.NewSource("t.json", text))
	if diags != nil {
		t.Fatal(diags)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for text, want := range map[string]string{
		`{"schema": "plancheck.tensors/1", "values": [{"id": "x", "shape": [3], "data": [1]}]}`:       "value x: shape [3] has 3 elements, and 1 are given",
		`{"schema": "plancheck.tensors/1", "values": [{"id": "x", "shape": [1], "data": ["NaN"]}]}`:   "no finite number",
		`{"schema": "plancheck.tensors/1", "values": [{"id": "x", "shape": [1], "data": ["1e999"]}]}`: "no finite number",
		`{"schema": "plancheck.tensors/2", "values": []}`:                                             "is not known",
	} {
		if _, diags := Decode(diag.NewSource("t.json", []byte(text))); len(diags) != 1 || !strings.Contains(diags[0].Message, want) {
			t.Errorf("%s: %v", text, diags)
		}
	}
}
