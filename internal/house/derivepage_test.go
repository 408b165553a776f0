package house

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// docs/derive.md tells every code by which a pass refuses its input.
func TestDerivePageTellsRefusals(t *testing.T) {
	page, err := os.ReadFile("../../docs/derive.md")
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../derive/*.go")
	if err != nil {
		t.Fatal(err)
	}
	code := regexp.MustCompile(`(?:refuse\(|Refused\{Code: )"([a-z-]+)"`)
	told := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range code.FindAllStringSubmatch(string(text), -1) {
			if told++; !strings.Contains(string(page), "`"+m[1]+"`") {
				t.Errorf("docs/derive.md does not tell %s, by which %s refuses", m[1], filepath.Base(name))
			}
		}
	}
	if told < 20 {
		t.Errorf("only %d refusals were found", told)
	}
}
