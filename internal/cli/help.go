package cli

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"
)

func helpVerb() verb {
	return verb{
		name:     "help",
		usage:    "[VERB | --man]",
		short:    "say what a verb does",
		long:     "Says what plancheck can do, or what one verb does and which flags it has.",
		exits:    "0  done\n2  no such verb",
		examples: []string{"plancheck help check", "plancheck help --man | man -l -"},
		args:     func() values { return values{words: verbNames()} },
		prepare: func(fs *pflag.FlagSet) runner {
			man := fs.Bool("man", false, "write all of it as a manual page")
			return func(ctx context.Context, env Env, args []string) (int, error) {
				if *man {
					if len(args) > 0 {
						return 0, fmt.Errorf("help: --man is about all verbs")
					}
					_, err := env.Stdout.Write(ManPage())
					return exitOK, err
				}
				switch len(args) {
				case 0:
					writeOverview(env.Stdout)
					return exitOK, nil
				case 1:
					for _, v := range verbs() {
						if v.name == args[0] {
							return run(ctx, v, []string{"--help"}, env)
						}
					}
					return 0, fmt.Errorf("help: no verb %q%s", args[0], didYouMean(args[0], verbNames()))
				}
				return 0, fmt.Errorf("help: one verb at a time")
			}
		},
	}
}

func writeOverview(w io.Writer) {
	out := bufio.NewWriter(w)
	defer out.Flush()
	fmt.Fprint(out, `plancheck judges pipeline plans by rules and proves every violation.

    plancheck --rules rules/pipeline.dl plan.json

Verbs:
`)
	for _, v := range verbs() {
		fmt.Fprintf(out, "  %-10s  %s\n", v.name, v.short)
	}
	fmt.Fprint(out, "\n"+overviewText+"\nExit codes: 0 legal or done, 1 violations or infeasible, 2 bad input, rules or\nusage, 3 time ran out without an answer.\n")
}

const overviewText = `A plan without a verb is checked. "plancheck VERB --help" has the flags and an
example. A file that is named like a verb is written ./check.`

func writeVerbHelp(w io.Writer, v verb, fs *pflag.FlagSet) {
	out := bufio.NewWriter(w)
	defer out.Flush()
	fmt.Fprintf(out, "%s\n\n%s\n\nFlags:\n", strings.TrimSpace("plancheck "+v.name+" "+v.usage), v.long)
	fs.VisitAll(func(f *pflag.Flag) { fmt.Fprintln(out, flagHelp(f)) })
	fmt.Fprintf(out, "\nExit codes:\n%s\n\nExamples:\n", indented(v.exits))
	for _, e := range v.examples {
		fmt.Fprintln(out, indented(e))
	}
}

// flagColumn is where the texts about flags begin.
const flagColumn = 27

// flagHelp writes the name of a flag and beside it what it does.
func flagHelp(f *pflag.Flag) string {
	name, text := flagText(f)
	if f.Shorthand == "" {
		name = "    " + name
	}
	lines := wrapped(text, strings.Repeat(" ", flagColumn), 80)
	if name = "  " + name; len(name)+2 > flagColumn {
		return name + "\n" + lines
	}
	return fmt.Sprintf("%-*s", flagColumn, name) + lines[flagColumn:]
}

// flagText returns how a flag is written and what it does.
func flagText(f *pflag.Flag) (name, text string) {
	name = "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", --" + f.Name
	}
	value, text := pflag.UnquoteUsage(f)
	if f.NoOptDefVal == "" { // not a switch
		name += " " + value
		if f.DefValue != "" && f.DefValue != "[]" && f.DefValue != "0" && f.DefValue != "0s" && f.DefValue != stdoutName {
			text += " (default " + f.DefValue + ")"
		}
	}
	return name, text
}

func indented(s string) string { return "    " + strings.ReplaceAll(s, "\n", "\n    ") }

// wrapped breaks a text at its spaces into lines of at most width bytes, where
// words are not longer. All lines begin with indent.
func wrapped(text, indent string, width int) string {
	var lines []string
	line := indent
	for _, word := range strings.SplitAfter(text, " ") {
		if line != indent && len(line)+len(strings.TrimRight(word, " ")) > width {
			lines = append(lines, strings.TrimRight(line, " "))
			line = indent
		}
		line += word
	}
	return strings.Join(append(lines, line), "\n")
}
