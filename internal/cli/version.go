package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/pflag"
)

func versionVerb() verb {
	return verb{
		name:     "version",
		short:    "print the version and the formats it reads and writes",
		long:     "Prints the version of plancheck and the schemas of the documents that it reads\nand writes.",
		exits:    "0  done\n2  bad usage",
		examples: []string{"plancheck version"},
		prepare: func(*pflag.FlagSet) runner {
			return func(_ context.Context, env Env, args []string) (int, error) {
				if len(args) > 0 {
					return 0, errors.New("version: takes no arguments")
				}
				fmt.Fprintf(env.Stdout, "%-12s  %s\n", "plancheck", Version)
				for _, d := range documents() {
					if d.name == "" {
						continue
					}
					fmt.Fprintf(env.Stdout, "%-12s  %s\n", d.kind, d.name)
				}
				return exitOK, nil
			}
		},
	}
}
