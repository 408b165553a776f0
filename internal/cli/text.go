package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"plancheck/facts"
	"plancheck/internal/diag"
	"plancheck/internal/irtext"
)

func textVerb() verb {
	return verb{
		name:  "text",
		usage: "FILE",
		short: "convert a document to its text form, or back to JSON",
		long: `Writes a document of ModelIR, DistributedTaskIR, PortablePlanIR, ConcretePlanIR or
MachineIR in its text form, one statement an entity, and a text as JSON: a file
whose first character is { is JSON. Nothing is lost: the text of a document says
all of it, and back in JSON it has the same digest. FILE may be - for standard
input. Other verbs read a text wherever they read a document.`,
		exits: "0  done\n2  the file is neither such a document nor a text of one, or the command line\n   is bad",
		examples: []string{
			"plancheck text plan.json -o plan.ir",
			"plancheck example mlp | plancheck text -",
			"plancheck text plan.ir -o plan.json",
		},
		args: func() values { return values{files: []string{anyFile}} },
		prepare: func(fs *pflag.FlagSet) runner {
			path := addFileFlag(fs)
			return func(ctx context.Context, env Env, args []string) (int, error) {
				if len(args) != 1 {
					return 0, errors.New("text: name one file")
				}
				if *path != stdoutName {
					if err := checkPath("output", *path, args); err != nil {
						return 0, fmt.Errorf("text: %w", err)
					}
				}
				out, diags := convert(ctx, env, args[0])
				if diags != nil {
					return exitBad, complain(env, diags)
				}
				return exitOK, writeBytes(env, *path, out)
			}
		},
	}
}

// convert reads a document in one of its forms and writes it in the other.
func convert(ctx context.Context, env Env, name string) ([]byte, []diag.Diagnostic) {
	src, diags := readDocumentSource(ctx, env, name)
	if diags != nil {
		return nil, diags
	}
	if src.Origin() == nil && !bytes.HasPrefix(bytes.TrimLeft(src.Text()[src.Start:], " \t\r\n"), []byte("{")) && len(src.Text()) > 0 {
		return nil, []diag.Diagnostic{{
			Code: "text-syntax", Severity: diag.Error, Pos: diag.Position{File: name},
			Message: "this is neither JSON, which begins with {, nor a text, which begins with " + irtext.Words(),
		}}
	}
	doc, diags := facts.Decode(src)
	if doc == nil {
		return nil, diags
	}
	json := facts.Encode(doc)
	if src.Origin() != nil {
		return json, nil
	}
	if !slices.Contains(irtext.Schemas(), doc.Schema) {
		return nil, []diag.Diagnostic{{
			Code: "text-unknown", Severity: diag.Error, Pos: diag.Position{File: name},
			Message: fmt.Sprintf("documents of schema %s have no text form", doc.Schema),
		}}
	}
	out, err := irtext.Print(json)
	if err != nil {
		return nil, []diag.Diagnostic{{Code: "text-unknown", Severity: diag.Error, Pos: diag.Position{File: name}, Message: err.Error()}}
	}
	return out, nil
}

// refuseText says that the JSON of a document is to be changed where it is, and
// that it is a text: nil where it is not.
func refuseText(src *diag.Source) []diag.Diagnostic {
	if src == nil || src.Origin() == nil {
		return nil
	}
	return []diag.Diagnostic{{
		Code: "text-not-edited", Severity: diag.Error, Pos: diag.Position{File: src.Name},
		Message: "this is a plan in its text form, and only JSON is mended", Help: "convert it with plancheck text, and back again",
	}}
}
