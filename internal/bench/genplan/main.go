// Command genplan writes a generated plan.
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
	to := pflag.String("to", "/dev/stdout", "file to write")
	pflag.Parse()
	p := bench.Plan(*ops)
	if *broken {
		bench.Break(p)
	}
	if err := os.WriteFile(*to, ir.Encode(p), 0o644); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
