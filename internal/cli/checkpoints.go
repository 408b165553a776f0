package cli

import (
	"errors"
	"fmt"
	iofs "io/fs"
	"os"
	"path/filepath"
	"slices"

	"plancheck/facts"
	"plancheck/internal/derive"
	"plancheck/internal/diag"
	"plancheck/ir"
	"plancheck/ir/evidence"
	"plancheck/ir/machine"
	"plancheck/ir/model"
	"plancheck/ir/portable"
	"plancheck/ir/task"
)

// checkpointFolder is where the documents of a derivation go.
type checkpointFolder struct {
	path   string
	inputs []string // files that were read; "" for none
	kept   []string // checkpoints that are inputs, and stay as they are
}

// checkpointSchemas are what each checkpoint holds.
func checkpointSchemas() map[string]string {
	return map[string]string{
		derive.ModelLevel: model.Schema, derive.TaskLevel: task.Schema, derive.PortableLevel: portable.Schema,
		derive.TargetInput: evidence.TargetSchema, derive.DeploymentInput: evidence.DeploymentSchema, derive.EvidenceInput: evidence.EvidenceSchema,
		derive.BindingLevel: evidence.BindingSchema, derive.PlanLevel: ir.PlanSchema, derive.MachineLevel: machine.Schema,
	}
}

// checkpointNames are the checkpoints of a derivation down to a level, in order.
func checkpointNames(to string) []string {
	names := []string{derive.ModelLevel}
	if derive.NeedsTarget(to) {
		names = append(names, derive.TargetInput, derive.DeploymentInput, derive.EvidenceInput)
	}
	return append(names, derive.Levels()[:slices.Index(derive.Levels(), to)+1]...)
}

func (c *checkpointFolder) file(level string) string { return filepath.Join(c.path, level+".json") }

// check finds out before the work whether all documents can be written: what is
// there must be checkpoints, or inputs that are these documents.
func (c *checkpointFolder) check(to string) error {
	if info, err := os.Stat(c.path); err == nil && !info.IsDir() {
		return fmt.Errorf("%s is not a folder", c.path)
	}
	for _, level := range checkpointNames(to) {
		name := c.file(level)
		info, err := os.Stat(name)
		if errors.Is(err, iofs.ErrNotExist) {
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, cause(err))
		}
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s is no file", name)
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return fmt.Errorf("%s: %w", name, cause(err))
		}
		if ir.DeclaredSchema(diag.NewSource(name, text)) != checkpointSchemas()[level] {
			return fmt.Errorf("%s is no %s of an earlier derivation, and would be overwritten", name, level)
		}
		if slices.ContainsFunc(c.inputs, func(in string) bool { return in != "" && sameFile(in, info) }) {
			c.kept = append(c.kept, level)
		}
	}
	return nil
}

// stale lists checkpoints of levels below the one that was derived, which an
// earlier derivation left.
func (c *checkpointFolder) stale(to string) []string {
	var all []string
	last := derive.Levels()[len(derive.Levels())-1]
	for _, level := range checkpointNames(last) {
		if slices.Contains(checkpointNames(to), level) {
			continue
		}
		if _, err := os.Stat(c.file(level)); err == nil {
			all = append(all, c.file(level))
		}
	}
	return all
}

// write writes all documents: first beside their places, and when all of them are
// there it moves each to its place.
func (c *checkpointFolder) write(made []derive.Checkpoint) (err error) {
	if err := os.MkdirAll(c.path, 0o777); err != nil {
		return fmt.Errorf("making the folder: %w", err)
	}
	type move struct{ from, to string }
	var moves []move
	defer func() {
		for _, m := range moves {
			os.Remove(m.from) // fails where it was moved, as it should
		}
	}()
	for _, x := range made {
		if slices.Contains(c.kept, x.Level) {
			continue
		}
		to, mode := c.file(x.Level), iofs.FileMode(0o666)
		if info, err := os.Stat(to); err == nil {
			mode = info.Mode().Perm()
			if to, err = filepath.EvalSymlinks(to); err != nil {
				return err
			}
		}
		f, err := createBeside(to, mode)
		if err != nil {
			return err
		}
		moves = append(moves, move{f.Name(), to})
		_, err = f.Write(facts.Encode(x.Document))
		if err := errors.Join(err, f.Close()); err != nil {
			return err
		}
	}
	for _, m := range moves {
		if err := os.Rename(m.from, m.to); err != nil {
			return err
		}
	}
	return nil
}
