package house

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReadme runs every command that README shows with its output, from the
// root of the project, and compares.
func TestReadme(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	build := exec.Command("go", "build", "-o", bin+"/", "./cmd/plancheck")
	build.Dir = root
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("building plancheck: %v\n%s", err, out)
	}
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	commands := consoles(string(text))
	if len(commands) < 4 {
		t.Fatalf("README shows only %d commands", len(commands))
	}
	for _, c := range commands {
		cmd := exec.Command("bash", "-c", c.line)
		cmd.Dir = root
		cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "NO_COLOR=1")
		out, _ := cmd.Output() // a failing plan is part of the show
		if diff := cmp.Diff(c.want, string(out)); diff != "" {
			t.Errorf("$ %s\n-README +real\n%s", c.line, diff)
		}
	}
}

type console struct{ line, want string }

// consoles finds the blocks marked console: a line "$ command", then what it
// prints.
func consoles(text string) []console {
	var cs []console
	in := false
	for line := range strings.Lines(text) {
		switch {
		case strings.HasPrefix(line, "```"):
			in = strings.HasPrefix(line, "```console")
		case in && strings.HasPrefix(line, "$ "):
			cs = append(cs, console{line: strings.TrimSpace(line[2:])})
		case in && len(cs) > 0:
			cs[len(cs)-1].want += line
		}
	}
	return cs
}

// The rule that README prints is the one that it tells the reader to run.
func TestReadmeShowsTheRuleItRuns(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	rule, err := os.ReadFile("../../examples/reserve-core.dl")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(readme), "```prolog\n"+string(rule)+"```\n") {
		t.Error("README does not hold examples/reserve-core.dl as it is")
	}
}
