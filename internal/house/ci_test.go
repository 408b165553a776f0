package house

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// step returns the script of a step of action.yml: the block behind "run: |".
func step(t *testing.T, id string) string {
	t.Helper()
	text, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	_, after, found := strings.Cut(string(text), "id: "+id+"\n")
	_, block, hasRun := strings.Cut(after, "      run: |\n")
	if !found || !hasRun {
		t.Fatalf("action.yml has no step %s with a script", id)
	}
	var script strings.Builder
	for line := range strings.Lines(block) {
		code, indented := strings.CutPrefix(line, "        ")
		if !indented && strings.TrimSpace(line) != "" {
			break
		}
		script.WriteString(code)
	}
	return script.String()
}

// The action's script turns its inputs into arguments, whatever is in them, and
// hands the exit code on.
func TestActionScript(t *testing.T) {
	script := step(t, "check")
	for _, c := range []struct {
		name string
		env  []string
		code int
		want []string
	}{
		{"defaults", []string{"PLANS=.", "FAIL_ON=error", "PARTIAL=false", "SARIF=plancheck.sarif"}, 0,
			[]string{"check", "--output", "github", "--output", "sarif=plancheck.sarif", "--fail-on", "error", "--", "."}},
		{"everything", []string{"PLANS=a b.json\n\nplans\n", "RULES=builtin\nmine.dl", "BASELINE=known.json", "SUPPRESS=s.json",
			"FAIL_ON=warning", "PARTIAL=true", "SARIF=out/r.sarif"}, 1,
			[]string{"check", "--output", "github", "--output", "sarif=out/r.sarif", "--fail-on", "warning", "--partial",
				"--baseline", "known.json", "--rules", "builtin", "--rules", "mine.dl", "--suppress", "s.json", "--", "a b.json", "plans"}},
		{"odd names", []string{"PLANS=$(false);x\n-o", "FAIL_ON=error", "SARIF=`x`"}, 2,
			[]string{"check", "--output", "github", "--output", "sarif=`x`", "--fail-on", "error", "--", "$(false);x", "-o"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			stub := "#!/usr/bin/env bash\nprintf '%s\\n' \"$@\" > \"$RUNNER_TEMP/args\"\nexit $STUB_CODE\n"
			if err := os.WriteFile(filepath.Join(dir, "plancheck"), []byte(stub), 0o755); err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script) // as GitHub runs it
			output := filepath.Join(dir, "output")
			cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "RUNNER_TEMP=" + dir, "GITHUB_OUTPUT=" + output,
				"STUB_CODE=" + string(rune('0'+c.code))}, c.env...)
			said, err := cmd.CombinedOutput()
			if code := cmd.ProcessState.ExitCode(); code != c.code {
				t.Fatalf("exit code %d, want %d: %v\n%s", code, c.code, err, said)
			}
			args, err := os.ReadFile(filepath.Join(dir, "args"))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, strings.Split(strings.TrimSuffix(string(args), "\n"), "\n")); diff != "" {
				t.Errorf("arguments (-want +got):\n%s", diff)
			}
			got, err := os.ReadFile(output)
			if err != nil || !strings.Contains(string(got), "exit-code="+string(rune('0'+c.code))+"\n") {
				t.Errorf("outputs %q, %v", got, err)
			}
		})
	}
}

// What the action and the hook pass are flags that check has.
func TestCIUsesFlagsThatExist(t *testing.T) {
	help, err := exec.Command("go", "run", "../../cmd/plancheck", "check", "--help").Output()
	if err != nil {
		t.Fatal(err)
	}
	hook, err := os.ReadFile("../../.pre-commit-hooks.yaml")
	if err != nil {
		t.Fatal(err)
	}
	docs, err := os.ReadFile("../../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range regexp.MustCompile(`--output "?([a-z]+)`).FindAllStringSubmatch(step(t, "check"), -1) {
		if !strings.Contains(string(help), format[1]+" (") {
			t.Errorf("check has no format %s", format[1])
		}
	}
	flags := regexp.MustCompile(`--[a-z][a-z-]+`).FindAllString(step(t, "check")+string(hook)+string(docs), -1)
	if len(flags) < 10 {
		t.Fatalf("only %v", flags)
	}
	for _, flag := range flags {
		if flag != "--man" && !strings.Contains(string(help), flag+" ") {
			t.Errorf("check has no flag %s", flag)
		}
	}
}

// Every input of the action reaches its script, and what it says it puts out
// the script does.
func TestActionInputs(t *testing.T) {
	text, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	inputs, rest, found := strings.Cut(string(text), "\noutputs:\n")
	if !found {
		t.Fatal("action.yml has no outputs")
	}
	names := regexp.MustCompile(`(?m)^  ([a-z-]+):$`).FindAllStringSubmatch(inputs, -1)
	if len(names) < 7 {
		t.Fatalf("only inputs %v", names)
	}
	for _, name := range names {
		if !strings.Contains(rest, "${{ inputs."+name[1]+" }}") {
			t.Errorf("the input %s is not used", name[1])
		}
	}
	for _, used := range regexp.MustCompile(`steps\.check\.outputs\.([a-z-]+)`).FindAllStringSubmatch(rest, -1) {
		if !strings.Contains(step(t, "check"), `echo "`+used[1]+"=") {
			t.Errorf("the script does not put out %s", used[1])
		}
	}
}
