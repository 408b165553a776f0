// Command genprogram writes a generated plan with a program, and says how many
// commands it has.
package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/pflag"

	"plancheck/internal/bench"
	"plancheck/ir"
)

func main() {
	commands := pflag.Int("commands", 1000, "about how many commands")
	kind := pflag.String("kind", "tokens", "one of "+strings.Join(bench.Programs(), ", "))
	to := pflag.String("to", "program.json", "file to write")
	pflag.Parse()
	if err := write(*kind, *commands, *to); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func write(kind string, commands int, to string) error {
	p, err := bench.Program(kind, commands)
	if err != nil {
		return err
	}
	if err := os.WriteFile(to, ir.Encode(p), 0o644); err != nil {
		return err
	}
	fmt.Println(len(p.Program.Commands))
	return nil
}
