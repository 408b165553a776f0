package cli

import (
	"fmt"
	"strings"
)

// bashHelpers are the parts of the script that know nothing of the verbs. Bash
// splits words at "=" and ":", so they are put together again.
const bashHelpers = `
_plancheck_words() {
    local word
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$1" -- "$cur")
}

_plancheck_files() {
    local file ending
    compopt -o filenames 2>/dev/null
    while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -d -- "$cur")
    for ending; do
        while IFS= read -r file; do
            [[ -d $file ]] || COMPREPLY+=("$file")
        done < <(compgen -f -X "!*.$ending" -- "$cur")
    done
}

_plancheck_any() {
    local file
    compopt -o filenames 2>/dev/null
    while IFS= read -r file; do COMPREPLY+=("$file"); done < <(compgen -f -- "$cur")
}

_plancheck() {
    local cur=${COMP_WORDS[COMP_CWORD]} n=$((COMP_CWORD - 1)) prefix= verb=check
    COMPREPLY=()
    if [[ $cur == : ]]; then
        cur=
        n=$((n + 1))
    fi
    while ((n > 1)) && [[ ${COMP_WORDS[n]} == : ]]; do
        prefix=${COMP_WORDS[n - 1]}:$prefix
        n=$((n - 2))
    done
    cur=$prefix$cur
    local prev=${COMP_WORDS[n]}
    if [[ $cur == = ]]; then
        cur=
    elif [[ $prev == = ]]; then
        prev=${COMP_WORDS[n - 1]}
    fi
`

// bashCompletion writes the script for bash.
func bashCompletion(all []completion) string {
	var b strings.Builder
	b.WriteString(header("bash") + bashHelpers)
	var names []string
	for _, c := range all {
		names = append(names, c.verb)
	}
	fmt.Fprintf(&b, "    if ((COMP_CWORD > 1)); then\n        case ${COMP_WORDS[1]} in\n        %s) verb=${COMP_WORDS[1]} ;;\n        esac\n    fi\n",
		strings.Join(names, " | "))
	b.WriteString("    case $verb:$prev in\n")
	for _, c := range all {
		for _, f := range c.flags {
			if f.value {
				fmt.Fprintf(&b, "    %s)%s ;;\n", bashFlagPattern(c.verb, f), bashValues(f.values))
			}
		}
	}
	b.WriteString("    *)\n        if [[ $cur == -* ]]; then\n            case $verb in\n")
	for _, c := range all {
		var flags []string
		for _, f := range c.flags {
			flags = append(flags, "--"+f.long)
			if f.short != "" {
				flags = append(flags, "-"+f.short)
			}
		}
		fmt.Fprintf(&b, "            %s) _plancheck_words '%s' ;;\n", c.verb, strings.Join(flags, " "))
	}
	fmt.Fprintf(&b, "            esac\n        else\n            ((COMP_CWORD > 1)) || _plancheck_words '%s'\n            case $verb in\n", strings.Join(names, " "))
	for _, c := range all {
		fmt.Fprintf(&b, "            %s)%s ;;\n", c.verb, bashValues(c.args))
	}
	b.WriteString(`            esac
        fi
        ;;
    esac
    [[ -z $prefix ]] || COMPREPLY=("${COMPREPLY[@]#"$prefix"}")
}

complete -F _plancheck plancheck
`)
	return b.String()
}

func bashFlagPattern(verb string, f completionFlag) string {
	p := verb + ":--" + f.long
	if f.short != "" {
		p += " | " + verb + ":-" + f.short
	}
	return p
}

// bashValues calls the helpers for some values; none complete nothing.
func bashValues(v values) string {
	var calls []string
	if v.words != nil {
		calls = append(calls, " _plancheck_words '"+strings.Join(v.words, " ")+"'")
	}
	switch {
	case v.files == nil:
	case v.files[0] == anyFile:
		calls = append(calls, " _plancheck_any")
	default:
		calls = append(calls, " _plancheck_files "+strings.Join(v.files, " "))
	}
	return strings.Join(calls, ";")
}
