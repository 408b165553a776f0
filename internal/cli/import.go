package cli

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"plancheck/internal/diag"
	"plancheck/internal/importer"
	"plancheck/internal/pipeline"
	"plancheck/internal/report"
	"plancheck/ir"
)

func importVerb() verb {
	var long strings.Builder
	long.WriteString("Reads the files of another tool as a plan and writes the plan. What a plan\ncannot hold is left out, with a note on standard error.\n\nFormats:")
	for _, f := range importer.Formats() {
		fmt.Fprintf(&long, "\n    %s %s\n%s", f.Name, f.Files, wrapped(f.Doc+"; "+f.Origin, "        ", 80))
	}
	return verb{
		name:  "import",
		usage: "FORMAT FILE...",
		short: "write a foreign file as a plan: " + strings.Join(importFormats(), ", "),
		long:  long.String(),
		exits: "0  done\n2  a file or the command line is bad",
		examples: []string{
			"plancheck import dnn-partitioning --sources inputs bert.json split.txt > plan.json",
			"plancheck import pytorch-pipeline schedule.csv | plancheck -",
		},
		args: func() values { return values{words: importFormats(), files: []string{anyFile}} },
		prepare: func(fs *pflag.FlagSet) runner {
			var opts importer.Options
			fs.Var(importOption{&opts, "scale"}, "scale", "what the work of all nodes adds up to, as `total=N`")
			fs.Var(importOption{&opts, "sources"}, "sources", "what nodes that read no other node become: `KIND` is ops or inputs")
			fs.Var(importOption{&opts, "edge-size"}, "edge-size", "what sizes of edges are taken from: `FIELD` is cost or bytes")
			for _, f := range scheduleFlags() {
				fs.Var(importOption{&opts, f.name}, f.name, f.doc)
			}
			path := addFileFlag(fs)
			return func(ctx context.Context, env Env, args []string) (int, error) {
				return runImport(ctx, env, args, opts, *path)
			}
		},
	}
}

func runImport(ctx context.Context, env Env, args []string, opts importer.Options, path string) (int, error) {
	if len(args) == 0 {
		return 0, fmt.Errorf("import: name a format: %s", strings.Join(importFormats(), ", "))
	}
	format, names := args[0], args[1:]
	if err := onlyOneStdin(names); err != nil {
		return 0, fmt.Errorf("import: %w", err)
	}
	var files []*diag.Source
	var bad []diag.Diagnostic
	for _, name := range names {
		src, diags := readSource(ctx, env, name)
		bad = append(bad, diags...)
		files = append(files, src)
	}
	if bad != nil {
		return exitBad, complain(env, bad)
	}
	plan, diags := importer.Import(format, files, opts)
	if err := complain(env, diags); err != nil {
		return 0, err
	}
	if plan == nil {
		return exitBad, nil
	}
	return exitOK, writeBytes(env, path, ir.Encode(plan))
}

func importFormats() []string {
	var names []string
	for _, f := range importer.Formats() {
		names = append(names, f.Name)
	}
	return names
}

// complain writes diagnostics for people to standard error.
func complain(env Env, ds []diag.Diagnostic) error {
	opts := report.Options{Color: env.colorFor("auto", env.Stderr), All: true}
	return report.WriteDiagnostics(env.Stderr, ds, opts)
}

// importOption is a flag that sets an importer option.
type importOption struct {
	opts *importer.Options
	name string
}

func (o importOption) Set(value string) error { return o.opts.Set(o.name, value) }
func (o importOption) Type() string           { return "string" }

// String is the default, which pflag shows.
func (o importOption) String() string {
	switch o.name {
	case "scale":
		return fmt.Sprintf("total=%d", importer.DefaultTotal)
	case "sources":
		return "ops"
	case "edge-size":
		return "cost"
	case "activation-bytes", "message-bytes":
		return strconv.Itoa(pipeline.DefaultBytes)
	}
	return ""
}
