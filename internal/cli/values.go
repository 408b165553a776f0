package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"plancheck/internal/report"
	"plancheck/rules"
)

// values say what a flag or an argument may be, for completion. Those of flags
// are kept in the flags' annotations, so that they stand beside the flags.
type values struct {
	words []string
	files []string // endings of files: "json"; "*" means any file
}

// anyFile is the ending that stands for any.
const anyFile = "*"

const (
	wordsOf = "words"
	filesOf = "files"
)

// completeWords says that a flag is one of some words.
func completeWords(fs *pflag.FlagSet, flag string, words ...string) {
	annotate(fs, flag, wordsOf, words)
}

// completeFiles says that a flag names a file with one of some endings.
func completeFiles(fs *pflag.FlagSet, flag string, endings ...string) {
	annotate(fs, flag, filesOf, endings)
}

func annotate(fs *pflag.FlagSet, flag, key string, values []string) {
	if err := fs.SetAnnotation(flag, key, values); err != nil {
		panic("cli: " + err.Error()) // a flag that is not declared: every use of the verb shows it
	}
}

// valuesOf returns what a flag may be.
func valuesOf(f *pflag.Flag) values {
	return values{words: f.Annotations[wordsOf], files: f.Annotations[filesOf]}
}

// completeFormats says that a flag is a format of reports.
func completeFormats(fs *pflag.FlagSet, flag string) {
	var names []string
	for _, f := range report.Formats() {
		names = append(names, f.Name)
	}
	completeWords(fs, flag, names...)
}

// completeRules says that a flag names a rule file.
func completeRules(fs *pflag.FlagSet, flag string) {
	words := []string{rules.Builtin}
	for _, name := range rules.Names() {
		words = append(words, rules.Builtin+":"+name)
	}
	completeWords(fs, flag, words...)
	completeFiles(fs, flag, "dl")
}

// oneOf refuses a flag that is none of its words.
func oneOf(flag, value string, words ...string) error {
	if slices.Contains(words, value) {
		return nil
	}
	last := len(words) - 1
	return fmt.Errorf("--%s: want %s or %s, not %q", flag, strings.Join(words[:last], ", "), words[last], value)
}
