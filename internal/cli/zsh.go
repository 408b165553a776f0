package cli

import (
	"fmt"
	"slices"
	"strings"
)

// zshScript is a script for zsh while it is written.
type zshScript struct{ functions []string }

// zshCompletion writes the script for zsh.
func zshCompletion(all []completion) string {
	z := &zshScript{}
	main := z.main(all)
	var b strings.Builder
	b.WriteString("#compdef plancheck\n" + header("zsh"))
	for i, body := range z.functions {
		fmt.Fprintf(&b, "\n_plancheck_%d() {\n%s}\n", i+1, body)
	}
	return b.String() + main
}

// main writes the function that completes, and its registration.
func (z *zshScript) main(all []completion) string {
	var b strings.Builder
	b.WriteString("\n_plancheck() {\n    local -a verbs=(\n")
	var names []string
	for _, c := range all {
		fmt.Fprintf(&b, "        %s\n", zshQuoted(strings.ReplaceAll(c.verb, ":", `\:`)+":"+c.short))
		names = append(names, c.verb)
	}
	fmt.Fprintf(&b, `    )
    local verb=check
    if ((CURRENT == 2)); then
        [[ $words[2] == -* ]] || _describe -t verbs verb verbs
    fi
    case $words[2] in
        %s)
            if ((CURRENT > 2)); then
                verb=$words[2]
                shift words
                ((CURRENT--))
            fi
            ;;
    esac
    case $verb in
`, strings.Join(names, "|"))
	for _, c := range all {
		fmt.Fprintf(&b, "        %s)\n            _arguments -s", c.verb)
		for _, f := range c.flags {
			fmt.Fprintf(&b, " \\\n                %s", z.flag(f))
		}
		if action := z.action(c.args); action != "" {
			fmt.Fprintf(&b, " \\\n                %s", zshQuoted("*:argument:"+action))
		}
		b.WriteString("\n            ;;\n")
	}
	b.WriteString(`    esac
}

if [[ $funcstack[1] == _plancheck ]]; then
    _plancheck "$@"
else
    compdef _plancheck plancheck
fi
`)
	return b.String()
}

// flag is the specification of a flag for _arguments. All may be repeated:
// plancheck says which may not.
func (z *zshScript) flag(f completionFlag) string {
	tail := "[" + strings.NewReplacer("[", `\[`, "]", `\]`).Replace(f.text) + "]"
	equals := ""
	if f.value {
		tail += ":" + strings.NewReplacer(":", `\:`, "[", "", "]", "").Replace(f.metavar) + ":" + z.action(f.values)
		equals = "="
	}
	spec := zshQuoted("*--" + f.long + equals + tail)
	if f.short != "" {
		if f.value {
			equals = "+"
		}
		spec += " " + zshQuoted("*-"+f.short+equals+tail)
	}
	return spec
}

// action completes some values. Where there are both words and files it is
// the name of a function, which it adds to functions.
func (z *zshScript) action(v values) string {
	words := ""
	if v.words != nil {
		words = "(" + strings.ReplaceAll(strings.Join(v.words, " "), ":", `\:`) + ")"
	}
	files := ""
	switch {
	case v.files == nil:
		return words
	case v.files[0] == anyFile:
		files = "_files"
	default:
		files = `_files -g "*.(` + strings.Join(v.files, "|") + `)(-.)"`
	}
	if words == "" {
		return files
	}
	body := fmt.Sprintf("    _alternative %s %s\n", zshQuoted("words:word:"+words), zshQuoted("files:file:"+files))
	i := slices.Index(z.functions, body)
	if i < 0 {
		i = len(z.functions)
		z.functions = append(z.functions, body)
	}
	return fmt.Sprintf("_plancheck_%d", i+1)
}

// zshQuoted is a text as one word of zsh, or of bash.
func zshQuoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
