package strictjson

import "strconv"

// Float reads a number of any form that is finite and at least min, as the
// nearest 64-bit floating-point number. It is for documents that are not ours:
// our own hold no fractions.
func (r *Reader) Float(min float64) (float64, bool) {
	if r.describe != nil {
		r.describe.float(min)
		return 0, false
	}
	r.space()
	at := uint32(r.pos)
	if !r.atScalar() {
		r.wrongType("a number")
		return 0, false
	}
	kind, word := r.scalar()
	switch kind {
	case number:
	case malformed:
		return 0, false
	default:
		r.about(at, "wrong-type", "must be a number, found "+string(word), "")
		return 0, false
	}
	shown := shorten(string(word))
	x, err := strconv.ParseFloat(string(word), 64)
	if err != nil {
		r.about(at, "nonfinite-number", "must be finite, found "+shown+", which is beyond 64-bit floating point", "")
		return 0, false
	}
	if x < min {
		r.about(at, "number-out-of-range", "must be at least "+strconv.FormatFloat(min, 'g', -1, 64)+", found "+shown, "")
		return 0, false
	}
	return x, true
}
