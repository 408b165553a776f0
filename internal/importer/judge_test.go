package importer

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/diag"
	"plancheck/ir"
	"plancheck/rules"
)

// judged writes a plan down, reads it again and returns how many findings of
// each code the built-in rules have, like a user who checks what was imported.
func judged(t *testing.T, p *ir.Plan, o rules.Options) map[string]int {
	t.Helper()
	set, ds := rules.Load([]string{"builtin"})
	if len(ds) > 0 {
		t.Fatal(said(ds))
	}
	read, ds := ir.DecodePlan(diag.NewSource("plan.json", ir.Encode(p)))
	if read == nil {
		t.Fatal(said(ds))
	}
	v, err := set.Judge(context.Background(), read, o)
	if err != nil {
		t.Fatal(err)
	}
	codes := map[string]int{}
	for _, f := range v.Findings {
		codes[f.Code]++
	}
	return codes
}

func TestJudgeImports(t *testing.T) {
	for _, test := range []struct {
		format  string
		files   []string
		options Options
		judge   rules.Options
		want    map[string]int
	}{
		// join reads the image two stages on; grad is left out of the split.
		{"dnn-partitioning", []string{"tower.json", "tower.split.json"}, Options{}, rules.Options{},
			map[string]int{"edge-skips-stage": 1, "instance-without-core-or-stage": 1}},
		{"dnn-partitioning", []string{"tower.json", "tower.split.json"}, Options{Sources: SourcesAsInputs}, rules.Options{Partial: true},
			map[string]int{"input-consumer-not-stage-zero": 1}},
		{"dnn-partitioning", []string{"tower.json"}, Options{}, rules.Options{Partial: true}, map[string]int{}},
		// The chip states 7 cores for its mesh of 10.
		{"pimcomp", []string{"net.json", "chip.json"}, Options{}, rules.Options{},
			map[string]int{"core-count-disagrees": 1}},
		{"pimcomp", []string{"net.json", "chip.small.json"}, Options{}, rules.Options{},
			map[string]int{"instance-without-core-or-stage": 2}},
	} {
		p, _ := Import(test.format, testdata(t, test.files...), test.options)
		if d := cmp.Diff(test.want, judged(t, p, test.judge)); d != "" {
			t.Errorf("%v %+v: %s", test.files, test.options, d)
		}
	}
}

func TestJudgeWorkloads(t *testing.T) {
	const chip = "pimcomp/config.json"
	for _, test := range []struct {
		format  string
		files   []string
		options Options
		want    map[string]int
	}{
		{"dnn-partitioning", []string{bertGraph, bertSplit}, Options{}, map[string]int{"edge-skips-stage": 16}},
		{"dnn-partitioning", []string{bertGraph, bertSplit}, Options{Sources: SourcesAsInputs}, map[string]int{"input-consumer-not-stage-zero": 20}},
		{"dnn-partitioning", []string{resnetGraph, resnetSplit}, Options{}, map[string]int{}},
		{"pimcomp", []string{"pimcomp/alexnet.json", chip}, Options{}, map[string]int{"core-count-disagrees": 1}},
		{"pimcomp", []string{"pimcomp/googlenet.json", chip}, Options{}, map[string]int{"core-count-disagrees": 1}},
		{"pimcomp", []string{"pimcomp/resnet18.json", chip}, Options{}, map[string]int{"core-count-disagrees": 1}},
		{"pimcomp", []string{"pimcomp/vgg16.json", chip}, Options{}, map[string]int{"core-count-disagrees": 1}},
	} {
		p, _ := mustImport(t, test.format, workloads(t, test.files...), test.options)
		if d := cmp.Diff(test.want, judged(t, p, rules.Options{})); d != "" {
			t.Errorf("%v %+v: %s", test.files, test.options, d)
		}
	}
}
