package cli

import (
	"io"
	"os"

	"golang.org/x/term"
)

// Env is the world as a command sees it.
type Env struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	// IsTerminal says whether what is written to w is read by a person now.
	IsTerminal func(w io.Writer) bool
}

// OS is the world of this process.
func OS() Env {
	return Env{
		Stdin:  os.Stdin,
		Stdout: os.Stdout,
		Stderr: os.Stderr,
		Getenv: os.Getenv,
		IsTerminal: func(w io.Writer) bool {
			f, ok := w.(*os.File)
			return ok && term.IsTerminal(int(f.Fd()))
		},
	}
}

// colorFor says whether to colour what is written to w. Flag is the value of
// --color; auto follows NO_COLOR and TERM.
func (e Env) colorFor(flag string, w io.Writer) bool {
	switch flag {
	case "always":
		return true
	case "never":
		return false
	}
	return e.Getenv("NO_COLOR") == "" && e.Getenv("TERM") != "dumb" && e.IsTerminal(w)
}
