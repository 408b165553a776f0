package importer

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"plancheck/internal/diag"
	"plancheck/internal/pipeline"
	"plancheck/ir"
)

// pytorchFile is a schedule file: a row for each rank, with an action in each
// cell, or nothing for an idle step.
type pytorchFile struct {
	src *diag.Source
	// schedule has the actions, cells the place in the file of each of them.
	schedule pipeline.Schedule
	cells    [][]pytorchCell
	text     map[pipeline.Action]string // as the file writes it

	// What B means depends on the other actions of the file: without I it is the
	// backward of the input if there are W, and the whole backward otherwise.
	inputs, weights bool
	plain           int // number of B
	sharding        int // actions that gather and scatter weights

	bad []diag.Diagnostic
}

type pytorchCell struct {
	at    int // byte offset
	text  string
	parts []string // stage, kind, microbatch
}

var pytorchAction = regexp.MustCompile(`^([0-9]+)([A-Z_]+)([0-9]*)$`)

// maxPipeline bounds the numbers of stages and microbatches.
const maxPipeline = 1 << 20

const pytorchHelp = "an action is a stage, F, B, W, BW, I, SEND_F, RECV_F, SEND_B or RECV_B, and a microbatch: 2F3"

// readPyTorch reads a schedule file of PyTorch's pipelining as the program that
// carries it out. What is wrong with the order of actions is for the rules to
// find; a warning tells about it.
func readPyTorch(files []*diag.Source, o Options) (*ir.Plan, []diag.Diagnostic) {
	f := &pytorchFile{src: files[0], text: map[pipeline.Action]string{}}
	f.split()
	for _, row := range f.cells {
		actions := []pipeline.Action{}
		for _, c := range row {
			if a, ok := f.action(c); ok {
				actions = append(actions, a)
				if _, again := f.text[a]; !again {
					f.text[a] = c.text
				}
			}
		}
		f.schedule.Ranks = append(f.schedule.Ranks, actions)
	}
	if len(f.bad) == 0 {
		f.check()
	}
	if len(f.bad) > 0 {
		return nil, f.bad
	}
	options := o.schedule()
	options.Name = f.name
	plan, err := f.schedule.Plan(planName(f.src), options)
	if err != nil {
		f.report(0, "import-usage", err.Error(), "")
		return nil, f.bad
	}
	return plan, f.notes()
}

// split finds the cells that are not empty. Rows without cells at the end of the
// file are no ranks.
func (f *pytorchFile) split() {
	at := 0
	for _, line := range strings.SplitAfter(string(f.src.Text()), "\n") {
		row, column := []pytorchCell{}, at
		for _, cell := range strings.Split(strings.TrimRight(line, "\r\n"), ",") {
			if text := strings.TrimSpace(cell); text != "" {
				f.cell(&row, column+strings.Index(cell, text), text)
			}
			column += len(cell) + 1
		}
		f.cells = append(f.cells, row)
		at += len(line)
	}
	for n := len(f.cells); n > 0 && len(f.cells[n-1]) == 0; n-- {
		f.cells = f.cells[:n-1]
	}
	if len(f.cells) == 0 && len(f.bad) == 0 && f.sharding == 0 {
		f.report(0, "schedule-empty", "the file has no actions", pytorchHelp)
	}
}

func (f *pytorchFile) cell(row *[]pytorchCell, at int, text string) {
	parts := pytorchAction.FindStringSubmatch(text)
	if parts == nil {
		f.report(at, "unknown-type-tag", fmt.Sprintf("%s is not an action", strconv.Quote(text)), pytorchHelp)
		return
	}
	switch parts[2] {
	case "UNSHARD", "RESHARD", "REDUCE_GRAD":
		f.sharding++
		return
	case "I":
		f.inputs = true
	case "W":
		f.weights = true
	case "B":
		f.plain++
	}
	*row = append(*row, pytorchCell{at, text, parts[1:]})
}

// action reads a cell.
func (f *pytorchFile) action(c pytorchCell) (a pipeline.Action, ok bool) {
	switch c.parts[1] {
	case "F":
		a.Kind = pipeline.Forward
	case "B":
		a.Kind = f.plainBackward()
	case "BW":
		a.Kind = pipeline.Backward
	case "I":
		a.Kind = pipeline.BackwardInput
	case "W":
		a.Kind = pipeline.BackwardWeights
	case "SEND_F":
		a.Kind = pipeline.SendForward
	case "RECV_F":
		a.Kind = pipeline.RecvForward
	case "SEND_B":
		a.Kind = pipeline.SendBackward
	case "RECV_B":
		a.Kind = pipeline.RecvBackward
	default:
		f.report(c.at, "unknown-type-tag", fmt.Sprintf("%s is not an action that is known", c.text), pytorchHelp)
		return a, false
	}
	for _, number := range []struct {
		noun, text string
		to         *int64
	}{{"stage", c.parts[0], &a.Stage}, {"microbatch", c.parts[2], &a.Microbatch}} {
		if number.text == "" {
			f.report(c.at, "missing-field", fmt.Sprintf("%s has no %s", c.text, number.noun), pytorchHelp)
			return a, false
		}
		n, err := strconv.ParseInt(number.text, 10, 64)
		if err != nil || n >= maxPipeline {
			f.report(c.at, "integer-out-of-range", fmt.Sprintf("the %s of %s must be below %d", number.noun, c.text, maxPipeline), "")
			return a, false
		}
		*number.to = n
	}
	return a, true
}

func (f *pytorchFile) plainBackward() pipeline.Kind {
	if f.weights && !f.inputs {
		return pipeline.BackwardInput
	}
	return pipeline.Backward
}

// name writes an action as the file does, or would do.
func (f *pytorchFile) name(a pipeline.Action) string {
	if text, ok := f.text[a]; ok {
		return text
	}
	if f.inputs && a.Kind == pipeline.BackwardInput {
		return fmt.Sprintf("%dI%d", a.Stage, a.Microbatch)
	}
	return a.String()
}

func (f *pytorchFile) report(at int, code, message, help string) {
	f.bad = append(f.bad, f.said(at, code, diag.Error, message, help))
}

// said is a diagnostic about a place of the file.
func (f *pytorchFile) said(at int, code string, severity diag.Severity, message, help string) diag.Diagnostic {
	d := diag.Diagnostic{Code: code, Severity: severity, Message: message, Help: help, Pos: f.src.Position(at)}
	d.Snippet, d.SnippetSkip = f.src.Excerpt(at)
	return d
}
