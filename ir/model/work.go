package model

import "plancheck/internal/poly"

// The kinds of ops that have a meaning. Linear multiplies x[M,N] by w[N,K].
const (
	Linear = "model.linear"
	ReLU   = "model.relu"
	GELU   = "model.gelu"
)

// Elementwise returns how many operations an op on each element by itself does on
// an element, and false for other kinds. A maximum is one; for GELU by its tanh
// form 8 are usual (Calculon, Isaev and others, 2023).
func Elementwise(kind string) (int64, bool) {
	switch kind {
	case ReLU:
		return 1, true
	case GELU:
		return 8, true
	}
	return 0, false
}

// Value returns the value with an id.
func (m *Model) Value(id string) (*Value, bool) {
	for i := range m.Values {
		if m.Values[i].ID == id {
			return &m.Values[i], true
		}
	}
	return nil, false
}

// Products implements level.Reckoner: the elements of values and the operations
// of ops.
func (m *Model) Products(tell func(factors ...poly.Poly)) {
	shapes := map[string][]poly.Poly{}
	for _, v := range m.Values {
		tell(v.Type.Shape...)
		shapes[v.ID] = v.Type.Shape
	}
	for _, op := range m.Ops {
		var operands [][]poly.Poly
		for _, id := range op.Inputs {
			operands = append(operands, shapes[id])
		}
		if factors, ok := Work(op.Kind, operands); ok {
			tell(factors...)
		}
	}
}

// Work returns the factors of the operations of an op of a kind on operands of
// these shapes: 2, M, N and K of a linear op; the sizes, and what an element
// takes, of an elementwise one. It returns false where that is not known, or the
// shapes are none that the op can have.
func Work(kind string, operands [][]poly.Poly) ([]poly.Poly, bool) {
	if n, ok := Elementwise(kind); ok && len(operands) == 1 {
		return append(append([]poly.Poly{}, operands[0]...), poly.Int(n)), true
	}
	if kind == Linear && len(operands) == 2 && len(operands[0]) == 2 && len(operands[1]) == 2 {
		return []poly.Poly{poly.Int(2), operands[0][0], operands[0][1], operands[1][1]}, true
	}
	return nil, false
}
