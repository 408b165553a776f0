package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"plancheck/internal/diag"
)

// Version of plancheck.
const Version = "0.1.0"

// The exit codes of every verb.
const (
	exitOK         = 0 // what was asked for, and no violation
	exitViolations = 1
	exitBad        = 2 // bad input, bad rules, bad usage, or interrupted
	exitUnknown    = 3 // time ran out without an answer
)

// exitCode says in words what an exit code means for all verbs.
type exitCode struct {
	code int
	text string
}

func exitCodes() []exitCode {
	return []exitCode{
		{exitOK, "done; every plan is legal: there is no finding at or above --fail-on; a plan was found"},
		{exitViolations, "a plan breaks a rule, or cannot be completed"},
		{exitBad, "a plan, a rule file or the command line is bad, or the command was interrupted"},
		{exitUnknown, "time ran out before a plan was found"},
	}
}

// verb is a command of plancheck.
type verb struct {
	name  string
	usage string // what follows the name
	short string // one line for the overview
	long  string // what it is for
	exits string // its exit codes, a line each
	// finishes: when it is interrupted the verb ends with what it has, and its
	// exit code stands.
	finishes bool
	// examples are whole command lines.
	examples []string
	// args says what its arguments may be; nil means anything.
	args func() values
	// prepare declares the verb's flags and returns what to run with the
	// arguments that are left.
	prepare func(fs *pflag.FlagSet) runner
}

// runner does the work of a verb. An error is bad usage or bad input that has
// not been reported yet: it is printed and ends in exit code 2.
type runner func(ctx context.Context, env Env, args []string) (exit int, err error)

// errInterrupted ends a command that was told to stop.
var errInterrupted = errors.New("interrupted")

// within is a context that ends after a time; after 0, never.
func within(ctx context.Context, timeout time.Duration) (context.Context, context.CancelFunc) {
	if timeout <= 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, timeout)
}

// Main runs one command line, given without the name of the program, and
// returns its exit code. It stops soon after ctx is done.
func Main(ctx context.Context, args []string, env Env) int {
	exit, err := dispatch(ctx, args, env)
	if err != nil {
		fmt.Fprintf(env.Stderr, "plancheck: %s\n", oneLine(err.Error()))
		return exitBad
	}
	return exit
}

// dispatch finds the verb. The first argument may be left out when it is check.
func dispatch(ctx context.Context, args []string, env Env) (int, error) {
	if len(args) == 0 {
		return 0, errors.New(`no plan given; "plancheck help" says what can be done`)
	}
	switch first := args[0]; {
	case first == "-h" || first == "--help":
		return run(ctx, helpVerb(), nil, env)
	case first == "--version":
		return run(ctx, versionVerb(), nil, env)
	case strings.HasPrefix(first, "-"):
		return run(ctx, checkVerb(), args, env)
	default:
		for _, v := range verbs() {
			if v.name == first {
				return run(ctx, v, args[1:], env)
			}
		}
		if err := misspelt(first); err != nil {
			return 0, err
		}
		return run(ctx, checkVerb(), args, env)
	}
}

// misspelt says that a word is no verb, when it cannot be a file either.
func misspelt(word string) error {
	if strings.ContainsAny(word, `./\`) {
		return nil
	}
	if _, err := os.Lstat(word); err == nil {
		return nil
	}
	return fmt.Errorf("no verb and no file %q%s", word, didYouMean(word, verbNames()))
}

// run parses the flags of a verb and runs it.
func run(ctx context.Context, v verb, args []string, env Env) (int, error) {
	fs, do, help := v.flags()
	if err := fs.Parse(args); err != nil {
		return 0, flagError(v, fs, err)
	}
	if *help {
		writeVerbHelp(env.Stdout, v, fs)
		return exitOK, nil
	}
	exit, err := do(ctx, env, fs.Args())
	if ctx.Err() != nil && !v.finishes {
		err = errInterrupted
	}
	return exit, err
}

// flags declares all flags of a verb.
func (v verb) flags() (fs *pflag.FlagSet, do runner, help *bool) {
	fs = pflag.NewFlagSet(v.name, pflag.ContinueOnError)
	fs.Usage = func() {}
	fs.SortFlags = false
	do = v.prepare(fs)
	help = fs.BoolP("help", "h", false, "show this help")
	return fs, do, help
}

// flagsOf are the flags of a verb, to be shown.
func flagsOf(v verb) *pflag.FlagSet {
	fs, _, _ := v.flags()
	return fs
}

// flagError says what is wrong with a flag in one line.
func flagError(v verb, fs *pflag.FlagSet, err error) error {
	var missing *pflag.NotExistError
	if !errors.As(err, &missing) {
		return fmt.Errorf("%s: %w", v.name, err)
	}
	if missing.GetSpecifiedShortnames() != "" {
		return fmt.Errorf("%s: unknown flag -%s", v.name, missing.GetSpecifiedName())
	}
	var names []string
	fs.VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	name := missing.GetSpecifiedName()
	near := diag.Nearest(name, slices.Values(names))
	if near == "" {
		return fmt.Errorf("%s: unknown flag --%s; see plancheck %s --help", v.name, name, v.name)
	}
	return fmt.Errorf("%s: unknown flag --%s; did you mean --%s?", v.name, name, near)
}

// oneLine keeps odd file names and flags from breaking a message.
func oneLine(s string) string {
	var b strings.Builder
	for _, r := range s {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 {
			fmt.Fprintf(&b, `\x%02x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
