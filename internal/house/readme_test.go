package house

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write what commands print into README and the guides")

// TestReadme runs every command that README and the guides show with its
// output, and compares. Commands in Go run in the root of the project, others in
// a folder that has its plans and rules, because they may write files.
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
	for _, page := range []struct {
		name  string
		least int // commands
	}{{"README.md", 15}, {"docs/solve.md", 8}, {"docs/why-not.md", 2}, {"docs/explore.md", 2}, {"docs/repair.md", 7}, {"docs/pipeline-schedules.md", 6}, {"docs/command-plan.md", 3}, {"docs/simulate.md", 5}, {"docs/evidence.md", 4}, {"docs/derive.md", 1}, {"examples/row-parallel-mlp/README.md", 30}, {"docs/text.md", 3}, {"docs/explain.md", 5}} {
		t.Run(page.name, func(t *testing.T) {
			text, err := os.ReadFile(filepath.Join(root, page.name))
			if err != nil {
				t.Fatal(err)
			}
			commands := consoles(string(text))
			if len(commands) < page.least {
				t.Fatalf("%s shows only %d commands", page.name, len(commands))
			}
			dir := t.TempDir()
			for _, folder := range []string{"testdata", "examples", "rules"} {
				if err := os.Symlink(filepath.Join(root, folder), filepath.Join(dir, folder)); err != nil {
					t.Fatal(err)
				}
			}
			for i, c := range commands {
				got := c.run(root, dir, bin)
				if diff := cmp.Diff(c.want, got); diff != "" && !*update {
					t.Errorf("$ %s\n-%s +real\n%s", c.line, page.name, diff)
				}
				commands[i].want = got
			}
			show(t, filepath.Join(root, page.name), string(text), commands)
		})
	}
}

// run runs a command and returns what it shows. What Go itself says on standard
// error depends on what it has built before, so that is left out.
func (c console) run(root, dir, bin string) string {
	cmd := exec.Command("bash", "-c", c.line)
	cmd.Env = append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "NO_COLOR=1")
	if strings.HasPrefix(c.line, "go ") {
		cmd.Dir = root
		out, _ := cmd.Output()
		return string(out)
	}
	cmd.Dir = dir
	out, _ := cmd.CombinedOutput() // a failing plan is part of the show
	return string(out)
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

// show writes what commands print into a page, where that is asked for.
func show(t *testing.T, name, text string, commands []console) {
	t.Helper()
	if !*update {
		return
	}
	var page strings.Builder
	in, next := false, 0
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "```") {
			in = strings.HasPrefix(line, "```console")
		}
		command := in && strings.HasPrefix(line, "$ ")
		if !in || next == 0 || command || strings.HasPrefix(line, "```") {
			page.WriteString(line)
		}
		if command {
			page.WriteString(commands[next].want)
			next++
		}
	}
	if err := os.WriteFile(name, []byte(page.String()), 0o644); err != nil {
		t.Fatal(err)
	}
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
