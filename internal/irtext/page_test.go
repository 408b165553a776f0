package irtext_test

import (
	"os"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The texts that the guide shows are read, and are as the printer writes them.
func TestGuideShowsTexts(t *testing.T) {
	page, err := os.ReadFile("../../docs/text.md")
	if err != nil {
		t.Fatal(err)
	}
	texts := regexp.MustCompile("(?s)```mlir\n(.*?)```").FindAllSubmatch(page, -1)
	if len(texts) < 4 {
		t.Fatalf("the guide shows %d texts", len(texts))
	}
	for _, x := range texts {
		if diff := cmp.Diff(string(x[1]), string(print(t, decode(t, "docs/text.md", x[1])))); diff != "" {
			t.Errorf("-guide +printer:\n%s", diff)
		}
	}
}
