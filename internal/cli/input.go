package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"

	"plancheck/internal/diag"
	"plancheck/internal/irtext"
)

// stdinName is the argument that stands for standard input.
const stdinName = "-"

// onlyOneStdin refuses command lines that read standard input twice.
func onlyOneStdin(names []string) error {
	n := 0
	for _, name := range names {
		if name == stdinName {
			n++
		}
	}
	if n > 1 {
		return errors.New("standard input (-) can be read only once")
	}
	return nil
}

// readSource reads a whole file, or says why it cannot.
func readSource(ctx context.Context, env Env, name string) (*diag.Source, []diag.Diagnostic) {
	data, code, err := readInput(ctx, env, name)
	if err != nil {
		return nil, []diag.Diagnostic{{
			Code:     code,
			Severity: diag.Error,
			Message:  err.Error(),
			Pos:      diag.Position{File: name},
		}}
	}
	return diag.NewSource(name, data), nil
}

// readDocumentSource reads a file that is a document, in JSON or in its text form.
// Places of a text are those in the text.
func readDocumentSource(ctx context.Context, env Env, name string) (*diag.Source, []diag.Diagnostic) {
	src, diags := readSource(ctx, env, name)
	if diags != nil {
		return nil, diags
	}
	return irtext.Source(src)
}

func readInput(ctx context.Context, env Env, name string) (data []byte, code string, err error) {
	if name == stdinName {
		data, err := readAll(ctx, env.Stdin)
		return data, "file-unreadable", err
	}
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, "file-not-found", errors.New("no such file")
	case err != nil:
		return nil, "file-unreadable", cause(err)
	case info.IsDir():
		return nil, "file-is-folder", errors.New("is a folder, not a file")
	case info.Size() > math.MaxUint32:
		return nil, "document-too-large", fmt.Errorf("has %d bytes; at most %d are read", info.Size(), uint32(math.MaxUint32))
	}
	data, err = os.ReadFile(name)
	if err != nil {
		return nil, "file-unreadable", cause(err)
	}
	return data, "", nil
}

// cause is an error about a file without the name, which the message has anyway.
func cause(err error) error {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

// readAll reads to the end, or until ctx is done: a person may have started
// plancheck without piping anything into it.
func readAll(ctx context.Context, r io.Reader) ([]byte, error) {
	type result struct {
		data []byte
		err  error
	}
	done := make(chan result, 1)
	go func() {
		data, err := io.ReadAll(r)
		done <- result{data, err}
	}()
	select {
	case got := <-done:
		return got.data, got.err
	case <-ctx.Done():
		return nil, errInterrupted
	}
}
