package main_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"plancheck/internal/diag"
	"plancheck/ir"
)

// long is a plan whose completion takes hours to prove: 26 ops of odd sizes on
// five cores. A good one is found at once.
func long() string {
	r := rand.New(rand.NewPCG(5, 5))
	var ops []string
	for i := range 26 {
		ops = append(ops, fmt.Sprintf(`{"id": "o%d", "work_cycles": %d}`, i, 100_000_000+r.Int64N(900_000_000)))
	}
	return `{"schema": "plancheck.concrete-plan/1", "logical_cores": 5,
 "graph": {"ops": [` + strings.Join(ops, ",\n  ") + `]},
 "stages": [{"index": 0}], "assignment": {"instances": []}}`
}

// A search that is told to stop writes the best plan that it has, whole.
func TestSolveInterrupted(t *testing.T) {
	dir := t.TempDir()
	program := filepath.Join(dir, "plancheck")
	if out, err := exec.Command("go", "build", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	plan := filepath.Join(dir, "long.json")
	if err := os.WriteFile(plan, []byte(long()), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(signal.String(), func(t *testing.T) {
			dir := t.TempDir()
			done := filepath.Join(dir, "done.json")
			cmd := exec.Command(program, "solve", "--timeout", "0", "--checkpoints", dir, "-o", done, plan)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { cmd.Process.Kill() }) // when the test fails
			// The list schedule is written when the search begins.
			for deadline := time.Now().Add(time.Minute); !exists(filepath.Join(dir, "1-logical.json")); {
				if time.Now().After(deadline) {
					t.Fatalf("no search began: %s", &stderr)
				}
				time.Sleep(10 * time.Millisecond)
			}
			time.Sleep(2 * time.Second)
			if exists(done) {
				t.Fatalf("the search ended by itself: %s", &stderr)
			}
			if err := cmd.Process.Signal(signal); err != nil {
				t.Fatal(err)
			}
			if err := cmd.Wait(); err != nil {
				t.Fatalf("%v: %s", err, &stderr)
			}
			if !strings.Contains(stderr.String(), "a complete plan") {
				t.Errorf("it says %q", &stderr)
			}
			data, err := os.ReadFile(done)
			if err != nil {
				t.Fatal(err)
			}
			if _, diags := ir.DecodePlan(diag.NewSource("done.json", data)); diags != nil {
				t.Errorf("the plan is not whole: %v", diags)
			}
			if out, err := exec.Command(program, "check", done).CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return !errors.Is(err, fs.ErrNotExist)
}
