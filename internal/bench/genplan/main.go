// Command genplan writes a generated plan to standard output.
package main

import (
	"fmt"
	"os"

	"github.com/spf13/pflag"

	"plancheck/internal/bench"
	"plancheck/ir"
)

func main() {
	ops := pflag.Int("ops", 1000, "number of ops")
	broken := pflag.Bool("broken", false, "with one edge that skips stages")
	pflag.Parse()
	p := bench.Plan(*ops)
	if *broken {
		bench.Break(p)
	}
	if _, err := os.Stdout.Write(ir.Encode(p)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
