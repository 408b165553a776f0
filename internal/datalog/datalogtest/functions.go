package datalogtest

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/google/mangle/ast"
)

// env is an assignment of variables, the last one first. An empty env is nil.
type env struct {
	name  string
	value Value
	up    *env
}

func (e *env) with(name string, v Value) *env { return &env{name, v, e} }

func (e *env) get(name string) (Value, bool) {
	for ; e != nil; e = e.up {
		if e.name == name {
			return e.value, true
		}
	}
	return nil, false
}

// bound says whether a term has a value under e.
func (e *env) bound(t ast.BaseTerm) bool {
	switch t := t.(type) {
	case ast.Variable:
		_, ok := e.get(t.Symbol)
		return ok
	case ast.ApplyFn:
		return !slices.ContainsFunc(t.Args, func(a ast.BaseTerm) bool { return !e.bound(a) })
	}
	return true
}

// eval computes a term whose variables e binds.
func (e *env) eval(t ast.BaseTerm) (Value, error) {
	switch t := t.(type) {
	case ast.Constant:
		return fromConstant(t)
	case ast.Variable:
		if v, ok := e.get(t.Symbol); ok {
			return v, nil
		}
		return nil, fmt.Errorf("variable %s has no value", t.Symbol)
	case ast.ApplyFn:
		args := make([]Value, len(t.Args))
		for i, a := range t.Args {
			v, err := e.eval(a)
			if err != nil {
				return nil, err
			}
			args[i] = v
		}
		v, err := call(t.Function.Symbol, args)
		if err != nil {
			return nil, fmt.Errorf("%s(%s): %w", t.Function.Symbol, formatRow(args), err)
		}
		return v, nil
	}
	return nil, fmt.Errorf("term %s is not of the language", t)
}

func call(name string, args []Value) (Value, error) {
	switch name {
	case "fn:plus", "fn:minus", "fn:mult", "fn:div":
		return arithmetic(name, args)
	case "fn:list":
		return List(args...), nil
	case "fn:string:concat":
		return concat(args)
	}
	if want := map[string]int{
		"fn:list:get": 2, "fn:list:append": 2, "fn:list:cons": 2, "fn:list:contains": 2, "fn:list:len": 1,
		"fn:string:replace": 4, "fn:number:to_string": 1, "fn:name:to_string": 1,
		"fn:name:root": 1, "fn:name:tip": 1, "fn:name:list": 1,
	}[name]; want == 0 || want != len(args) {
		return nil, fmt.Errorf("no such function of %d arguments", len(args))
	}
	mistyped := fmt.Errorf("wrong type of argument")
	switch name {
	case "fn:list:get":
		list, ok := elems(args[0])
		i, isNumber := args[1].(int64)
		if !ok || !isNumber {
			return nil, mistyped
		}
		if i < 0 || i >= int64(len(list)) {
			return nil, fmt.Errorf("no element %d", i)
		}
		return list[i], nil
	case "fn:list:append":
		list, ok := elems(args[0])
		if !ok {
			return nil, mistyped
		}
		return List(append(list, args[1])...), nil
	case "fn:list:cons":
		if _, ok := elems(args[1]); !ok {
			return nil, mistyped
		}
		return Cons{args[0], args[1]}, nil
	case "fn:list:contains":
		list, ok := elems(args[0])
		if !ok {
			return nil, mistyped
		}
		if slices.Contains(list, args[1]) {
			return Name("/true"), nil
		}
		return Name("/false"), nil
	case "fn:list:len":
		list, ok := elems(args[0])
		if !ok {
			return nil, mistyped
		}
		return int64(len(list)), nil
	case "fn:string:replace":
		text, ok0 := args[0].(string)
		before, ok1 := args[1].(string)
		after, ok2 := args[2].(string)
		n, ok3 := args[3].(int64)
		if !ok0 || !ok1 || !ok2 || !ok3 {
			return nil, mistyped
		}
		return strings.Replace(text, before, after, int(n)), nil
	case "fn:number:to_string":
		if n, ok := args[0].(int64); ok {
			return strconv.FormatInt(n, 10), nil
		}
	case "fn:name:to_string":
		if n, ok := args[0].(Name); ok {
			return string(n), nil
		}
	case "fn:name:root", "fn:name:tip", "fn:name:list":
		if n, ok := args[0].(Name); ok {
			return parts(name, n), nil
		}
	}
	return nil, mistyped
}

// parts takes a name apart: /a/b/c has the root /a and the tip /c.
func parts(function string, n Name) Value {
	var all []Value
	for _, part := range strings.Split(string(n), "/")[1:] {
		all = append(all, Name("/"+part))
	}
	switch function {
	case "fn:name:root":
		return all[0]
	case "fn:name:tip":
		return all[len(all)-1]
	}
	return List(all...)
}

// arithmetic computes from left to right and checks each step.
func arithmetic(name string, args []Value) (Value, error) {
	nums := make([]*big.Int, len(args))
	for i, a := range args {
		n, ok := a.(int64)
		if !ok {
			return nil, fmt.Errorf("%s is not a number", Format(a))
		}
		nums[i] = big.NewInt(n)
	}
	// Of one argument minus is the negative and div the inverse; plus and mult
	// take none, too.
	acc := new(big.Int)
	switch {
	case name == "fn:mult" || name == "fn:div" && len(nums) == 1:
		acc.SetInt64(1)
	case name == "fn:plus" || name == "fn:minus" && len(nums) == 1:
	case len(nums) == 0:
		return nil, fmt.Errorf("no arguments")
	default:
		acc, nums = nums[0], nums[1:]
	}
	for _, n := range nums {
		switch name {
		case "fn:plus":
			acc = new(big.Int).Add(acc, n)
		case "fn:minus":
			acc = new(big.Int).Sub(acc, n)
		case "fn:mult":
			acc = new(big.Int).Mul(acc, n)
		case "fn:div":
			if n.Sign() == 0 {
				return nil, fmt.Errorf("division by zero")
			}
			acc = new(big.Int).Quo(acc, n)
		}
		if !acc.IsInt64() {
			return nil, fmt.Errorf("overflow")
		}
	}
	return acc.Int64(), nil
}

func concat(args []Value) (Value, error) {
	var text strings.Builder
	for _, a := range args {
		switch a := a.(type) {
		case string:
			text.WriteString(a)
		case Name:
			text.WriteString(string(a))
		case int64:
			text.WriteString(strconv.FormatInt(a, 10))
		default:
			return nil, fmt.Errorf("a list is not text")
		}
	}
	return text.String(), nil
}

// test decides a built-in predicate whose arguments have values.
func test(name string, args []Value) (bool, error) {
	switch {
	case len(args) == 2 && slices.Contains([]string{":lt", ":le", ":gt", ":ge"}, name):
		a, ok := args[0].(int64)
		b, ok2 := args[1].(int64)
		if !ok || !ok2 {
			return false, fmt.Errorf("%s compares %s", name, formatRow(args))
		}
		return map[string]bool{":lt": a < b, ":le": a <= b, ":gt": a > b, ":ge": a >= b}[name], nil
	case len(args) == 2 && strings.HasPrefix(name, ":string:"):
		a, ok := args[0].(string)
		b, ok2 := args[1].(string)
		if !ok || !ok2 {
			return false, nil
		}
		switch name {
		case ":string:starts_with":
			return strings.HasPrefix(a, b), nil
		case ":string:ends_with":
			return strings.HasSuffix(a, b), nil
		case ":string:contains":
			return strings.Contains(a, b), nil
		}
	case len(args) == 2 && name == ":match_prefix":
		a, ok := args[0].(Name)
		b, ok2 := args[1].(Name)
		return ok && ok2 && a != b && strings.HasPrefix(string(a), string(b)), nil
	case len(args) == 3 && name == ":within_distance":
		var n [3]*big.Int
		for i, a := range args {
			number, ok := a.(int64)
			if !ok {
				return false, fmt.Errorf("%s of %s", name, formatRow(args))
			}
			n[i] = big.NewInt(number)
		}
		return n[0].Sub(n[0], n[1]).CmpAbs(n[2]) < 0 && n[2].Sign() > 0, nil
	case len(args) == 1 && name == ":match_nil":
		return args[0] == Nil{}, nil
	case len(args) == 1 && name == ":filter":
		return args[0] == Name("/true"), nil
	}
	return false, fmt.Errorf("no built-in predicate %s of %d arguments", name, len(args))
}
