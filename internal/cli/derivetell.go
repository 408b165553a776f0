package cli

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"plancheck/facts"
	"plancheck/internal/derive"
	"plancheck/internal/diag"
	"plancheck/internal/report"
	"plancheck/ir/evidence"
	"plancheck/ir/machine"
	"plancheck/ir/model"
	"plancheck/ir/portable"
	"plancheck/ir/task"
	"plancheck/rules"
)

// tell says what was written, and how each document is judged anew.
func (c *checkpointFolder) tell(w io.Writer, in *derive.Input, made []derive.Checkpoint) error {
	var out strings.Builder
	fmt.Fprintf(&out, "%s: %s in %s, each legal\n\n", report.FileName(in.Model.Source.Name), diag.Counted(len(made), "document"), report.FileName(c.path))
	t := &table{out: &out}
	t.title("Documents")
	t.row("document", "has", "facts", "rules", "digest")
	for _, x := range made {
		t.row(x.Level+".json", has(x.Document), report.Thousands(x.Verdict.Facts), report.Thousands(x.Verdict.Rules), shortDigest(x.Document.Digest()))
	}
	t.title("Judge them anew")
	for _, x := range made {
		if x.Beside == nil {
			t.row("plancheck check " + shellWord(c.file(x.Level)))
		}
		for _, beside := range x.Beside {
			t.row("plancheck check " + shellWord(c.file(x.Level)) + " --parent " + shellWord(c.file(beside)))
		}
	}
	t.flush()
	_, err := io.WriteString(w, out.String())
	return err
}

// shortDigest is what people tell digests apart by.
func shortDigest(digest string) string {
	_, hex, _ := strings.Cut(digest, ":")
	return hex[:min(12, len(hex))]
}

// shellWord is a file name as a shell reads it.
func shellWord(name string) string {
	if !strings.ContainsFunc(name, func(r rune) bool {
		return !strings.ContainsRune("/._-+,@%", r) && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}) {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", `'\''`) + "'"
}

// has says in a few words what a document holds.
func has(d *facts.Document) string {
	var parts []string
	count := func(n int, noun string) { parts = append(parts, several(n, noun)) }
	switch b := d.Body().(type) {
	case *model.Model:
		count(len(b.Ops), "op")
		count(len(b.Values), "value")
	case *task.Distributed:
		count(len(b.Tasks), "task")
		count(int(b.Strategy.TensorParallel), "rank")
	case *portable.Plan:
		count(len(b.Tasks), "task")
		count(len(b.Buffers), "buffer")
	case *evidence.Target:
		count(len(b.Engines), "engine")
		count(len(b.Kernels), "implementation")
	case *evidence.Deployment:
		count(len(b.Devices), "device")
	case *evidence.Evidence:
		count(len(b.Records), "record")
		count(len(b.Factors), "factor")
	case *evidence.Binding:
		count(len(b.Tasks), "bound task")
	case *machine.Program:
		n := 0
		for _, s := range b.Sections {
			n += len(s.Instructions)
		}
		count(n, "instruction")
		count(len(b.Sections), "section")
	default:
		p := d.Plan()
		if len(p.Stages) > 0 {
			count(len(p.Stages), "stage")
		}
		if p.Program != nil {
			count(len(p.Program.Commands), "command")
			if len(p.Program.Queues) > 0 {
				count(len(p.Program.Queues), "queue")
			}
			count(len(p.Program.Buffers), "buffer")
		}
	}
	return strings.Join(parts, ", ")
}

// tellNotDerived says why a derivation ended: about the input in reports, where it
// is at fault.
func tellNotDerived(env Env, in *derive.Input, made []derive.Checkpoint, err error) (int, error) {
	name := report.FileName(in.Model.Source.Name)
	var refused *derive.Refused
	var illegal *derive.Illegal
	switch {
	case errors.As(err, &refused):
		d := diag.Diagnostic{Code: refused.Code, Severity: diag.Error, Message: refused.Message, Pos: diag.Position{File: in.Model.Source.Name}}
		atEntity(&d, in.Model, refused.Entity)
		if refused.Code == "scalar-symbolic-unbound" {
			d.Help = "give the symbol its value by --bind"
		}
		if err := complain(env, []diag.Diagnostic{d}); err != nil {
			return 0, err
		}
	case errors.As(err, &illegal) && illegal.Gate:
		if err := complain(env, gateFindings(illegal, in, made)); err != nil {
			return 0, err
		}
	case errors.As(err, &illegal):
		set, diags := rules.LoadFor(illegal.Document.Schema, nil)
		if set == nil {
			return exitBad, complain(env, diags)
		}
		file := in.Model.Source.Name
		if illegal.Document.Source != nil {
			file = illegal.Document.Source.Name
		}
		if err := tellBroken(env, file, set, illegal.Verdict, false); err != nil {
			return 0, err
		}
	default: // a fault of ours
		return 0, fmt.Errorf("derive: %s: %w", name, err)
	}
	fmt.Fprintf(env.Stderr, "%s: not derived; nothing is written\n", name)
	return exitViolations, nil
}

// atEntity puts a diagnostic where an entity of a model is.
func atEntity(d *diag.Diagnostic, doc *facts.Document, entity string) {
	m := doc.Body().(*model.Model)
	at := -1
	if v, there := m.Value(entity); there {
		at = int(v.At)
	}
	if i := slices.IndexFunc(m.Ops, func(o model.Op) bool { return o.ID == entity }); i >= 0 {
		at = int(m.Ops[i].At)
	}
	if at >= 0 {
		d.Pos = doc.Source.Position(at)
		d.Snippet, d.SnippetSkip = doc.Source.Excerpt(at)
	}
}
