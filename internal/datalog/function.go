package datalog

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"plancheck/internal/symbol"
)

// function is a built-in function of the language.
type function struct {
	name        string
	min, max    int       // number of arguments; max < 0 means any
	arg, result valueType // of its only or all arguments, mixed where they differ; of its value
	infix       string    // how proofs write it, when it is an operator
	eval        func(t *symbol.Table, args []symbol.Value) (symbol.Value, error)
}

// functions are the built-ins that may stand in terms; reducers are apart.
var functions = func() map[string]*function {
	m := map[string]*function{}
	for _, f := range []*function{
		{"fn:plus", 1, -1, isNumber, isNumber, "+", fold(0, addExact)},
		{"fn:mult", 1, -1, isNumber, isNumber, "*", fold(1, mulExact)},
		{"fn:minus", 1, -1, isNumber, isNumber, "-", evalMinus},
		{"fn:div", 2, -1, isNumber, isNumber, "/", evalDiv},
		{"fn:list", 0, -1, mixed, isList, "", func(t *symbol.Table, a []symbol.Value) (symbol.Value, error) { return t.List(a), nil }},
		{"fn:list:get", 2, 2, mixed, mixed, "", evalListGet},
		{"fn:list:cons", 2, 2, mixed, isList, "", evalListCons},
		{"fn:list:append", 2, 2, mixed, isList, "", evalListAppend},
		{"fn:list:len", 1, 1, isList, isNumber, "", evalListLen},
		{"fn:list:contains", 2, 2, mixed, isName, "", evalListContains},
		{"fn:string:concat", 0, -1, mixed, isString, "", evalConcat},
		{"fn:string:replace", 4, 4, mixed, isString, "", evalReplace},
		{"fn:number:to_string", 1, 1, isNumber, isString, "", evalNumberToString},
		{"fn:name:to_string", 1, 1, isName, isString, "", evalNameToString},
		{"fn:name:root", 1, 1, isName, isName, "", evalNameRoot},
		{"fn:name:tip", 1, 1, isName, isName, "", evalNameTip},
		{"fn:name:list", 1, 1, isName, isList, "", evalNameList},
	} {
		m[f.name] = f
	}
	return m
}()

// reducers are the functions that may follow group_by, with their number of arguments.
var reducers = map[string]int{
	"fn:sum": 1, "fn:count": 0, "fn:min": 1, "fn:max": 1,
	"fn:collect": 1, "fn:collect_distinct": 1, "fn:pick_any": 1,
}

var errOverflow = errors.New("exceeds the range of 64-bit integers")

func addExact(a, b int64) (int64, error) {
	c := a + b
	if (c > a) != (b > 0) && b != 0 {
		return 0, errOverflow
	}
	return c, nil
}

func subExact(a, b int64) (int64, error) {
	c := a - b
	if (c < a) != (b > 0) && b != 0 {
		return 0, errOverflow
	}
	return c, nil
}

func mulExact(a, b int64) (int64, error) {
	hi, lo := bits.Mul64(magnitude(a), magnitude(b))
	negative := (a < 0) != (b < 0)
	if hi != 0 || lo > 1<<63 || lo == 1<<63 && !negative {
		return 0, errOverflow
	}
	if negative {
		return -int64(lo), nil
	}
	return int64(lo), nil
}

func magnitude(a int64) uint64 {
	if a < 0 {
		return -uint64(a)
	}
	return uint64(a)
}

func numbers(t *symbol.Table, args []symbol.Value) ([]int64, error) {
	ns := make([]int64, len(args))
	for i, a := range args {
		n, ok := t.Number(a)
		if !ok {
			return nil, fmt.Errorf("%s is not a number", t.Format(a))
		}
		ns[i] = n
	}
	return ns, nil
}

func fold(unit int64, step func(a, b int64) (int64, error)) func(*symbol.Table, []symbol.Value) (symbol.Value, error) {
	return func(t *symbol.Table, args []symbol.Value) (symbol.Value, error) {
		acc := unit
		for _, a := range args {
			n, ok := t.Number(a)
			if !ok {
				return 0, fmt.Errorf("%s is not a number", t.Format(a))
			}
			var err error
			if acc, err = step(acc, n); err != nil {
				return 0, err
			}
		}
		return t.Int(acc), nil
	}
}

func evalMinus(t *symbol.Table, args []symbol.Value) (symbol.Value, error) {
	ns, err := numbers(t, args)
	if err != nil {
		return 0, err
	}
	acc := ns[0]
	if len(ns) == 1 {
		acc, err = subExact(0, acc)
	}
	for _, n := range ns[1:] {
		if err == nil {
			acc, err = subExact(acc, n)
		}
	}
	return t.Int(acc), err
}

func evalDiv(t *symbol.Table, args []symbol.Value) (symbol.Value, error) {
	ns, err := numbers(t, args)
	if err != nil {
		return 0, err
	}
	acc := ns[0]
	for _, n := range ns[1:] {
		if n == 0 {
			return 0, errors.New("divides by zero")
		}
		if acc == math.MinInt64 && n == -1 {
			return 0, errOverflow
		}
		acc /= n
	}
	return t.Int(acc), nil
}

func listArg(t *symbol.Table, v symbol.Value) ([]symbol.Value, error) {
	if t.Kind(v) != symbol.List {
		return nil, fmt.Errorf("%s is not a list", t.Format(v))
	}
	return t.Elems(v), nil
}

func stringArg(t *symbol.Table, v symbol.Value) (string, error) {
	if t.Kind(v) != symbol.String {
		return "", fmt.Errorf("%s is not a string", t.Format(v))
	}
	return t.Text(v), nil
}

func nameArg(t *symbol.Table, v symbol.Value) (string, error) {
	if t.Kind(v) != symbol.Name {
		return "", fmt.Errorf("%s is not a name", t.Format(v))
	}
	return t.Text(v), nil
}

func evalListGet(t *symbol.Table, args []symbol.Value) (symbol.Value, error) {
	elems, err := listArg(t, args[0])
	if err != nil {
		return 0, err
	}
	i, ok := t.Number(args[1])
	if !ok || i < 0 || i >= int64(len(elems)) {
		return 0, fmt.Errorf("a list of %d has no element %s", len(elems), t.Format(args[1]))
	}
	return elems[i], nil
}

func evalListCons(t *symbol.Table, args []symbol.Value) (symbol.Value, error) {
	elems, err := listArg(t, args[1])
	if err != nil {
		return 0, err
	}
	return t.List(append([]symbol.Value{args[0]}, elems...)), nil
}

func evalListAppend(t *symbol.Table, args []symbol.Value) (symbol.Value, error) {
	elems, err := listArg(t, args[0])
	if err != nil {
		return 0, err
	}
	return t.List(append(elems, args[1])), nil
}

func evalListLen(t *symbol.Table, args []symbol.Value) (symbol.Value, error) {
	elems, err := listArg(t, args[0])
	return t.Int(int64(len(elems))), err
}

func evalListContains(t *symbol.Table, args []symbol.Value) (symbol.Value, error) {
	elems, err := listArg(t, args[0])
	if err != nil {
		return 0, err
	}
	for _, e := range elems {
		if e == args[1] {
			return t.Name("/true"), nil
		}
	}
	return t.Name("/false"), nil
}

// evalConcat joins strings; numbers and names are written as they are.
func evalConcat(t *symbol.Table, args []symbol.Value) (symbol.Value, error) {
	var b strings.Builder
	for _, a := range args {
		switch t.Kind(a) {
		case symbol.Number:
			b.WriteString(t.Format(a))
		case symbol.List:
			return 0, fmt.Errorf("%s is a list, not a string", t.Format(a))
		default:
			b.WriteString(t.Text(a))
		}
	}
	return shortString(t, b.String())
}

// maxString bounds the strings that rules make, which could double row by row.
const maxString = 1 << 24

func shortString(t *symbol.Table, s string) (symbol.Value, error) {
	if len(s) > maxString {
		return 0, fmt.Errorf("makes a string of %d bytes, and %d are allowed", len(s), maxString)
	}
	return t.String(s), nil
}

func evalReplace(t *symbol.Table, args []symbol.Value) (symbol.Value, error) {
	var s [3]string
	for i := range s {
		var err error
		if s[i], err = stringArg(t, args[i]); err != nil {
			return 0, err
		}
	}
	n, ok := t.Number(args[3])
	if !ok {
		return 0, fmt.Errorf("%s is not a number", t.Format(args[3]))
	}
	return shortString(t, strings.Replace(s[0], s[1], s[2], int(max(min(n, math.MaxInt32), -1))))
}

func evalNumberToString(t *symbol.Table, args []symbol.Value) (symbol.Value, error) {
	n, ok := t.Number(args[0])
	if !ok {
		return 0, fmt.Errorf("%s is not a number", t.Format(args[0]))
	}
	return t.String(strconv.FormatInt(n, 10)), nil
}

func evalNameToString(t *symbol.Table, args []symbol.Value) (symbol.Value, error) {
	s, err := nameArg(t, args[0])
	return t.String(s), err
}

// evalNameRoot gives /a of /a/b/c.
func evalNameRoot(t *symbol.Table, args []symbol.Value) (symbol.Value, error) {
	s, err := nameArg(t, args[0])
	if err != nil {
		return 0, err
	}
	if i := strings.IndexByte(s[1:], '/'); i >= 0 {
		s = s[:i+1]
	}
	return t.Name(s), nil
}

// evalNameTip gives /c of /a/b/c.
func evalNameTip(t *symbol.Table, args []symbol.Value) (symbol.Value, error) {
	s, err := nameArg(t, args[0])
	if err != nil {
		return 0, err
	}
	return t.Name(s[strings.LastIndexByte(s, '/'):]), nil
}

// evalNameList gives [/a, /b, /c] of /a/b/c.
func evalNameList(t *symbol.Table, args []symbol.Value) (symbol.Value, error) {
	s, err := nameArg(t, args[0])
	if err != nil {
		return 0, err
	}
	var elems []symbol.Value
	for part := range strings.SplitSeq(s[1:], "/") {
		elems = append(elems, t.Name("/"+part))
	}
	return t.List(elems), nil
}

// tests are the built-in predicates that look at bound terms.
var tests = map[string]struct {
	arity int
	eval  func(t *symbol.Table, args []symbol.Value) (bool, error)
}{
	":string:starts_with": {2, stringTest(strings.HasPrefix)},
	":string:ends_with":   {2, stringTest(strings.HasSuffix)},
	":string:contains":    {2, stringTest(strings.Contains)},
	":match_prefix": {2, func(t *symbol.Table, a []symbol.Value) (bool, error) {
		p, err := nameArg(t, a[1])
		s := t.Text(a[0])
		return err == nil && t.Kind(a[0]) == symbol.Name && len(s) > len(p) && strings.HasPrefix(s, p), err
	}},
	":match_nil": {1, func(t *symbol.Table, a []symbol.Value) (bool, error) {
		return t.Kind(a[0]) == symbol.List && len(t.Elems(a[0])) == 0, nil
	}},
	":filter": {1, func(t *symbol.Table, a []symbol.Value) (bool, error) {
		return a[0] == t.Name("/true"), nil
	}},
	":within_distance": {3, func(t *symbol.Table, a []symbol.Value) (bool, error) {
		ns, err := numbers(t, a)
		if err != nil {
			return false, err
		}
		d, err := subExact(max(ns[0], ns[1]), min(ns[0], ns[1]))
		return err == nil && d < ns[2], err
	}},
}

func stringTest(f func(s, part string) bool) func(*symbol.Table, []symbol.Value) (bool, error) {
	return func(t *symbol.Table, a []symbol.Value) (bool, error) {
		part, err := stringArg(t, a[1])
		return err == nil && t.Kind(a[0]) == symbol.String && f(t.Text(a[0]), part), err
	}
}
