package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"plancheck/internal/diag"
	"plancheck/internal/report"
)

// Why files are skipped.
const (
	noPlan     = "no plan"
	linkFolder = "links to folders"
	brokenLink = "broken links"
	noFile     = "no regular files"
)

// group are files of the command line, or those found in one of its folders.
type group struct {
	folder string // empty for files of the command line
	names  []string
	// maybe says that files which declare no plan are skipped.
	maybe   bool
	shared  bool // files of the folder are in a group before
	skipped []report.Skipped
	errors  []diag.Diagnostic // folders that cannot be read
}

// collect finds the files behind the arguments of check. A folder stands for
// all files in it and below that end in .json, sorted by name; links to
// folders are not followed, so that no walk is endless. A file found in a
// folder is left out when an argument before has it already.
func collect(args []string, plansOnly bool) []group {
	var groups []group
	taken := map[string]bool{}
	for _, arg := range args {
		info, err := os.Stat(arg)
		if arg != stdinName && err == nil && info.IsDir() {
			groups = append(groups, walk(arg, taken))
			continue
		}
		taken[filepath.Clean(arg)] = true
		if n := len(groups); n > 0 && groups[n-1].folder == "" {
			groups[n-1].names = append(groups[n-1].names, arg)
		} else {
			groups = append(groups, group{names: []string{arg}, maybe: plansOnly})
		}
	}
	return groups
}

// walk finds the files of a folder.
func walk(folder string, taken map[string]bool) group {
	g := group{folder: folder, maybe: true}
	why := map[string][]string{}
	var visit func(dir string)
	visit = func(dir string) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			g.errors = append(g.errors, diag.Diagnostic{
				Code: "file-unreadable", Severity: diag.Error, Message: cause(err).Error(), Pos: diag.Position{File: dir},
			})
		}
		for _, e := range entries {
			name := filepath.Join(dir, e.Name())
			if e.IsDir() {
				visit(name)
				continue
			}
			reason := ""
			if e.Type()&fs.ModeSymlink != 0 {
				reason = linked(name)
			} else if !e.Type().IsRegular() {
				reason = noFile
			}
			switch plan := strings.EqualFold(filepath.Ext(name), ".json"); {
			case reason == linkFolder, plan && reason != "":
				why[reason] = append(why[reason], name)
			case plan && taken[name]:
				g.shared = true
			case plan:
				taken[name] = true
				g.names = append(g.names, name)
			}
		}
	}
	visit(folder)
	slices.Sort(g.names)
	for _, reason := range []string{linkFolder, brokenLink, noFile} {
		if files := why[reason]; files != nil {
			slices.Sort(files)
			g.skipped = append(g.skipped, report.Skipped{Folder: folder, Why: reason, Files: files})
		}
	}
	return g
}

// linked says why a symbolic link is not followed, if it is not.
func linked(name string) string {
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrPermission):
		return "" // reading it will tell
	case err != nil:
		return brokenLink
	case info.IsDir():
		return linkFolder
	case !info.Mode().IsRegular():
		return noFile
	}
	return ""
}

// named are the files that the command line names.
func named(groups []group) []string {
	var names []string
	for _, g := range groups {
		if g.folder == "" {
			names = append(names, g.names...)
		}
	}
	return names
}
