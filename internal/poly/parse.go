package poly

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// mostExponent bounds exponents, so that a few digits cannot ask for endless work.
const mostExponent = 64

// Parse reads a polynomial: sums and differences of products of integers and of
// symbols with powers, such as 2*M^2*N - M + 7. A symbol is a letter followed by
// letters, digits and underscores. There are no parentheses.
func Parse(s string) (Poly, error) {
	p := &parser{rest: s}
	var sum Poly
	for first := true; first || p.rest != ""; first = false {
		sign := int64(1)
		switch {
		case p.take("-"):
			sign = -1
		case p.take("+"):
		case !first:
			return Poly{}, fmt.Errorf("%.20q is neither + nor -", p.rest)
		}
		product, err := p.product(sign)
		if err != nil {
			return Poly{}, err
		}
		if sum, err = sum.Add(product); err != nil {
			return Poly{}, err
		}
	}
	return sum, nil
}

type parser struct{ rest string }

// take steps over a word, and white space around it, where it comes next.
func (p *parser) take(word string) bool {
	rest, found := strings.CutPrefix(strings.TrimLeft(p.rest, " "), word)
	if found {
		p.rest = strings.TrimLeft(rest, " ")
	}
	return found
}

func (p *parser) product(sign int64) (Poly, error) {
	product := Int(1)
	for {
		factor, err := p.factor(sign)
		sign = 1
		if err != nil {
			return Poly{}, err
		}
		if product, err = product.Mul(factor); err != nil {
			return Poly{}, err
		}
		if !p.take("*") {
			p.rest = strings.TrimLeft(p.rest, " ")
			return product, nil
		}
	}
}

// factor reads a number or a power of a symbol, times 1 or -1.
func (p *parser) factor(sign int64) (Poly, error) {
	p.rest = strings.TrimLeft(p.rest, " ")
	end := strings.IndexFunc(p.rest, func(r rune) bool { return !letter(r) && !digit(r) })
	if end < 0 {
		end = len(p.rest)
	}
	word := p.rest[:end]
	if word == "" {
		if p.rest == "" {
			return Poly{}, errors.New("it ends where a number or a symbol is due")
		}
		return Poly{}, fmt.Errorf("%.20q is neither a number nor a symbol", p.rest)
	}
	p.rest = p.rest[end:]
	if digit(rune(word[0])) {
		if sign < 0 {
			word = "-" + word // the least number is there with its sign only
		}
		n, err := strconv.ParseInt(word, 10, 64)
		if err != nil {
			return Poly{}, fmt.Errorf("%q is no number of 64 bits", word)
		}
		return Int(n), nil
	}
	symbol := Symbol(word)
	if !p.take("^") {
		return Int(sign).Mul(symbol)
	}
	exponent, err := p.factor(1)
	if err != nil {
		return Poly{}, err
	}
	n, whole := exponent.Int()
	if !whole || n > mostExponent {
		return Poly{}, fmt.Errorf("an exponent is a number up to %d", mostExponent)
	}
	power := Int(sign)
	for range n {
		if power, err = power.Mul(symbol); err != nil {
			return Poly{}, err
		}
	}
	return power, nil
}

func letter(r rune) bool { return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r == '_' }

func digit(r rune) bool { return r >= '0' && r <= '9' }
