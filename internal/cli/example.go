package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"plancheck/internal/example"
	"plancheck/internal/pipeline"
	"plancheck/ir"
	"plancheck/ir/levels"
)

func exampleVerb() verb {
	var long strings.Builder
	fmt.Fprintf(&long, `Writes the plan of a network that is built in from its published architecture:
%s. The plan is complete and legal unless a flag says otherwise.

Or writes the program of a pipeline schedule, a queue for each rank:`, strings.Join(example.Names(), ", "))
	for _, g := range pipeline.Generators() {
		fmt.Fprintf(&long, "\n    %s\n%s", g.Name, wrapped(g.Doc, "        ", 80))
	}
	long.WriteString("\n\nOr writes a profile of a target or a deployment, or evidence of one:")
	for _, name := range example.DocumentNames() {
		fmt.Fprintf(&long, "\n    %s\n%s", name, wrapped(example.DocumentDoc(name), "        ", 80))
	}
	return verb{
		name:  "example",
		usage: "NAME [--holes | --faulty] [--ranks N --microbatches N]",
		short: "write a built-in plan or profile: " + strings.Join(planNames(), ", "),
		long:  long.String(),
		exits: "0  done\n2  no such network, schedule or profile, or bad usage",
		examples: []string{
			"plancheck example resnet50 --faulty | plancheck -",
			"plancheck example 1f1b --ranks 4 --microbatches 8 --depth 0 | plancheck -",
		},
		args: func() values { return values{words: exampleNames()} },
		prepare: func(fs *pflag.FlagSet) runner {
			var e exampleFlags
			fs.BoolVar(&e.holes, "holes", false, "leave open what a scheduler decides")
			fs.BoolVar(&e.faulty, "faulty", false, "build in faults that the rules find")
			fs.IntVar(&e.size.Ranks, "ranks", 4, "of a schedule: `N` ranks")
			fs.IntVar(&e.size.Microbatches, "microbatches", 8, "of a schedule: `N` microbatches")
			fs.IntVar(&e.size.Chunks, "chunks", 0, "of an interleaved schedule: `N` stages on each rank, by default 2")
			e.options = pipeline.DefaultOptions()
			to := map[string]*int64{
				"activation-bytes": &e.options.ActivationBytes, "message-bytes": &e.options.MessageBytes,
				"capacity-bytes": &e.options.CapacityBytes, "depth": &e.options.Depth,
			}
			for _, f := range scheduleFlags() {
				fs.Var(optionalNumber{to[f.name]}, f.name, f.doc)
			}
			path := addFileFlag(fs)
			return func(ctx context.Context, env Env, args []string) (int, error) {
				if len(args) != 1 {
					return 0, fmt.Errorf("example: name one network, schedule or profile: %s", strings.Join(exampleNames(), ", "))
				}
				data, err := e.write(fs, args[0])
				if err != nil {
					return 0, fmt.Errorf("example: %w", err)
				}
				return exitOK, writeBytes(env, *path, data)
			}
		},
	}
}

func exampleNames() []string { return append(planNames(), example.DocumentNames()...) }

func planNames() []string {
	names := example.Names()
	for _, g := range pipeline.Generators() {
		names = append(names, g.Name)
	}
	return names
}

type exampleFlags struct {
	holes, faulty bool
	size          pipeline.Size
	options       pipeline.Options
}

// write is the text of an example.
func (e *exampleFlags) write(fs *pflag.FlagSet, name string) ([]byte, error) {
	if !slices.Contains(example.DocumentNames(), name) {
		plan, err := e.build(fs, name)
		if err != nil {
			return nil, err
		}
		return ir.Encode(plan), nil
	}
	var err error
	fs.Visit(func(f *pflag.Flag) {
		if f.Name != "output" {
			err = fmt.Errorf("%s is a profile: --%s is for plans", name, f.Name)
		}
	})
	if err != nil {
		return nil, err
	}
	body, err := example.Document(name)
	if err != nil {
		return nil, err
	}
	return levels.Encode(body), nil
}

func (e *exampleFlags) build(fs *pflag.FlagSet, name string) (*ir.Plan, error) {
	generators := pipeline.Generators()
	i := slices.IndexFunc(generators, func(g pipeline.Generator) bool { return g.Name == name })
	if err := onlyFor(fs, name, i >= 0); err != nil {
		return nil, err
	}
	if i >= 0 {
		return e.schedule(generators[i])
	}
	variant := example.Complete
	switch {
	case e.holes && e.faulty:
		return nil, errors.New("--holes and --faulty exclude each other")
	case e.holes:
		variant = example.Holes
	case e.faulty:
		variant = example.Faulty
	}
	if !slices.Contains(example.Names(), name) {
		return nil, fmt.Errorf("no built-in network, schedule or profile %q; there are %s%s", name, strings.Join(exampleNames(), ", "), didYouMean(name, exampleNames()))
	}
	return example.Build(name, variant)
}

func (e *exampleFlags) schedule(g pipeline.Generator) (*ir.Plan, error) {
	size := e.size
	if size.Chunks == 0 {
		size.Chunks = 1
		if g.Interleaves {
			size.Chunks = 2
		}
	}
	s, err := g.Make(size)
	if err != nil {
		return nil, err
	}
	name := fmt.Sprintf("%s, %d ranks, %d microbatches", g.Name, size.Ranks, size.Microbatches)
	if g.Interleaves {
		name += fmt.Sprintf(", %d stages a rank", size.Chunks)
	}
	return s.Plan(name, e.options)
}

// onlyFor refuses the flags of networks for schedules, and the other way round.
func onlyFor(fs *pflag.FlagSet, name string, schedule bool) error {
	var err error
	ofNetworks := []string{"holes", "faulty"}
	ofSchedules := []string{"ranks", "microbatches", "chunks"}
	for _, f := range scheduleFlags() {
		ofSchedules = append(ofSchedules, f.name)
	}
	fs.Visit(func(f *pflag.Flag) {
		switch {
		case schedule && slices.Contains(ofNetworks, f.Name):
			err = fmt.Errorf("%s is a schedule: --%s is for networks", name, f.Name)
		case !schedule && slices.Contains(ofSchedules, f.Name) && slices.Contains(example.Names(), name):
			err = fmt.Errorf("%s is a network: --%s is for schedules", name, f.Name)
		}
	})
	return err
}
