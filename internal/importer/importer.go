package importer

import (
	"fmt"
	"path"
	"strings"

	"plancheck/internal/diag"
	"plancheck/ir"
)

// Format is a foreign format.
type Format struct {
	Name string
	// Files says which files belong together, in order: "GRAPH [SPLIT]".
	Files string
	Doc   string
	// Origin is the project whose files these are, with its licence.
	Origin string

	least, most int // number of files
	// options are those that change anything.
	options kinds
	read    func(files []*diag.Source, o Options) (*ir.Plan, []diag.Diagnostic)
}

// Formats lists the formats that Import reads.
func Formats() []Format {
	return []Format{
		{
			Name: "dnn-partitioning", Files: "GRAPH [SPLIT]",
			Doc: "a graph of nodes with latencies, and a split of it over accelerators, which become stages of one core; " +
				"without a split a plan with holes, one stage an accelerator",
			Origin: "github.com/msr-fiddle/dnn-partitioning (MIT)",
			least:  1, most: 2, options: graphOptions, read: readDNNPartitioning,
		},
		{
			Name: "pimcomp", Files: "NETWORK CONFIG",
			Doc: "a network and a chip of crossbar cores; the crossbars of convolutions and dense layers are mapped first-fit, " +
				"all in one stage",
			Origin: "github.com/sunxt99/PIMCOMP-NN (Apache-2.0)",
			least:  2, most: 2, read: readPIMCOMP,
		},
		{
			Name: "pytorch-pipeline", Files: "SCHEDULE",
			Doc: "the order in which each rank works on the microbatches of its pipeline stages, with or without transfers; " +
				"it becomes a program with a queue for each rank",
			Origin: "github.com/pytorch/pytorch (BSD-3-Clause)",
			least:  1, most: 1, options: scheduleOptions, read: readPyTorch,
		},
	}
}

// Import reads files of a format as a plan. Where an error is among the
// diagnostics there is no plan; notes and warnings say what the plan does not
// hold. The same files and options give the same plan.
func Import(format string, files []*diag.Source, o Options) (*ir.Plan, []diag.Diagnostic) {
	var names []string
	for _, f := range Formats() {
		names = append(names, f.Name)
		if f.Name != format {
			continue
		}
		if err := f.accepts(files, o); err != nil {
			return nil, []diag.Diagnostic{{Code: "import-usage", Severity: diag.Error, Message: err.Error()}}
		}
		p, ds := f.read(files, o)
		diag.Sort(ds)
		return p, ds
	}
	return nil, []diag.Diagnostic{{
		Code: "import-usage", Severity: diag.Error,
		Message: fmt.Sprintf("no format %q", format), Help: "the formats are " + strings.Join(names, ", "),
	}}
}

func (f Format) accepts(files []*diag.Source, o Options) error {
	if len(files) < f.least || len(files) > f.most {
		return fmt.Errorf("%s reads the files %s, not %s", f.Name, f.Files, diag.Counted(len(files), "file"))
	}
	if f.options == 0 && o != (Options{}) {
		return fmt.Errorf("%s has no options", f.Name)
	}
	if strange := o.given() &^ f.options; strange == graphOptions {
		return fmt.Errorf("%s has no latencies: scale, sources and edge-size are not for it", f.Name)
	} else if strange != 0 {
		return fmt.Errorf("%s is no schedule: activation-bytes, message-bytes, capacity-bytes and depth are not for it", f.Name)
	}
	return o.check()
}

// planName is the name of a file without folder and ending.
func planName(src *diag.Source) string {
	base := path.Base(strings.ReplaceAll(src.Name, `\`, "/"))
	return strings.TrimSuffix(base, path.Ext(base))
}

// note is a remark about a file as a whole.
func note(src *diag.Source, code, format string, args ...any) diag.Diagnostic {
	return diag.Diagnostic{
		Code: code, Severity: diag.Note, Message: fmt.Sprintf(format, args...),
		Pos: diag.Position{File: src.Name},
	}
}
