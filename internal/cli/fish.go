package cli

import (
	"fmt"
	"strings"
)

// fishCompletion writes the script for fish.
func fishCompletion(all []completion) string {
	var b strings.Builder
	var names []string
	for _, c := range all {
		names = append(names, c.verb)
	}
	fmt.Fprintf(&b, `%s
function __plancheck_verb
    set -l words (commandline -opc)
    set -l verb check
    if set -q words[2]; and contains -- $words[2] %s
        set verb $words[2]
    end
    test $verb = $argv[1]
end

function __plancheck_first
    test (count (commandline -opc)) = 1
end

complete -c plancheck -f
`, header("fish"), strings.Join(names, " "))
	for _, c := range all {
		fmt.Fprintf(&b, "complete -c plancheck -n __plancheck_first -a %s -d %s\n", c.verb, fishQuoted(c.short))
	}
	for _, c := range all {
		b.WriteString("\n")
		condition := fishQuoted("__plancheck_verb " + c.verb)
		for _, f := range c.flags {
			fmt.Fprintf(&b, "complete -c plancheck -n %s -l %s", condition, f.long)
			if f.short != "" {
				fmt.Fprintf(&b, " -s %s", f.short)
			}
			if f.value {
				b.WriteString(" -x")
				if v := fishValues(f.values); v != "" {
					fmt.Fprintf(&b, " -a %s", fishQuoted(v))
				}
			}
			fmt.Fprintf(&b, " -d %s\n", fishQuoted(f.text))
		}
		if v := fishValues(c.args); v != "" {
			fmt.Fprintf(&b, "complete -c plancheck -n %s -a %s\n", condition, fishQuoted(v))
		}
	}
	return b.String()
}

// fishValues is the argument of complete -a for some values.
func fishValues(v values) string {
	parts := v.words
	for _, ending := range v.files {
		if ending == anyFile {
			parts = append(parts[:len(parts):len(parts)], "(__fish_complete_path (commandline -ct))")
		} else {
			parts = append(parts[:len(parts):len(parts)], "(__fish_complete_suffix ."+ending+")")
		}
	}
	return strings.Join(parts, " ")
}

func fishQuoted(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'"
}
