package cli

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"plancheck/facts"
	"plancheck/internal/diag"
	"plancheck/internal/report"
	"plancheck/ir"
	"plancheck/rules"
)

func explainVerb() verb {
	return verb{
		name:  "explain",
		usage: "CODE | ENTITY DOC...",
		short: "say what a code means, or follow an entity through all levels",
		long: `Of a code, prints what must be true, as the rule file says it: the message, the
help, the rules, and for built-in rules a small document that breaks them with what
plancheck says about it. "plancheck rules" lists these codes. Those of documents
that cannot be judged, such as unknown-field, are told too.

Of an entity, prints what it was made from and what was made of it, from the op of
the model to the interval in the timeline, in the documents that are named; a
folder stands for those in it and below. The entity is named by its id, its display
name, or at least four digits that only its id begins with.`,
		exits: `0  done
2  no such code or entity, or several; or a document, a rule file or the command
   line is bad, or documents were not made from each other`,
		examples: []string{
			"plancheck explain edge-skips-stage",
			"plancheck explain y build",
			"plancheck explain --level timeline command:3fa4b1 model.json tasks.json portable.json plan.json timeline.json",
		},
		args: func() values { return values{words: codes(), files: []string{"json"}} },
		prepare: func(fs *pflag.FlagSet) runner {
			var files []string
			var trail trailFlags
			addRulesFlag(fs, &files)
			trail.add(fs)
			return func(ctx context.Context, env Env, args []string) (int, error) {
				if len(args) > 1 {
					if files != nil {
						return 0, errors.New("explain: --rules is for codes; an entity in documents is explained without rules")
					}
					return trail.run(ctx, env, args[0], args[1:])
				}
				if flag := trail.given(); flag != "" {
					return 0, fmt.Errorf("explain: --%s is for an entity, which is followed by the documents that it is in", flag)
				}
				if len(args) != 1 {
					return 0, errors.New(`explain: name one code; "plancheck rules" lists them`)
				}
				names := files
				if names == nil {
					names = rules.Everything()
				}
				set, err := loadRules(env, names)
				if set == nil {
					return exitBad, err
				}
				return explain(ctx, env, set, files, args[0])
			}
		},
	}
}

// loadRules loads rule files for a verb that only needs the rules. What is
// wrong with them is written to standard error; then the set is nil.
func loadRules(env Env, files []string) (*rules.Set, error) {
	set, diags := rules.Load(files)
	if err := complain(env, diags); err != nil {
		return nil, err
	}
	return set, nil
}

func explain(ctx context.Context, env Env, set *rules.Set, files []string, code string) (int, error) {
	broken := set.Explain(code)
	if d, known := documentCode(code); broken == nil && known {
		_, err := fmt.Fprintf(env.Stdout, "%s, error of a document\n\n%s\n\nA document with such an error is not judged, and the exit code is 2.\n",
			d.Code, wrapped(d.Meaning, "    ", 80))
		return exitOK, err
	}
	if broken == nil {
		var codes []string
		for _, d := range DocumentCodes() {
			codes = append(codes, d.Code)
		}
		for _, inv := range set.Invariants() {
			codes = append(codes, inv.Code)
		}
		return 0, fmt.Errorf("explain: no rule has code %q%s", code, nearCode(code, codes, files))
	}
	var text strings.Builder
	out := bufio.NewWriter(&text)
	for i, inv := range broken {
		if i > 0 {
			fmt.Fprintln(out)
		}
		writeExplanation(out, inv)
		if err := writeExample(ctx, out, set, inv); err != nil {
			return 0, fmt.Errorf("explain: %w", err)
		}
	}
	if err := out.Flush(); err != nil {
		return 0, err
	}
	_, err := io.WriteString(env.Stdout, report.Printable(text.String()))
	return exitOK, err
}

// nearCode is the end of a message about an unknown code: the codes that may be
// meant, or where else it may come from.
func nearCode(code string, codes, files []string) string {
	if near := didYouMean(code, codes); near != "" {
		return near
	}
	var have []string // codes with the word in them
	for _, c := range codes {
		if len(code) > 2 && strings.Contains(c, code) && !slices.Contains(have, c) {
			have = append(have, c)
		}
	}
	switch {
	case have != nil:
		return "; there are " + strings.Join(have, ", ")
	case files == nil:
		return "; if a rule file of your own has it, name the file with --rules"
	}
	return `; "plancheck rules" lists the codes`
}

func writeExplanation(out *bufio.Writer, inv rules.Invariant) {
	fmt.Fprintf(out, "%s, %s\n\n%s\n\n", inv.Code, inv.Severity, wrapped(inv.Doc, "    ", 80))
	fmt.Fprintf(out, "says:  %s\n", inv.Message)
	if inv.Help != "" {
		fmt.Fprintf(out, "help:  %s\n", inv.Help)
	}
	if inv.Hole {
		fmt.Fprintf(out, "hole:  reports what is not decided yet; --partial leaves it out\n")
	}
	fmt.Fprintf(out, "rules: %s:%d\n\n", inv.Pos.File, inv.Pos.Line)
	for _, c := range inv.Clauses {
		first, rest, cut := strings.Cut(wrapped(c, "      ", 100), "\n") // what follows hangs
		fmt.Fprintln(out, strings.TrimPrefix(first, "  "))
		if cut {
			fmt.Fprintln(out, rest)
		}
	}
}

// writeExample shows the document that breaks a built-in invariant and what is
// said about it. The rules of a user have none.
func writeExample(ctx context.Context, out *bufio.Writer, set *rules.Set, inv rules.Invariant) error {
	bad, said, err := ExampleOf(ctx, set, inv)
	if err != nil || bad == "" {
		return err
	}
	if parent := rules.Examples(inv.Relation).Parent; parent != nil {
		fmt.Fprintf(out, "\nA parent %s, %s:\n\n%s\n", Noun(parent), parentName(inv), indented(strings.TrimRight(string(parent), "\n")))
	}
	fmt.Fprintf(out, "\nA %s that breaks it, %s.json:\n\n%s\n\nWhat plancheck says about it:\n\n",
		Noun([]byte(bad)), inv.Relation, indented(bad))
	for line := range strings.Lines(said + "\n") {
		fmt.Fprint(out, strings.TrimRight("    "+strings.TrimSuffix(line, "\n"), " ")+"\n")
	}
	return nil
}

func parentName(inv rules.Invariant) string { return inv.Relation + ".parent.json" }

// Noun is what a document is called beside its rule: plan, or document for one of
// another level.
func Noun(text []byte) string {
	if ir.DeclaresPlan(diag.NewSource("", text)) {
		return "plan"
	}
	return "document"
}

// ExampleOf returns the document that breaks a built-in invariant and what the text
// report says about it, beside its parent where it has one; both are empty for
// rules that have no such document.
func ExampleOf(ctx context.Context, set *rules.Set, inv rules.Invariant) (bad, said string, err error) {
	example := rules.Examples(inv.Relation)
	data := example.Bad
	if data == nil || !strings.HasPrefix(inv.Pos.File, rules.Builtin+":") {
		return "", "", nil
	}
	src := diag.NewSource(inv.Relation+".json", data)
	document, diags := facts.Decode(src)
	if document == nil {
		return "", "", fmt.Errorf("the built-in example of %s: %s", inv.Relation, diags[0].Message)
	}
	var options rules.Options
	if example.Parent != nil {
		options.Parent, diags = facts.Decode(diag.NewSource(parentName(inv), example.Parent))
		if options.Parent == nil {
			return "", "", fmt.Errorf("the parent of the built-in example of %s: %s", inv.Relation, diags[0].Message)
		}
	}
	switch {
	case document.Body() != nil:
		set, diags = rules.LoadFor(document.Schema, nil)
	case example.Parent != nil: // of the rules that compare, those of this transition only
		set, diags = rules.Load([]string{rules.Builtin, inv.Pos.File})
	}
	if set == nil {
		return "", "", fmt.Errorf("%s: %s", inv.Pos.File, diags[0].Message)
	}
	verdict, err := set.JudgeDocument(ctx, document, options)
	if err != nil {
		return "", "", fmt.Errorf("judging the built-in example of %s: %w", inv.Relation, err)
	}
	run := &report.Run{Documents: []report.Document{{Name: src.Name, Verdict: verdict}}}
	var text strings.Builder
	if err := report.Formats()[0].Write(&text, run, report.Options{Quiet: true}); err != nil {
		return "", "", err
	}
	return strings.TrimRight(string(data), "\n"), strings.TrimRight(text.String(), "\n"), nil
}
