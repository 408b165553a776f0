package cli_test

import (
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"plancheck/internal/cli"
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
		Cmds:          map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
		Setup: func(env *testscript.Env) error {
			rules, err := filepath.Abs("../../rules")
			if err != nil {
				return err
			}
			env.Setenv("RULES", rules)
			env.Setenv("NO_COLOR", "")
			env.Setenv("ESC", "\x1b")
			return nil
		},
	})
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
