package cli_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"plancheck/internal/cli"
	"plancheck/rules"
)

var update = flag.Bool("update", false, "rewrite the outputs that scripts compare with")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"plancheck": func() { os.Exit(cli.Main(context.Background(), os.Args[1:], cli.OS())) },
	})
}

// TestScripts runs the command lines of testdata/script.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: *update,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "crlf": crlf, "bom": bom, "glob": glob, "json": isJSON,
		},
		Setup: func(env *testscript.Env) error {
			env.Setenv("NO_COLOR", "")
			env.Setenv("ESC", "\x1b")
			return installRules(filepath.Join(env.WorkDir, "rules"))
		},
	})
}

// installRules puts the built-in rule files where users find them.
func installRules(dir string) error {
	if err := os.Mkdir(dir, 0o777); err != nil {
		return err
	}
	for _, name := range rules.Names() {
		data, err := rules.Embedded.ReadFile(name + ".dl")
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name+".dl"), data, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// exits CODE ARG... runs plancheck with the arguments and wants the exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: exits CODE ARG...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec("plancheck", args[1:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// crlf FILE gives the lines of a file the ends of Windows.
func crlf(ts *testscript.TestScript, neg bool, args []string) {
	rewrite(ts, args, func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") })
}

// bom FILE puts a UTF-8 byte-order mark before a file.
func bom(ts *testscript.TestScript, neg bool, args []string) {
	rewrite(ts, args, func(s string) string { return "\ufeff" + s })
}

func rewrite(ts *testscript.TestScript, args []string, change func(string) string) {
	if len(args) != 1 {
		ts.Fatalf("want one file")
	}
	path := ts.MkAbs(args[0])
	ts.Check(os.WriteFile(path, []byte(change(ts.ReadFile(args[0]))), 0o666))
}

// glob PATTERN FILE... wants exactly these files to match the pattern.
func glob(ts *testscript.TestScript, neg bool, args []string) {
	got, err := filepath.Glob(ts.MkAbs(args[0]))
	ts.Check(err)
	for i := range got {
		got[i], err = filepath.Rel(ts.MkAbs("."), got[i])
		ts.Check(err)
	}
	if diff := cmp.Diff(args[1:], got); diff != "" {
		ts.Fatalf("files (-want +got):\n%s", diff)
	}
}

// json FILE wants the file to hold one JSON document.
func isJSON(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: json FILE")
	}
	var v any
	if err := json.Unmarshal([]byte(ts.ReadFile(args[0])), &v); err != nil {
		ts.Fatalf("%s: %v", args[0], err)
	}
}
