package cli_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"plancheck/internal/cli"
)

// An interrupt leaves nothing behind.
func TestDeriveInterrupted(t *testing.T) {
	dir := t.TempDir()
	model, out := filepath.Join(dir, "model.ir"), filepath.Join(dir, "out")
	text := "model \"m\" {\n  %x = input : tensor<4x8xf32>\n  %w = parameter : tensor<8x8xf32>\n  %y = model.linear %x, %w as @mm : tensor<4x8xf32>\n  return %y\n}\n"
	if err := os.WriteFile(model, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	args := []string{"derive", model, "-o", out, "--target", "a100"}
	derive := func(ctx context.Context) (exit int, stderr string) {
		var stdout, errors bytes.Buffer
		env := cli.OS()
		env.Stdout, env.Stderr = &stdout, &errors
		exit = cli.Main(ctx, args, env)
		return exit, errors.String()
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if exit, stderr := derive(ctx); exit != 2 || stderr != "plancheck: interrupted\n" {
		t.Errorf("exit code %d and %q", exit, stderr)
	}
	if _, err := os.Stat(out); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the folder is there: %v", err)
	}
	if exit, stderr := derive(context.Background()); exit != 0 || stderr != "" {
		t.Errorf("exit code %d and %q", exit, stderr)
	}
	entries, err := os.ReadDir(out)
	if err != nil || len(entries) != 9 { // and no temporary file
		t.Errorf("%d files, %v", len(entries), err)
	}
}
