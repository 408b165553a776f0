package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/pflag"

	"plancheck/facts"
	"plancheck/internal/diag"
	"plancheck/internal/lineage"
	"plancheck/internal/report"
	"plancheck/ir"
	"plancheck/ir/levels"
)

// trailFlags are those of explain where it follows an entity.
type trailFlags struct {
	format string
	level  string
	all    bool
}

// The formats of trails.
const (
	trailText = "text"
	trailJSON = "json"
)

func (f *trailFlags) add(fs *pflag.FlagSet) {
	fs.StringVar(&f.format, "format", trailText, "write the trail as `FORMAT`: text or json")
	completeWords(fs, "format", trailText, trailJSON)
	fs.StringVar(&f.level, "level", "", "look for the entity at this `LEVEL` only: "+strings.Join(levelNames(), ", "))
	completeWords(fs, "level", levelNames()...)
	fs.BoolVar(&f.all, "all", false, "list each rank by itself in text")
}

// given names a flag of these that is not as it is by default.
func (f *trailFlags) given() string {
	switch {
	case f.format != trailText:
		return "format"
	case f.level != "":
		return "level"
	case f.all:
		return "all"
	}
	return ""
}

func levelNames() []string {
	var names []string
	for _, l := range lineage.Levels() {
		names = append(names, l.Name)
	}
	return names
}

// run follows the entity that a word names through documents.
func (f *trailFlags) run(ctx context.Context, env Env, word string, names []string) (int, error) {
	if err := oneOf("format", f.format, trailText, trailJSON); err != nil {
		return 0, fmt.Errorf("explain: %w", err)
	}
	if f.level != "" {
		if err := oneOf("level", f.level, levelNames()...); err != nil {
			return 0, fmt.Errorf("explain: %w", err)
		}
	}
	if err := onlyOneStdin(names); err != nil {
		return 0, fmt.Errorf("explain: %w", err)
	}
	documents, diags := readTrail(ctx, env, names)
	if len(diags) > 0 {
		return exitBad, complain(env, diags)
	}
	if len(documents) == 0 {
		return 0, errors.New("explain: no document of a known schema is there")
	}
	index, diags := lineage.Open(documents)
	if index == nil {
		return exitBad, complain(env, diags)
	}
	for _, name := range index.Left() {
		fmt.Fprintf(env.Stderr, "note: %s: left out, as it has the content of a document before\n", report.FileName(name))
	}
	asked, err := index.Find(word, f.level)
	var several *lineage.Ambiguous
	if errors.As(err, &several) { // a list of lines, which a one-line error has no room for
		fmt.Fprintln(env.Stderr, "plancheck: explain: "+report.Printable(err.Error()))
		return exitBad, nil
	}
	if err != nil {
		return 0, fmt.Errorf("explain: %w", err)
	}
	trail := index.Trail(asked)
	if f.format == trailJSON {
		_, err = env.Stdout.Write(trail.JSON(word))
		return exitOK, err
	}
	_, err = io.WriteString(env.Stdout, trail.Text(f.all))
	return exitOK, err
}

// readTrail reads documents. A folder stands for those in it and below that
// declare a schema which is known.
func readTrail(ctx context.Context, env Env, names []string) (all []*facts.Document, diags []diag.Diagnostic) {
	for _, g := range collect(names, false) {
		diags = append(diags, g.errors...)
		for _, name := range g.names {
			if ctx.Err() != nil {
				return nil, nil // the verb ends as interrupted
			}
			src, wrong := readDocumentSource(ctx, env, name)
			diags = append(diags, wrong...)
			if wrong != nil {
				continue
			}
			if _, known := levels.Declared(src); g.folder != "" && !known && ir.DeclaredSchema(src) != ir.PlanSchema {
				continue
			}
			d, wrong := decodeDocument(env, src)
			diags = append(diags, wrong...)
			if d != nil {
				all = append(all, d)
			}
		}
	}
	return all, diags
}
