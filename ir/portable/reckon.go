package portable

import (
	"plancheck/internal/poly"
	"plancheck/ir/level"
)

// Values are the values of the symbols that have one.
func (p *Plan) Values() map[string]int64 {
	values := make(map[string]int64, len(p.Bindings))
	for _, b := range p.Bindings {
		values[b.Symbol] = b.Value
	}
	return values
}

// Products implements level.Reckoner: the bytes of buffers, from their elements,
// and what buffers and tasks say of bytes, whose terms rules add up.
func (p *Plan) Products(tell func(factors ...poly.Poly)) {
	for _, b := range p.Buffers {
		if bytes, ok := level.Bytes(b.DType); ok {
			tell(append(append([]poly.Poly{}, b.Shape...), poly.Int(bytes))...)
		}
		tell(b.Size)
	}
	for _, t := range p.Tasks {
		for _, bytes := range []poly.Poly{t.Work.Read, t.Work.Write, t.Work.Message} {
			tell(bytes)
		}
	}
}
