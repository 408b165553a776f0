package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"plancheck/rules"
)

// shell is a shell that completes command lines.
type shell struct {
	name   string
	script func([]completion) string
	use    string // how its users turn completion on
}

func shells() []shell {
	return []shell{
		{"bash", bashCompletion, `source <(plancheck completion bash)`},
		{"zsh", zshCompletion, `plancheck completion zsh > "${fpath[1]}/_plancheck"`},
		{"fish", fishCompletion, `plancheck completion fish > ~/.config/fish/completions/plancheck.fish`},
	}
}

func shellNames() []string {
	var names []string
	for _, s := range shells() {
		names = append(names, s.name)
	}
	return names
}

func completionVerb() verb {
	var examples []string
	for _, s := range shells() {
		examples = append(examples, s.use)
	}
	return verb{
		name:  "completion",
		usage: "SHELL",
		short: "print the completion script of a shell: " + strings.Join(shellNames(), ", "),
		long: `Prints a script that completes verbs, flags, formats, codes of built-in rules
and names of files.`,
		exits:    "0  done\n2  no such shell, or bad usage",
		examples: examples,
		args:     func() values { return values{words: shellNames()} },
		prepare: func(*pflag.FlagSet) runner {
			return func(_ context.Context, env Env, args []string) (int, error) {
				if len(args) != 1 {
					return 0, fmt.Errorf("completion: name one shell: %s", strings.Join(shellNames(), ", "))
				}
				for _, s := range shells() {
					if s.name == args[0] {
						_, err := fmt.Fprint(env.Stdout, s.script(completions()))
						return exitOK, err
					}
				}
				return 0, fmt.Errorf("completion: no script for %q; there are %s%s",
					args[0], strings.Join(shellNames(), ", "), didYouMean(args[0], shellNames()))
			}
		},
	}
}

// completion is what a shell needs to know of a verb.
type completion struct {
	verb, short string
	flags       []completionFlag
	args        values
}

type completionFlag struct {
	long, short string // without dashes; short may be empty
	text        string // one line
	value       bool   // a value follows
	metavar     string // its name
	values
}

// completions are all verbs.
func completions() []completion {
	var all []completion
	for _, v := range verbs() {
		c := completion{verb: v.name, short: v.short}
		if v.args != nil {
			c.args = v.args()
		}
		flagsOf(v).VisitAll(func(f *pflag.Flag) {
			metavar, text := pflag.UnquoteUsage(f)
			text, _, _ = strings.Cut(text, ";")
			text, _, _ = strings.Cut(text, ". ")
			c.flags = append(c.flags, completionFlag{
				long: f.Name, short: f.Shorthand, text: text, value: f.NoOptDefVal == "", metavar: metavar, values: valuesOf(f),
			})
		})
		all = append(all, c)
	}
	return all
}

// codes are the codes of the built-in rules, sorted.
func codes() []string {
	set, _ := rules.Load(rules.Everything()) // a test holds that they load
	if set == nil {
		return nil
	}
	var all []string
	for _, d := range DocumentCodes() {
		all = append(all, d.Code)
	}
	for _, inv := range set.Invariants() {
		all = append(all, inv.Code)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// header is the first line of a script.
func header(shell string) string {
	return fmt.Sprintf("# Completion for %s, printed by \"plancheck completion %s\".\n", shell, shell)
}
