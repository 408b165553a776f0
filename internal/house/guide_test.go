package house

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestGuides runs the commands of guides in an empty folder that has the
// project's examples and test data, and compares what they print.
func TestGuides(t *testing.T) {
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
	for _, page := range []string{"rules-in-search.md"} {
		text, err := os.ReadFile(filepath.Join(root, "docs", page))
		if err != nil {
			t.Fatal(err)
		}
		folder := t.TempDir()
		for _, name := range []string{"testdata", "examples"} {
			if err := os.Symlink(filepath.Join(root, name), filepath.Join(folder, name)); err != nil {
				t.Fatal(err)
			}
		}
		commands := consoles(string(text))
		if len(commands) < 3 {
			t.Fatalf("%s shows only %d commands", page, len(commands))
		}
		for i, c := range commands {
			cmd := exec.Command("bash", "-c", c.line)
			cmd.Dir = folder
			cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "NO_COLOR=1")
			out, _ := cmd.Output() // a command that fails is part of the show
			if diff := cmp.Diff(c.want, string(out)); diff != "" && !*update {
				t.Errorf("$ %s\n-%s +real\n%s", c.line, page, diff)
			}
			commands[i].want = string(out)
		}
		show(t, filepath.Join(root, "docs", page), string(text), commands)
	}
}

// Rules that guides print are those that they run.
func TestGuidesShowTheRulesTheyRun(t *testing.T) {
	for page, file := range map[string]string{"rules-in-search.md": "keep-core.dl"} {
		text, err := os.ReadFile("../../docs/" + page)
		if err != nil {
			t.Fatal(err)
		}
		rule, err := os.ReadFile("../../examples/" + file)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "```prolog\n"+string(rule)+"```\n") {
			t.Errorf("%s does not hold examples/%s as it is", page, file)
		}
	}
}
