package cli

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"plancheck/internal/report"
	"plancheck/ir"
)

func versionVerb() verb {
	return verb{
		name:     "version",
		short:    "print the version and the formats it reads and writes",
		long:     "Prints the version of plancheck, the schema of the plans that it reads and the\nschema of its json reports.",
		exits:    "0  done\n2  bad usage",
		examples: []string{"plancheck version"},
		prepare: func(*pflag.FlagSet) runner {
			return func(_ context.Context, env Env, args []string) (int, error) {
				if len(args) > 0 {
					return 0, errors.New("version: takes no arguments")
				}
				fmt.Fprintf(env.Stdout, "plancheck %s\nplans    %s\nreports  %s\n", Version, ir.PlanSchema, report.JSONSchema)
				return exitOK, nil
			}
		},
	}
}
