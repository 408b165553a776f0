// Command newrule makes what a new built-in rule needs in one step: its
// declaration in rules, a plan that breaks it, the same plan mended, and its
// line in the table of examples. All of it compiles; the tests fail and say
// what to write until it is written. docs/new-rule.md tells the whole way.
//
//	go run ./internal/newrule CODE [--relation NAME] [--file FILE]
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/pflag"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "newrule:", err)
		os.Exit(2)
	}
}

func run(args []string, out io.Writer) error {
	fs := pflag.NewFlagSet("newrule", pflag.ContinueOnError)
	s := scaffold{}
	fs.StringVar(&s.relation, "relation", "", "`NAME` of the relation (default: the code with _ for -)")
	fs.StringVar(&s.file, "file", "pipeline", "rule `FILE` in rules that the declaration is added to, without .dl")
	fs.StringVar(&s.root, "root", ".", "`FOLDER` of the project")
	if err := fs.Parse(args); err != nil {
		if errors.Is(err, pflag.ErrHelp) {
			return nil
		}
		return err
	}
	if fs.NArg() != 1 {
		return errors.New("name one code in kebab-case, such as edge-skips-stage")
	}
	s.code = fs.Arg(0)
	changed, err := s.make()
	if err != nil {
		return err
	}
	for _, path := range changed {
		fmt.Fprintln(out, path)
	}
	fmt.Fprintf(out, "\nNow go test ./rules says what to write; docs/new-rule.md tells the whole way.\n")
	return nil
}
