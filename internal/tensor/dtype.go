package tensor

import (
	"encoding/binary"
	"fmt"
	"math"

	"plancheck/ir/level"
)

// Unit returns the unit of rounding of a floating-point type: a number is rounded
// by at most this part of itself.
func Unit(dtype string) (float64, error) {
	f, err := formatOf(dtype)
	return f.unit, err
}

// Rounding returns the function that rounds to a floating-point type, to nearest
// and on a tie to even.
func Rounding(dtype string) (func(float64) float64, error) {
	f, err := formatOf(dtype)
	if err != nil {
		return nil, err
	}
	return func(x float64) float64 {
		var b [8]byte
		f.put(b[:], x)
		return f.get(b[:])
	}, nil
}

// Load reads n elements from memory, with one copy: the race detector remembers
// few accesses of each word, and would forget those of single bytes.
func Load(dtype string, memory []byte, n int64) ([]float64, error) {
	f, size, err := fits(dtype, memory, n)
	if err != nil {
		return nil, err
	}
	raw := make([]byte, n*size)
	copy(raw, memory)
	data := make([]float64, n)
	for i := range data {
		data[i] = f.get(raw[int64(i)*size:])
	}
	return data, nil
}

// Store writes elements to memory, rounded, with one copy, as Load.
func Store(dtype string, memory []byte, data []float64) error {
	f, size, err := fits(dtype, memory, int64(len(data)))
	if err != nil {
		return err
	}
	raw := make([]byte, int64(len(data))*size)
	for i, x := range data {
		f.put(raw[int64(i)*size:], x)
	}
	copy(memory, raw)
	return nil
}

func fits(dtype string, memory []byte, n int64) (f format, size int64, err error) {
	if f, err = formatOf(dtype); err != nil {
		return f, 0, err
	}
	size, _ = level.Bytes(dtype)
	if n > int64(len(memory))/size {
		return f, 0, fmt.Errorf("%d elements of type %s do not fit in %d bytes", n, dtype, len(memory))
	}
	return f, size, nil
}

// format is how numbers of a type are written in memory, the least byte first.
type format struct {
	unit float64
	get  func([]byte) float64
	put  func([]byte, float64)
}

func formatOf(dtype string) (format, error) {
	little := binary.LittleEndian
	switch dtype {
	case "f64":
		return format{0x1p-53,
			func(b []byte) float64 { return math.Float64frombits(little.Uint64(b)) },
			func(b []byte, x float64) { little.PutUint64(b, math.Float64bits(x)) }}, nil
	case "f32":
		return format{0x1p-24,
			func(b []byte) float64 { return float64(math.Float32frombits(little.Uint32(b))) },
			func(b []byte, x float64) { little.PutUint32(b, math.Float32bits(float32(x))) }}, nil
	case "bf16":
		return format{0x1p-8,
			func(b []byte) float64 { return fromNarrow(little.Uint16(b), bf16) },
			func(b []byte, x float64) { little.PutUint16(b, toNarrow(x, bf16)) }}, nil
	case "f16":
		return format{0x1p-11,
			func(b []byte) float64 { return fromNarrow(little.Uint16(b), f16) },
			func(b []byte, x float64) { little.PutUint16(b, toNarrow(x, f16)) }}, nil
	}
	return format{}, fmt.Errorf("type %q is not one of the floating-point types bf16, f16, f32 and f64", dtype)
}

// narrow is a format of IEEE 754 of 16 bits: a sign, an exponent, a fraction.
type narrow struct {
	fraction int // bits
	bias     int // also the largest exponent
}

var (
	bf16 = narrow{7, 127}
	f16  = narrow{10, 15}
)

// toNarrow rounds from 64 bits at once: by way of 32 bits some numbers would be
// rounded twice.
func toNarrow(x float64, f narrow) uint16 {
	sign := uint16(0)
	if math.Signbit(x) {
		sign, x = 1<<15, -x
	}
	top := uint16(2*f.bias+1) << f.fraction // infinity
	switch {
	case math.IsNaN(x):
		return sign | top | 1<<(f.fraction-1)
	case math.IsInf(x, 0):
		return sign | top
	case x == 0:
		return sign
	}
	_, exponent := math.Frexp(x)                              // x = m * 2^exponent with m in [1/2, 1)
	exponent = max(exponent-1, 1-f.bias)                      // that of the last place is smaller by the bits of the fraction
	n := math.RoundToEven(math.Ldexp(x, f.fraction-exponent)) // in units of the last place, exact
	// A carry into the next exponent, or from the subnormal numbers into the normal
	// ones, is what the addition does.
	code := uint32(n) + uint32(exponent+f.bias-1)<<f.fraction
	if code >= uint32(top) {
		return sign | top
	}
	return sign | uint16(code)
}

func fromNarrow(code uint16, f narrow) float64 {
	sign := 1.0
	if code&(1<<15) != 0 {
		sign = -1
	}
	code &= 1<<15 - 1
	exponent, fraction := int(code>>f.fraction), float64(code&(1<<f.fraction-1))
	switch {
	case exponent == 2*f.bias+1 && fraction != 0:
		return math.NaN()
	case exponent == 2*f.bias+1:
		return sign * math.Inf(1)
	case exponent == 0:
		return sign * math.Ldexp(fraction, 1-f.bias-f.fraction)
	}
	return sign * math.Ldexp(fraction+float64(int(1)<<f.fraction), exponent-f.bias-f.fraction)
}
