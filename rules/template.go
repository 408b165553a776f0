package rules

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"plancheck/internal/symbol"
)

// A template is text with values in braces:
//
//	{Op}                   mlp; a string with spaces in quotes, unless it is all there is
//	{Count cores}          1 core; 3 cores
//	{lanes Lanes}          lane 2; lanes 2, 3 and 5 (Lanes is a list)
//	{cores First..Last}    core 2; cores 2 to 4
//
// Words beside a value are in the plural, and stand in the singular for one
// thing (singular.go).
type segment struct {
	text          string // in front of the value, or all of it where there is none
	before, after string // words beside the value
	vars          []string
}

var (
	valuePattern = regexp.MustCompile(`^[A-Z][A-Za-z0-9]*(\.\.[A-Z][A-Za-z0-9]*)?$`)
	wordPattern  = regexp.MustCompile(`^[a-z]+$`)
)

// parseTemplate cuts a template into segments.
func parseTemplate(template string) ([]segment, error) {
	var all []segment
	for {
		text, rest, ok := strings.Cut(template, "{")
		if !ok {
			return append(all, segment{text: text}), nil
		}
		inside, rest, ok := strings.Cut(rest, "}")
		if !ok {
			return nil, fmt.Errorf("{%s is not closed", inside)
		}
		words := strings.Fields(inside)
		i := slices.IndexFunc(words, valuePattern.MatchString)
		plain := func(w string) bool { return wordPattern.MatchString(w) }
		if i < 0 || slices.ContainsFunc(slices.Concat(words[:i], words[i+1:]), func(w string) bool { return !plain(w) }) {
			return nil, fmt.Errorf("{%s} is not {Variable}, {Variable things}, {things Variable} or {things First..Last}", inside)
		}
		all = append(all, segment{
			text:   text,
			before: strings.Join(words[:i], " "),
			after:  strings.Join(words[i+1:], " "),
			vars:   strings.Split(words[i], ".."),
		})
		template = rest
	}
}

// shownOfList is how many elements of a list a message shows.
const shownOfList = 10

// fill replaces what is in the braces of a template by the values of a row. All
// its variables are among the columns.
func fill(segments []segment, cols []string, row []symbol.Value, syms *symbol.Table) string {
	return fillOpen(segments, cols, row, nil, syms)
}

// fillOpen is fill for a row in which some columns may hold anything.
func fillOpen(segments []segment, cols []string, row []symbol.Value, open []bool, syms *symbol.Table) string {
	if text, ok := wholeText(segments, cols, row, syms); ok && open == nil {
		return text
	}
	var b strings.Builder
	for _, s := range segments {
		b.WriteString(s.text)
		if len(s.vars) == 0 {
			continue
		}
		values := make([]symbol.Value, len(s.vars))
		any := false
		for i, name := range s.vars {
			c := slices.Index(cols, name)
			values[i] = row[c]
			any = any || open != nil && open[c]
		}
		text, one := anything, false
		if !any {
			text, one = showValues(values, syms)
		}
		b.WriteString(beside(s.before, one, "", " "))
		b.WriteString(text)
		b.WriteString(beside(s.after, one, " ", ""))
	}
	return b.String()
}

// wholeText returns the value of a template that is nothing but a string: a
// sentence that rules have made needs no quotes.
func wholeText(segments []segment, cols []string, row []symbol.Value, syms *symbol.Table) (string, bool) {
	if len(segments) != 2 || segments[0].text+segments[1].text+segments[0].before+segments[0].after != "" || len(segments[0].vars) != 1 {
		return "", false
	}
	v := row[slices.Index(cols, segments[0].vars[0])]
	return syms.Text(v), syms.Kind(v) == symbol.String
}

// showValues writes a value or a range, and says whether it stands for one thing.
func showValues(values []symbol.Value, syms *symbol.Table) (text string, one bool) {
	v := values[0]
	if len(values) == 2 {
		if v == values[1] {
			return syms.Show(v), true
		}
		return syms.Show(v) + " to " + syms.Show(values[1]), false
	}
	if syms.Kind(v) == symbol.List {
		return showList(syms.Elems(v), syms), len(syms.Elems(v)) == 1
	}
	n, number := syms.Number(v)
	return syms.Show(v), number && n == 1
}

// showList writes 2; 2 and 3; 2, 3 and 4; and of long lists the beginning.
func showList(elems []symbol.Value, syms *symbol.Table) string {
	var parts []string
	for _, e := range elems[:min(len(elems), shownOfList)] {
		parts = append(parts, syms.Show(e))
	}
	if more := len(elems) - len(parts); more > 0 {
		parts = append(parts, fmt.Sprintf("%d more", more))
	}
	if len(parts) < 2 {
		return strings.Join(parts, "")
	}
	last := len(parts) - 1
	return strings.Join(parts[:last], ", ") + " and " + parts[last]
}

func beside(words string, one bool, space, after string) string {
	if words == "" {
		return ""
	}
	if one {
		words = singularPhrase(words)
	}
	return space + words + after
}
