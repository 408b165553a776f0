package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"plancheck/internal/example"
	"plancheck/ir"
)

func exampleVerb() verb {
	return verb{
		name:  "example",
		usage: "NAME [--holes | --faulty]",
		short: "write the plan of a built-in network: " + strings.Join(example.Names(), ", "),
		long: `Writes the plan of a network that is built in from its published architecture:
` + strings.Join(example.Names(), ", ") + `. The plan is complete and legal unless a flag says otherwise.`,
		exits:    "0  done\n2  no such network, or bad usage",
		examples: []string{"plancheck example resnet50 --faulty | plancheck -"},
		args:     func() values { return values{words: example.Names()} },
		prepare: func(fs *pflag.FlagSet) runner {
			holes := fs.Bool("holes", false, "leave open what a scheduler decides")
			faulty := fs.Bool("faulty", false, "build in faults that the rules find")
			path := addFileFlag(fs)
			return func(ctx context.Context, env Env, args []string) (int, error) {
				if len(args) != 1 {
					return 0, fmt.Errorf("example: name one network: %s", strings.Join(example.Names(), ", "))
				}
				variant := example.Complete
				switch {
				case *holes && *faulty:
					return 0, errors.New("example: --holes and --faulty exclude each other")
				case *holes:
					variant = example.Holes
				case *faulty:
					variant = example.Faulty
				}
				plan, err := example.Build(args[0], variant)
				if err != nil {
					return 0, fmt.Errorf("example: %w%s", err, didYouMean(args[0], example.Names()))
				}
				return exitOK, writeBytes(env, *path, ir.Encode(plan))
			}
		},
	}
}
