package facts

import (
	"fmt"
	"math"
	"math/bits"
	"strings"

	"plancheck/internal/poly"
	"plancheck/internal/symbol"
	"plancheck/ir/level"
	"plancheck/ir/task"
)

// Rules multiply sizes, which are polynomials, by certificates: rows that say
// what a product is, which rules check term by term. The polynomials are texts;
// equal ones have equal texts.

// reckonRelations are those by which rules reckon, of documents of all levels.
func reckonRelations() []Relation {
	return []Relation{
		{"poly_term", []Column{str("Poly"), str("Monomial"), num("Coefficient")}, "", "A term of a polynomial that sizes or work of the document or of its parent are, or products of these. Its monomial is a product of symbols, and empty for the constant term.",
			"{Poly} has the term {Coefficient} times {Monomial}", true, rows{write: (*exporter).polyTerms, schema: everyLevel}},
		{"monomial_power", []Column{str("Monomial"), str("Symbol"), num("Exponent")}, "", "The power of a symbol in a monomial, for all symbols and all monomials: 0 where it is not in it.",
			"{Monomial} has {Symbol} to the power of {Exponent}", true, rows{write: (*exporter).monomialPowers, schema: everyLevel}},
		{"monomial_product", []Column{str("A"), str("B"), str("Product")}, "", "Certificate: the product of two monomials.",
			"{A} times {B} is {Product}", true, rows{write: (*exporter).monomialProducts, schema: everyLevel}},
		{"poly_product", []Column{str("A"), str("B"), str("Product")}, "", "Certificate: the product of two polynomials.",
			"{A} times {B} is {Product}", true, rows{write: (*exporter).polyProducts, schema: everyLevel}},
		{"poly_product_too_large", []Column{str("A"), str("B")}, "", "The product of two polynomials that has a coefficient of more than 64 bits, or a great many terms.",
			"the product of {A} and {B} is too large", true, rows{write: (*exporter).largeProducts, schema: everyLevel}},
	}
}

// meshRelations are the ranks of a mesh.
func meshRelations() []Relation {
	return []Relation{
		{"mesh_rank", []Column{num("Rank")}, "/mesh", "A rank of the mesh, from 0 on.",
			"the mesh has rank {Rank}", true, rows{write: (*exporter).meshRanks, schema: task.Schema}},
		{"mesh_coordinate", []Column{num("Rank"), str("Axis"), num("Coordinate"), num("Offset")}, "/mesh", "The coordinate of a rank along an axis of the mesh, and how much it adds to the number of the rank.",
			"rank {Rank} is at {Coordinate} along {Axis}", true, rows{write: (*exporter).meshCoordinates, schema: task.Schema}},
	}
}

// reckoning holds what rules need to multiply.
type reckoning struct {
	polys    []poly.Poly // each once
	terms    int         // of all polys
	products []product
	large    []product
	// Of the terms of all factors and products:
	monomials []poly.Poly
	symbols   []string
	joined    []product

	seen map[string]bool
}

type product struct{ a, b, is poly.Poly }

// mostTerms bounds the terms that are multiplied for one product.
const mostTerms = 1 << 16

// reckon multiplies, once, what the document and its parent need.
func (e *exporter) reckon() *reckoning {
	if e.reckoned != nil {
		return e.reckoned
	}
	r := &reckoning{seen: map[string]bool{}}
	e.reckoned = r
	documents := []*Document{e.document}
	if e.above != nil {
		documents = append(documents, e.above.document)
	}
	for _, d := range documents {
		if b, ok := d.Body().(level.Reckoner); ok {
			b.Products(r.chain)
		}
	}
	return r
}

// chain multiplies factors one behind the other, beginning with 1.
func (r *reckoning) chain(factors ...poly.Poly) {
	sum := poly.Int(1)
	r.poly(sum)
	for _, f := range factors {
		r.poly(f)
		p, ok := r.product(sum, f)
		if !ok {
			return
		}
		sum = p
	}
}

func (r *reckoning) product(a, b poly.Poly) (poly.Poly, bool) {
	p := product{a: a, b: b}
	first := r.first("*", a.String(), b.String())
	if a.Len()*b.Len() > mostTerms {
		if first {
			r.large = append(r.large, p)
		}
		return poly.Poly{}, false
	}
	var err error
	if p.is, err = a.Mul(b); err != nil {
		if first {
			r.large = append(r.large, p)
		}
		return poly.Poly{}, false
	}
	if first {
		r.products = append(r.products, p)
		r.poly(p.is)
		for _, x := range a.Monomials() {
			for _, y := range b.Monomials() {
				r.join(x, y)
			}
		}
	}
	return p.is, true
}

func (r *reckoning) join(a, b poly.Poly) {
	if r.first(".", a.Monomial(), b.Monomial()) {
		p, _ := a.Mul(b) // the coefficients are 1
		r.joined = append(r.joined, product{a, b, p})
		r.monomial(p) // also where it cancels out
	}
}

func (r *reckoning) poly(p poly.Poly) {
	if !r.first("", p.String()) {
		return
	}
	r.polys = append(r.polys, p)
	r.terms += p.Len()
	for _, m := range p.Monomials() {
		r.monomial(m)
	}
}

func (r *reckoning) monomial(m poly.Poly) {
	if !r.first("^", m.Monomial()) {
		return
	}
	r.monomials = append(r.monomials, m)
	for _, s := range m.Symbols() {
		if r.first("s", s) {
			r.symbols = append(r.symbols, s)
		}
	}
}

// first says whether something comes for the first time.
func (r *reckoning) first(key ...string) bool {
	k := strings.Join(key, "\x00")
	was := r.seen[k]
	r.seen[k] = true
	return !was
}

func (w *writer) str(s string) symbol.Value { return w.exporter.plan.Symbols.String(s) }

func (e *exporter) polyTerms(w *writer) {
	r := e.reckon()
	if !w.expand(0, int64(r.terms), e.start(), func() string { return "sizes have many terms" }) {
		return
	}
	for _, p := range r.polys {
		p.Terms(func(n int64, monomial string) {
			w.row(e.start(), w.str(p.String()), w.str(monomial), e.num(n))
		})
	}
}

func (e *exporter) monomialPowers(w *writer) {
	r := e.reckon()
	if !w.expand(0, int64(len(r.monomials)*len(r.symbols)), e.start(), func() string { return "sizes have many symbols" }) {
		return
	}
	for _, m := range r.monomials {
		exponents := map[string]int64{}
		m.Powers(func(symbol string, exponent int64) { exponents[symbol] = exponent })
		for _, s := range r.symbols {
			w.row(e.start(), w.str(m.Monomial()), w.str(s), e.num(exponents[s]))
		}
	}
}

func (e *exporter) monomialProducts(w *writer) {
	for _, p := range e.reckon().joined {
		w.row(e.start(), w.str(p.a.Monomial()), w.str(p.b.Monomial()), w.str(p.is.Monomial()))
	}
}

func (e *exporter) polyProducts(w *writer) {
	for _, p := range e.reckon().products {
		w.row(e.start(), w.str(p.a.String()), w.str(p.b.String()), w.str(p.is.String()))
	}
}

func (e *exporter) largeProducts(w *writer) {
	for _, p := range e.reckon().large {
		w.row(e.start(), w.str(p.a.String()), w.str(p.b.String()))
	}
}

// tasksMesh returns the mesh of tasks, how many ranks it has, or the most there can be
// where it has more, and where it is.
func (e *exporter) tasksMesh() (mesh []task.Axis, ranks int64, at uint32) {
	d, ok := e.document.Body().(*task.Distributed)
	if !ok {
		return nil, 0, 0
	}
	ranks, at = 1, e.start()
	for _, a := range d.Mesh {
		hi, lo := bits.Mul64(uint64(ranks), uint64(a.Size))
		if hi != 0 || lo > math.MaxInt64 {
			lo = math.MaxInt64
		}
		ranks, at = int64(lo), d.Mesh[0].At
	}
	return d.Mesh, ranks, at
}

func (e *exporter) meshRanks(w *writer) {
	_, ranks, at := e.tasksMesh()
	if !w.expand(0, ranks, at, func() string { return fmt.Sprintf("the mesh has %d ranks", ranks) }) {
		return
	}
	for rank := range ranks {
		w.row(at, e.num(rank))
	}
}

func (e *exporter) meshCoordinates(w *writer) {
	mesh, ranks, _ := e.tasksMesh()
	for i, a := range mesh {
		if !w.expand(0, ranks, a.At, func() string { return fmt.Sprintf("the mesh has %d ranks", ranks) }) {
			return
		}
		stride := int64(1)
		for _, b := range mesh[i+1:] {
			stride *= b.Size // no more than the ranks
		}
		for rank := range ranks {
			c := rank / stride % a.Size
			w.row(a.At, e.num(rank), w.str(a.ID), e.num(c), e.num(c*stride))
		}
	}
}
