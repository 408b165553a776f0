package house

import (
	"bytes"
	"os"
	"testing"

	"plancheck/internal/example"
	"plancheck/ir"
)

// The plan that README runs is the one that the program itself would write.
func TestShippedPlanIsTheBuiltInOne(t *testing.T) {
	p, err := example.Build("resnet50", example.Complete)
	if err != nil {
		t.Fatal(err)
	}
	shipped, err := os.ReadFile("../../testdata/plans/resnet50.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(shipped, ir.Encode(p)) {
		t.Error("testdata/plans/resnet50.json is not what \"plancheck example resnet50\" writes; write it anew")
	}
}
