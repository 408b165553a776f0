package house

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestExplorePage runs the commands that docs/explore.md shows, and compares.
func TestExplorePage(t *testing.T) {
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
	commands := consoles(readFile(t, "docs/explore.md"))
	if len(commands) < 2 {
		t.Fatalf("the page shows only %d commands", len(commands))
	}
	for _, c := range commands {
		cmd := exec.Command("bash", "-c", c.line)
		cmd.Dir = root
		cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "NO_COLOR=1")
		out, err := cmd.Output()
		if err != nil {
			t.Errorf("$ %s: %v", c.line, err)
		}
		if diff := cmp.Diff(c.want, string(out)); diff != "" {
			t.Errorf("$ %s\n-page +real\n%s", c.line, diff)
		}
	}
}
