package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	iofs "io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"plancheck/internal/diag"
	"plancheck/internal/report"
	"plancheck/ir"
)

// stdoutName is the path that stands for standard output.
const stdoutName = "-"

// output is one --output: a format and where it goes.
type output struct {
	format report.Format
	path   string // stdoutName is standard output
}

// parseOutputs reads the values of --output. Text goes to standard output
// unless it is sent elsewhere or another format goes there.
func parseOutputs(specs []string) ([]output, error) {
	var names []string
	for _, f := range report.Formats() {
		names = append(names, f.Name)
	}
	targets, err := parseTargets(specs, names)
	if err != nil {
		return nil, err
	}
	var outs []output
	for _, t := range targets {
		format, err := findFormat(t.format)
		if err != nil {
			return nil, err
		}
		outs = append(outs, output{format, t.path})
	}
	return outs, nil
}

// target is the name of a format and where it goes.
type target struct{ format, path string }

// parseTargets reads FORMAT[=PATH] of the named formats, of which the first goes
// to standard output unless it is sent elsewhere or another one goes there.
func parseTargets(specs, names []string) ([]target, error) {
	var list []target
	taken := map[string]bool{}
	placed := false
	for _, spec := range specs {
		name, path, _ := strings.Cut(spec, "=")
		if path == "" {
			path = stdoutName
		}
		if !slices.Contains(names, name) {
			return nil, noFormat(name, names)
		}
		key := path
		if path != stdoutName {
			key = filepath.Clean(path)
		}
		if taken[key] {
			if path == stdoutName {
				return nil, errors.New("--output: two reports cannot share standard output")
			}
			return nil, fmt.Errorf("--output: two reports cannot share %s", path)
		}
		taken[key] = true
		placed = placed || name == names[0]
		list = append(list, target{name, path})
	}
	if !placed && !taken[stdoutName] {
		list = append(list, target{names[0], stdoutName})
	}
	return list, nil
}

func noFormat(name string, names []string) error {
	return fmt.Errorf("--output: no format %q; there are %s", name, strings.Join(names, ", "))
}

func findFormat(name string) (report.Format, error) {
	var names []string
	for _, f := range report.Formats() {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return report.Format{}, noFormat(name, names)
}

// checkPath finds out before the work whether a flag's file can be put at a
// path, and that it is not one of the inputs.
func checkPath(flag, path string, inputs []string) error {
	dir, err := os.Stat(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("--%s: no folder %s", flag, filepath.Dir(path))
	}
	if !dir.IsDir() {
		return fmt.Errorf("--%s: %s is not a folder", flag, filepath.Dir(path))
	}
	there, err := os.Stat(path)
	if err != nil {
		return nil
	}
	if there.IsDir() {
		return fmt.Errorf("--%s: %s is a folder", flag, path)
	}
	for _, in := range inputs {
		if sameFile(in, there) {
			return fmt.Errorf("--%s: %s is an input and would be overwritten", flag, path)
		}
	}
	return nil
}

func sameFile(name string, as os.FileInfo) bool {
	info, err := os.Stat(name)
	return err == nil && os.SameFile(info, as)
}

// overwritesPlan says whether what is at a path is one of some files that were
// found in a folder, and a plan. A report from the last run may lie there.
func overwritesPlan(path string, found []string) bool {
	there, err := os.Stat(path)
	if err != nil {
		return false
	}
	for _, name := range found {
		if sameFile(name, there) {
			data, err := os.ReadFile(name)
			return err == nil && ir.DeclaresPlan(diag.NewSource(name, data))
		}
	}
	return false
}

// write writes one report.
func (o output) write(env Env, run *report.Run, opts report.Options) error {
	if o.path == stdoutName {
		if err := o.format.Write(env.Stdout, run, opts); err != nil {
			return fmt.Errorf("writing %s to standard output: %w", o.format.Name, err)
		}
		return nil
	}
	opts.Color = false
	err := writeFile(o.path, func(w io.Writer) error { return o.format.Write(w, run, opts) })
	if err != nil {
		return fmt.Errorf("writing %s: %w", o.format.Name, err)
	}
	return nil
}

// writeFile writes a file so that at every moment the path holds either what
// was there before or the whole new content: it writes beside it and renames.
// What is no regular file, such as a pipe or /dev/null, is written in place.
func writeFile(path string, write func(io.Writer) error) error {
	mode := iofs.FileMode(0o666)
	if info, err := os.Stat(path); err == nil {
		if !info.Mode().IsRegular() {
			return writeInPlace(path, write)
		}
		mode = info.Mode().Perm()
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return err
		}
	}
	f, err := createBeside(path, mode)
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails after the rename, as it should
	if err := write(f); err != nil {
		f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}

// createBeside makes a new file in the folder of path.
func createBeside(path string, mode iofs.FileMode) (*os.File, error) {
	for range 100 {
		name := fmt.Sprintf("%s.%08x.tmp", path, rand.Uint32())
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, iofs.ErrExist) {
			return f, err
		}
	}
	return nil, fmt.Errorf("no free name beside %s", path)
}

func writeInPlace(path string, write func(io.Writer) error) error {
	var buf bytes.Buffer
	if err := write(&buf); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if _, err := f.Write(buf.Bytes()); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

// addFileFlag declares -o for verbs that write one document.
func addFileFlag(fs *pflag.FlagSet) *string {
	defer completeFiles(fs, "output", anyFile)
	return fs.StringP("output", "o", stdoutName, "write to this `FILE` instead of standard output")
}

// writeBytes writes a document to a path, or to standard output.
func writeBytes(env Env, path string, data []byte) error {
	if path == stdoutName {
		_, err := env.Stdout.Write(data)
		return err
	}
	return writeFile(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}
