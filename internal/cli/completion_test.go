package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// completing is a command line and the completions of its last word, sorted.
type completing struct {
	line string // words apart by spaces; an empty last word is written as ''
	want []string
}

// lines are completed in a folder with a.json, b.dl, c.txt and sub/.
func lines() []completing {
	return []completing{
		{"plancheck fa", []string{"facts"}},
		{"plancheck sc", []string{"schema"}},
		{"plancheck check --fail-on ''", []string{"error", "never", "warning"}},
		{"plancheck --fail-on e", []string{"error"}},
		{"plancheck check --fail-on e", []string{"error"}},
		{"plancheck check --fa", []string{"--fail-on"}},
		{"plancheck --base", []string{"--baseline"}},
		{"plancheck check --color n", []string{"never"}},
		{"plancheck check -o js", []string{"json"}},
		{"plancheck explain edge-sk", []string{"edge-skips-stage"}},
		{"plancheck explain --rules builtin:pipe", []string{"builtin:pipeline"}},
		{"plancheck facts a.json op_ki", []string{"op_kind"}},
		{"plancheck schema ba", []string{"baseline"}},
		{"plancheck completion z", []string{"zsh"}},
		{"plancheck check a", []string{"a.json"}},
		{"plancheck check --rules b.", []string{"b.dl"}},
		{"plancheck import pimcomp c", []string{"c.txt"}},
		{"plancheck import pi", []string{"pimcomp"}},
		{"plancheck example --fau", []string{"--faulty"}},
		{"plancheck check c", nil}, // no plan
		{"plancheck version x", nil},
	}
}

// completeIn runs a shell in the folder of files.
func completeIn(t *testing.T, shell, script string, args ...string) []string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"a.json", "b.dl", "c.txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "sub"), 0o777); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "script")
	for _, s := range shells() {
		if s.name == shell {
			if err := os.WriteFile(path, []byte(s.script(completions())), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	cmd := exec.Command(shell, append([]string{"-c", script, path}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "SCRIPT="+path)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", shell, err, out)
	}
	var words []string
	for line := range strings.Lines(string(out)) {
		word, _, _ := strings.Cut(strings.TrimSpace(line), "\t") // fish tells what it means behind a tab
		if word != "" {
			words = append(words, word)
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

func needs(t *testing.T, program string) {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skipf("%s is not installed", program)
	}
}

func TestBashCompletion(t *testing.T) {
	needs(t, "bash")
	const script = `source "$SCRIPT"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _plancheck; printf '%s\n' "${COMPREPLY[@]}"`
	split := append(lines(),
		completing{"plancheck check --fail-on = w", []string{"warning"}}, // as bash splits --fail-on=w
		completing{"plancheck check --fail-on =", []string{"error", "never", "warning"}},
		completing{"plancheck check --rules builtin : pi", []string{"pipeline"}},
		completing{"plancheck check ''", []string{"a.json", "sub"}},
	)
	for _, c := range split {
		if c.line == "plancheck explain --rules builtin:pipe" {
			continue // bash splits it
		}
		words := strings.Fields(c.line)
		if last := len(words) - 1; words[last] == "''" {
			words[last] = ""
		}
		if diff := cmp.Diff(c.want, completeIn(t, "bash", script, words...)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.line, diff)
		}
	}
}

func TestFishCompletion(t *testing.T) {
	needs(t, "fish")
	for _, c := range lines() {
		line := strings.TrimSuffix(c.line, "''")
		got := completeIn(t, "fish", fmt.Sprintf("source $SCRIPT; complete -C %s", fishQuoted(line)))
		if c.want == nil && c.line == "plancheck check c" {
			continue // fish offers other files when none has the ending
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.line, diff)
		}
	}
}

// The script for zsh can be read by it. What it completes needs a terminal.
func TestZshCompletionParses(t *testing.T) {
	needs(t, "zsh")
	completeIn(t, "zsh", `zsh -n "$SCRIPT"`)
}

// Every verb and every flag is in every script.
func TestCompletionsAreWhole(t *testing.T) {
	all := completions()
	if len(all) != len(verbs()) {
		t.Fatalf("%d verbs", len(all))
	}
	for _, s := range shells() {
		script := s.script(all)
		for _, c := range all {
			if !strings.Contains(script, c.verb) {
				t.Errorf("%s: no verb %s", s.name, c.verb)
			}
			for _, f := range c.flags {
				long := "--" + f.long
				if s.name == "fish" {
					long = "-l " + f.long
				}
				if !strings.Contains(script, long) {
					t.Errorf("%s: no flag %s", s.name, f.long)
				}
			}
		}
		for _, word := range []string{"edge-skips-stage", "json", "builtin", "suppressions"} {
			if !strings.Contains(script, word) {
				t.Errorf("%s: no word %s", s.name, word)
			}
		}
	}
}

// The values that completion offers are those that the flags accept.
func TestFlagsAcceptTheirWords(t *testing.T) {
	checked := 0
	for _, c := range completions() {
		for _, f := range c.flags {
			for _, word := range f.words {
				fs := flagsOf(findVerb(t, c.verb))
				if err := fs.Set(f.long, word); err != nil {
					t.Errorf("%s --%s %s: %v", c.verb, f.long, word, err)
				}
				checked++
			}
		}
	}
	if checked < 10 {
		t.Errorf("only %d words", checked)
	}
}

func findVerb(t *testing.T, name string) verb {
	t.Helper()
	for _, v := range verbs() {
		if v.name == name {
			return v
		}
	}
	t.Fatalf("no verb %s", name)
	return verb{}
}

func TestManPage(t *testing.T) {
	page := string(ManPage())
	for _, v := range verbs() {
		if !strings.Contains(page, ".SS "+v.name) {
			t.Errorf("no section of %s", v.name)
		}
		for _, f := range completions() {
			for _, flag := range f.flags {
				if !strings.Contains(page, roff("--"+flag.long)) {
					t.Errorf("no flag %s", flag.long)
				}
			}
		}
	}
	if _, err := exec.LookPath("groff"); err != nil {
		t.Skip("groff is not installed: the page is not formatted")
	}
	cmd := exec.Command("groff", "-man", "-Tutf8", "-ww", "-z")
	cmd.Stdin = strings.NewReader(page)
	if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
		t.Errorf("groff: %v\n%s", err, out)
	}
}
