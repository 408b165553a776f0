package cli_test

import (
	"os"
	"strings"
	"testing"
)

// The page about infeasible plans shows what the script does.
func TestWhyNotPage(t *testing.T) {
	script, err := os.ReadFile("testdata/script/whynot.txtar")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("../../docs/why-not.md")
	if err != nil {
		t.Fatal(err)
	}
	_, shown, _ := strings.Cut(string(script), "-- skip.txt --\n")
	shown, _, found := strings.Cut(shown, "-- ")
	if !found || !strings.Contains(shown, "infeasible") {
		t.Fatal("the script has no skip.txt")
	}
	if !strings.Contains(string(page), "$ plancheck solve skip.json\n"+shown+"```") {
		t.Errorf("docs/why-not.md does not show\n%s", shown)
	}
}
