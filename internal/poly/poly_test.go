package poly

import (
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func parsed(t *testing.T, s string) Poly {
	t.Helper()
	p, err := Parse(s)
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return p
}

func TestForm(t *testing.T) {
	_, form := Poly{}.Form()
	pattern := regexp.MustCompile(form)
	for _, c := range [][2]string{
		{"0", "0"}, {"7", "7"}, {"-7", "-7"}, {"M", "M"}, {"-M", "-M"},
		{"N*2*M", "2*M*N"}, {"M*M", "M^2"}, {"M - M", "0"}, {"1+M", "M + 1"}, {" 3 * M ^ 2-M ", "3*M^2 - M"},
		{"N + M^2 + M*N + M", "M^2 + M*N + M + N"}, {"0*M", "0"}, {"M^0", "1"},
		{"-9223372036854775808", "-9223372036854775808"}, {"-9223372036854775808*M - 2*N", "-9223372036854775808*M - 2*N"}, {"9223372036854775807", "9223372036854775807"},
	} {
		p, err := Parse(c[0])
		if err != nil || p.String() != c[1] {
			t.Errorf("%s: %s, %v", c[0], p, err)
		}
		if !pattern.MatchString(c[0]) {
			t.Errorf("%q does not have the form that Form gives", c[0])
		}
	}
}

// What is too large has the form of what is not.
func TestBadForms(t *testing.T) {
	_, form := Poly{}.Form()
	pattern := regexp.MustCompile(form)
	large := []string{"M^65", "9223372036854775808", "9223372036854775807*2"}
	for _, s := range []string{"", "+", "2*", "M N", "(M)", "M^N", "M^65", "9223372036854775808", "9223372036854775807*2", "2.5", "é", "M^-1", "3M", "M^9^9^9"} {
		if p, err := Parse(s); err == nil {
			t.Errorf("%q: %s", s, p)
		}
		if pattern.MatchString(s) != slices.Contains(large, s) {
			t.Errorf("%q: Form tells of it wrongly", s)
		}
	}
}

// The work of Y[M,K] = X[M,N] x W[N,K] on one of 8 ranks, which share N.
func TestWork(t *testing.T) {
	work, err := Int(2).Mul(Symbol("M"), Int(49152), Int(12288))
	if err != nil || work.String() != "1207959552*M" {
		t.Fatal(work, err)
	}
	local, err := work.Div(Int(8))
	if err != nil || local.String() != "150994944*M" {
		t.Fatal(local, err)
	}
	bound, err := local.Bind(map[string]int64{"M": 2048})
	if n, whole := bound.Int(); err != nil || !whole || n != 309237645312 {
		t.Fatal(bound, err)
	}
	if _, err := work.Div(Int(7)); !errors.Is(err, ErrRemainder) {
		t.Error(err)
	}
}

func TestDiv(t *testing.T) {
	for _, c := range []struct{ p, q, want string }{
		{"M^2 - 1", "M + 1", "M - 1"}, {"M^2 + 1", "M + 1", ""}, {"M*N + N", "N", "M + 1"}, {"M", "N", ""}, {"M", "0", ""},
		{"0", "M", "0"}, {"6*M", "4", ""}, {"M^2 + 2*M*N + N^2", "M + N", "M + N"},
	} {
		got, err := parsed(t, c.p).Div(parsed(t, c.q))
		if (err != nil) != (c.want == "") || err == nil && got.String() != c.want {
			t.Errorf("(%s) / (%s): %s, %v", c.p, c.q, got, err)
		}
	}
}

func draw(t *rapid.T, name string) Poly {
	var p Poly
	for range rapid.IntRange(0, 4).Draw(t, name) {
		x := Int(rapid.Int64Range(-9, 9).Draw(t, "n"))
		for _, s := range []string{"K", "M", "N"} {
			for range rapid.IntRange(0, 2).Draw(t, s) {
				x, _ = x.Mul(Symbol(s))
			}
		}
		p, _ = p.Add(x)
	}
	return p
}

// value is p at a point, by big integers.
func value(p Poly, at map[string]int64) *big.Int {
	sum := new(big.Int)
	for _, t := range p.terms {
		x := big.NewInt(t.n)
		for _, w := range t.powers {
			for range w.exponent {
				x.Mul(x, big.NewInt(at[w.symbol]))
			}
		}
		sum.Add(sum, x)
	}
	return sum
}

func TestLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, q := draw(t, "p"), draw(t, "q")
		at := map[string]int64{"K": rapid.Int64Range(-5, 5).Draw(t, "K"), "M": rapid.Int64Range(-5, 5).Draw(t, "M"), "N": 3}
		sum, err := p.Add(q)
		if err != nil || value(sum, at).Cmp(new(big.Int).Add(value(p, at), value(q, at))) != 0 {
			t.Fatalf("(%s) + (%s) = %s, %v", p, q, sum, err)
		}
		product, err := p.Mul(q)
		if err != nil || value(product, at).Cmp(new(big.Int).Mul(value(p, at), value(q, at))) != 0 {
			t.Fatalf("(%s) * (%s) = %s, %v", p, q, product, err)
		}
		other, _ := q.Mul(p)
		if !product.Equal(other) {
			t.Fatalf("%s and %s", product, other)
		}
		if !q.IsZero() {
			if back, err := product.Div(q); err != nil || !back.Equal(p) {
				t.Fatalf("(%s) / (%s) = %s, %v", product, q, back, err)
			}
		}
		again, err := Parse(product.String())
		if err != nil || !again.Equal(product) {
			t.Fatalf("%s: %s, %v", product, again, err)
		}
		bound, err := p.Bind(at)
		if n, whole := bound.Int(); err != nil || !whole || value(p, at).Cmp(big.NewInt(n)) != 0 {
			t.Fatalf("%s at %v: %s, %v", p, at, bound, err)
		}
	})
}

func TestOverflow(t *testing.T) {
	big := Int(1 << 62)
	if _, err := big.Add(big); !errors.Is(err, ErrOverflow) {
		t.Error(err)
	}
	if _, err := big.Mul(Int(2)); !errors.Is(err, ErrOverflow) {
		t.Error(err)
	}
	if p, err := big.Mul(Int(-2)); err != nil || p.String() != "-9223372036854775808" {
		t.Error(p, err)
	}
	least, _ := big.Mul(Int(-2))
	if _, err := least.Div(Int(-1)); err == nil {
		t.Error("-2^63 / -1 fits")
	}
}

func TestTerms(t *testing.T) {
	type told struct {
		N        int64
		Monomial string
	}
	var got []told
	parsed(t, "2*M*N - M^2 + 5").Terms(func(n int64, monomial string) { got = append(got, told{n, monomial}) })
	if diff := cmp.Diff([]told{{-1, "M^2"}, {2, "M*N"}, {5, ""}}, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{"M", "N"}, parsed(t, "2*M*N - M^2 + 5").Symbols()); diff != "" {
		t.Error(diff)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"2*M*N + 1", "-M^2", "M^0 - 1", "9223372036854775807*M"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p, err := Parse(s)
		if err != nil {
			return
		}
		if again, err := Parse(p.String()); err != nil || !again.Equal(p) {
			t.Fatalf("%q: %s, then %s, %v", s, p, again, err)
		}
	})
}

func TestMonomials(t *testing.T) {
	p, err := Parse("3*M^2*N - M + 7")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range p.Monomials() {
		s := m.Monomial() + ":"
		m.Powers(func(symbol string, exponent int64) { s += fmt.Sprint(" ", symbol, exponent) })
		got = append(got, s)
	}
	if diff := cmp.Diff([]string{"M^2*N: M2 N1", "M: M1", ":"}, got); diff != "" || p.Len() != 3 {
		t.Errorf("%d terms (-want +got):\n%s", p.Len(), diff)
	}
	zero := Poly{}
	zero.Powers(func(string, int64) { t.Error("0 has a power") })
	if zero.Monomial() != "" || zero.Monomials() == nil || zero.Len() != 0 {
		t.Errorf("0 has %d terms and the monomial %q", zero.Len(), zero.Monomial())
	}
}
