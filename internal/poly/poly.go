// Package poly is exact arithmetic on integer polynomials in named symbols, such
// as 2*M*49152*12288 where M is the number of rows of a batch. Coefficients are
// 64-bit integers; what does not fit, and a division with a remainder, is an
// error, never a rounded value.
package poly

import (
	"cmp"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// Poly is a polynomial. The zero value is 0. Polynomials are values: no operation
// changes one.
type Poly struct {
	terms []term // sorted by their monomials, the highest first; no coefficient is 0
}

// term is a coefficient times the product of powers.
type term struct {
	n      int64
	powers []power // sorted by symbol; no exponent is 0
}

type power struct {
	symbol   string
	exponent int
}

// The errors of arithmetic.
var (
	ErrOverflow  = errors.New("a coefficient does not fit in 64 bits")
	ErrRemainder = errors.New("the division leaves a remainder")
	ErrZero      = errors.New("a division by zero")
)

// Int is a polynomial without symbols.
func Int(n int64) Poly {
	if n == 0 {
		return Poly{}
	}
	return Poly{[]term{{n: n}}}
}

// Symbol is a polynomial that is one symbol.
func Symbol(name string) Poly {
	return Poly{[]term{{n: 1, powers: []power{{name, 1}}}}}
}

// Int returns the value of a polynomial without symbols.
func (p Poly) Int() (int64, bool) {
	switch {
	case len(p.terms) == 0:
		return 0, true
	case len(p.terms) == 1 && len(p.terms[0].powers) == 0:
		return p.terms[0].n, true
	}
	return 0, false
}

// Equal says whether two polynomials are the same.
func (p Poly) Equal(q Poly) bool { return slices.EqualFunc(p.terms, q.terms, equalTerms) }

func equalTerms(a, b term) bool { return a.n == b.n && slices.Equal(a.powers, b.powers) }

// IsZero says whether p is 0.
func (p Poly) IsZero() bool { return len(p.terms) == 0 }

// Symbols lists the symbols of p, sorted.
func (p Poly) Symbols() []string {
	var all []string
	for _, t := range p.terms {
		for _, w := range t.powers {
			all = append(all, w.symbol)
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Terms calls tell for each term, the highest first: its coefficient, and its
// monomial as a text, "" for the constant one.
func (p Poly) Terms(tell func(coefficient int64, monomial string)) {
	for _, t := range p.terms {
		tell(t.n, t.monomial())
	}
}

// Add returns p + q.
func (p Poly) Add(q Poly) (Poly, error) {
	var sum []term
	a, b := p.terms, q.terms
	for len(a) > 0 && len(b) > 0 {
		switch c := compare(a[0].powers, b[0].powers); {
		case c > 0:
			sum, a = append(sum, a[0]), a[1:]
		case c < 0:
			sum, b = append(sum, b[0]), b[1:]
		default:
			n, ok := add(a[0].n, b[0].n)
			if !ok {
				return Poly{}, ErrOverflow
			}
			if n != 0 {
				sum = append(sum, term{n, a[0].powers})
			}
			a, b = a[1:], b[1:]
		}
	}
	return Poly{append(append(sum, a...), b...)}, nil
}

// Mul returns the product of p and all others.
func (p Poly) Mul(others ...Poly) (Poly, error) {
	for _, q := range others {
		var product Poly
		for _, t := range q.terms {
			part, err := p.times(t)
			if err != nil {
				return Poly{}, err
			}
			if product, err = product.Add(part); err != nil {
				return Poly{}, err
			}
		}
		p = product
	}
	return p, nil
}

// times returns p times one term. The order of monomials is one of them all
// multiplied, so the terms stay sorted.
func (p Poly) times(t term) (Poly, error) {
	product := make([]term, len(p.terms))
	for i, a := range p.terms {
		n, ok := mul(a.n, t.n)
		if !ok {
			return Poly{}, ErrOverflow
		}
		product[i] = term{n, join(a.powers, t.powers)}
	}
	return Poly{product}, nil
}

// Div returns p / q where q divides p without a remainder.
func (p Poly) Div(q Poly) (Poly, error) {
	if q.IsZero() {
		return Poly{}, ErrZero
	}
	var quotient Poly
	for lead := q.terms[0]; !p.IsZero(); {
		t, ok := over(p.terms[0], lead)
		if !ok {
			return Poly{}, ErrRemainder
		}
		part, err := q.times(term{-t.n, t.powers})
		if err != nil {
			return Poly{}, err
		}
		if p, err = p.Add(part); err != nil {
			return Poly{}, err
		}
		if quotient, err = quotient.Add(Poly{[]term{t}}); err != nil {
			return Poly{}, err
		}
	}
	return quotient, nil
}

// over returns a / b where that is a term.
func over(a, b term) (term, bool) {
	if a.n%b.n != 0 || a.n == -1<<63 && b.n == -1 || a.n/b.n == -1<<63 {
		return term{}, false
	}
	rest := slices.Clone(a.powers)
	for _, w := range b.powers {
		i := slices.IndexFunc(rest, func(x power) bool { return x.symbol == w.symbol })
		if i < 0 || rest[i].exponent < w.exponent {
			return term{}, false
		}
		rest[i].exponent -= w.exponent
	}
	return term{a.n / b.n, slices.DeleteFunc(rest, func(x power) bool { return x.exponent == 0 })}, true
}

// Bind returns p with values in place of the symbols that have one.
func (p Poly) Bind(values map[string]int64) (Poly, error) {
	var bound Poly
	for _, t := range p.terms {
		part := Int(t.n)
		for _, w := range t.powers {
			factor := Symbol(w.symbol)
			if n, has := values[w.symbol]; has {
				factor = Int(n)
			}
			for range w.exponent {
				var err error
				if part, err = part.Mul(factor); err != nil {
					return Poly{}, err
				}
			}
		}
		var err error
		if bound, err = bound.Add(part); err != nil {
			return Poly{}, err
		}
	}
	return bound, nil
}

// compare orders monomials lexicographically: by the exponent of the first symbol
// in which they differ.
func compare(a, b []power) int {
	for i := 0; i < len(a) && i < len(b); i++ {
		if a[i].symbol != b[i].symbol {
			return cmp.Compare(b[i].symbol, a[i].symbol) // the one with the earlier symbol is higher
		}
		if a[i].exponent != b[i].exponent {
			return cmp.Compare(a[i].exponent, b[i].exponent)
		}
	}
	return cmp.Compare(len(a), len(b))
}

// join is the product of two monomials.
func join(a, b []power) []power {
	var product []power
	for len(a) > 0 && len(b) > 0 {
		switch c := cmp.Compare(a[0].symbol, b[0].symbol); {
		case c < 0:
			product, a = append(product, a[0]), a[1:]
		case c > 0:
			product, b = append(product, b[0]), b[1:]
		default:
			product = append(product, power{a[0].symbol, a[0].exponent + b[0].exponent})
			a, b = a[1:], b[1:]
		}
	}
	return append(append(product, a...), b...)
}

func add(a, b int64) (int64, bool) {
	n := a + b
	return n, (n > a) == (b > 0)
}

func mul(a, b int64) (int64, bool) {
	negative := (a < 0) != (b < 0)
	hi, lo := bits.Mul64(magnitude(a), magnitude(b))
	switch {
	case hi != 0 || lo > 1<<63 || lo == 1<<63 && !negative:
		return 0, false
	case negative:
		return -int64(lo), true
	}
	return int64(lo), true
}

func magnitude(n int64) uint64 {
	if n < 0 {
		return -uint64(n)
	}
	return uint64(n)
}

func (t term) monomial() string {
	var factors []string
	for _, w := range t.powers {
		if w.exponent == 1 {
			factors = append(factors, w.symbol)
		} else {
			factors = append(factors, w.symbol+"^"+strconv.Itoa(w.exponent))
		}
	}
	return strings.Join(factors, "*")
}

// String writes p in its one form: 2*M^2*N - M + 7.
func (p Poly) String() string {
	if p.IsZero() {
		return "0"
	}
	var b strings.Builder
	for i, t := range p.terms {
		n := magnitude(t.n)
		switch {
		case i > 0 && t.n < 0:
			b.WriteString(" - ")
		case i > 0:
			b.WriteString(" + ")
		case t.n < 0:
			b.WriteString("-")
		}
		monomial := t.monomial()
		if n != 1 || monomial == "" {
			b.WriteString(strconv.FormatUint(n, 10))
			if monomial != "" {
				b.WriteByte('*')
			}
		}
		b.WriteString(monomial)
	}
	return b.String()
}

// MarshalText is String.
func (p Poly) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// Form returns what a polynomial in a document is called, and a regular expression
// of the texts that Parse reads.
func (Poly) Form() (noun, pattern string) {
	const factor = ` *([0-9]+|[A-Za-z_][A-Za-z0-9_]*( *\^ *[0-9]+)?) *`
	const product = factor + `(\*` + factor + `)*`
	return "an integer or a polynomial", "^ *[-+]?" + product + "([-+]" + product + ")*$"
}

// UnmarshalText is Parse.
func (p *Poly) UnmarshalText(b []byte) error {
	q, err := Parse(string(b))
	if err != nil {
		return fmt.Errorf("must be an integer polynomial such as 2*M*N + 1: %w", err)
	}
	*p = q
	return nil
}

// Powers calls tell for each symbol of p's first monomial: the symbol and its
// exponent. It is for what Monomial returns.
func (p Poly) Powers(tell func(symbol string, exponent int64)) {
	if len(p.terms) == 0 {
		return
	}
	for _, w := range p.terms[0].powers {
		tell(w.symbol, int64(w.exponent))
	}
}

// Monomials lists the terms of p without their coefficients, the highest first.
func (p Poly) Monomials() []Poly {
	all := make([]Poly, len(p.terms))
	for i, t := range p.terms {
		all[i] = Poly{[]term{{1, t.powers}}}
	}
	return all
}

// Monomial is the text that Terms has for the first term of p.
func (p Poly) Monomial() string {
	if len(p.terms) == 0 {
		return ""
	}
	return p.terms[0].monomial()
}

// Len is how many terms p has.
func (p Poly) Len() int { return len(p.terms) }
