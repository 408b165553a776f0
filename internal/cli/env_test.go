package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// terminal is an Env with a person before it, and the variables given as
// NAME=value.
func terminal(vars ...string) Env {
	return Env{
		Getenv: func(name string) string {
			for _, v := range vars {
				if value, ok := strings.CutPrefix(v, name+"="); ok {
					return value
				}
			}
			return ""
		},
		IsTerminal: func(io.Writer) bool { return true },
	}
}

func TestColor(t *testing.T) {
	pipe := terminal()
	pipe.IsTerminal = func(io.Writer) bool { return false }
	for _, test := range []struct {
		name string
		env  Env
		flag string
		want bool
	}{
		{"terminal", terminal("TERM=xterm"), "auto", true},
		{"pipe", pipe, "auto", false},
		{"NO_COLOR", terminal("NO_COLOR=1"), "auto", false},
		{"empty NO_COLOR", terminal("NO_COLOR="), "auto", true},
		{"dumb", terminal("TERM=dumb"), "auto", false},
		{"always", pipe, "always", true},
		{"always beats NO_COLOR", terminal("NO_COLOR=1"), "always", true},
		{"never", terminal(), "never", false},
	} {
		if got := test.env.colorFor(test.flag, io.Discard); got != test.want {
			t.Errorf("%s: %v, want %v", test.name, got, test.want)
		}
	}
}

// A person who started plancheck without piping anything into it gets out.
func TestInterrupt(t *testing.T) {
	never, w := io.Pipe()
	defer w.Close()
	var stdout, stderr bytes.Buffer
	env := terminal()
	env.Stdin, env.Stdout, env.Stderr = never, &stdout, &stderr
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(10*time.Millisecond, cancel)
	path := filepath.Join(t.TempDir(), "report.json")
	exit := Main(ctx, []string{"check", "--output", "json=" + path, "-"}, env)
	if exit != exitBad || stdout.Len() > 0 || stderr.String() != "plancheck: interrupted\n" {
		t.Errorf("exit %d, stdout %q, stderr %q", exit, &stdout, &stderr)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a report was written: %v", err)
	}
}

func TestWriteFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "report")
	put := func(text string, err error) error {
		return writeFile(path, func(w io.Writer) error {
			io.WriteString(w, text)
			return err
		})
	}
	check := func(want string, mode os.FileMode) {
		t.Helper()
		data, err := os.ReadFile(path)
		if err != nil || string(data) != want {
			t.Errorf("%q, %v, want %q", data, err, want)
		}
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != mode {
			t.Errorf("mode %v, want %v", info.Mode(), mode)
		}
		entries, err := os.ReadDir(dir)
		if err != nil || len(entries) != 1 {
			t.Errorf("left behind: %v", entries)
		}
	}
	if err := put("one", nil); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := put("two", nil); err != nil {
		t.Fatal(err)
	}
	check("two", 0o640)
	failure := errors.New("broken")
	if err := put("half", failure); !errors.Is(err, failure) {
		t.Errorf("error %v, want %v", err, failure)
	}
	check("two", 0o640)
}

func TestSize(t *testing.T) {
	for text, want := range map[string]size{
		"0": 0, "1": 1, "1000": 1000, "3KiB": 3 << 10, "512MiB": 512 << 20, "8GiB": 8 << 30,
	} {
		var s size
		if err := s.Set(text); err != nil || s != want {
			t.Errorf("Set(%q) = %d, %v, want %d", text, s, err, want)
		}
		if s.String() != text {
			t.Errorf("String of %q is %q", text, s.String())
		}
	}
	for _, text := range []string{"", "-1", "1.5GiB", "GiB", "1 GiB", "9999999999GiB", "9223372036854775808", "1GB"} {
		var s size
		if err := s.Set(text); err == nil {
			t.Errorf("Set(%q) gave %d", text, s)
		}
	}
}

func TestWrapped(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"", "  "},
		{"one two three", "  one two\n  three"},
		{"unbreakable word", "  unbreakable\n  word"},
		{"a  b", "  a  b"},
	} {
		if diff := cmp.Diff(test.want, wrapped(test.text, "  ", 10)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", test.text, diff)
		}
	}
}
