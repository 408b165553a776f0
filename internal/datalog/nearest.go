package datalog

import (
	"maps"
	"slices"
	"strings"

	"plancheck/internal/diag"
)

// otherNames are names that other languages have for what is here.
var otherNames = map[string]string{
	"fn:add": "fn:plus", "fn:sub": "fn:minus", "fn:subtract": "fn:minus", "fn:mul": "fn:mult", "fn:times": "fn:mult",
	"fn:divide": "fn:div", "fn:length": "fn:list:len", "fn:size": "fn:list:len", "fn:concat": "fn:string:concat",
	"fn:to_string": "fn:number:to_string", "fn:distinct": "fn:collect_distinct", "fn:append": "fn:list:append",
	":in": ":list:member", ":member": ":list:member", ":lte": ":le", ":gte": ":ge",
}

// nearFunction is the end of a message about an unknown function.
func nearFunction(name string) string {
	return nearBuiltin("fn:", name, slices.Concat(slices.Sorted(maps.Keys(reducers)), slices.Sorted(maps.Keys(functions)), []string{"fn:group_by"}))
}

// nearPredicate is the end of a message about an unknown built-in predicate.
func nearPredicate(name string) string {
	return nearBuiltin(":", name, slices.Concat(slices.Sorted(maps.Keys(tests)), slices.Sorted(maps.Keys(comparisons)), members()))
}

// members are the built-in predicates that bind.
func members() []string { return []string{":list:member", ":match_cons"} }

// nearBuiltin finds the name that was meant: one that other languages have, one
// that lacks its family, as in fn:len, or one that is nearly so.
func nearBuiltin(prefix, name string, known []string) string {
	near := otherNames[name]
	if near == "" {
		short := strings.TrimPrefix(name, prefix)
		for _, k := range known {
			if strings.HasSuffix(k, ":"+short) {
				near = k
				break
			}
		}
	}
	if near == "" {
		var shorts []string
		for _, k := range known {
			shorts = append(shorts, strings.TrimPrefix(k, prefix))
		}
		if near = diag.Nearest(strings.TrimPrefix(name, prefix), slices.Values(shorts)); near != "" {
			near = prefix + near
		}
	}
	if near == "" {
		return ""
	}
	return "; did you mean " + near + "?"
}

// nearType is the type that was meant by a bound which would be, as it stands,
// a family of names that nobody has: /int, /str, /nunber.
func nearType(bound string) string {
	switch strings.ToLower(bound) {
	case "/int", "/int64", "/int32", "/integer", "/num", "/numbers", "/uint", "/long":
		return "/number"
	case "/str", "/text", "/id", "/char":
		return "/string"
	case "/symbol", "/atom":
		return "/name"
	}
	types := []string{"/number", "/string", "/name", "/any"}
	if slices.Contains(types, bound) {
		return ""
	}
	return diag.Nearest(bound, slices.Values(types))
}
