// Command program times plancheck on generated programs, as whole processes: how
// long a check takes, and how that grows with the number of commands.
package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/pflag"

	"plancheck/internal/bench"
)

func main() {
	sizes := pflag.IntSlice("sizes", []int{10_000, 100_000, 1_000_000}, "numbers of commands")
	kinds := pflag.StringSlice("kinds", bench.Programs(), "kinds of programs, of "+strings.Join(bench.Programs(), ", "))
	runs := pflag.Int("runs", 1, "runs of each program; the one with the least user time counts")
	pflag.Parse()
	if err := measure(*kinds, *sizes, *runs); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// sample is one run of a process.
type sample struct {
	wall, user, system time.Duration
	peak               int64 // bytes of resident memory
}

func measure(kinds []string, sizes []int, runs int) error {
	dir, err := os.MkdirTemp("", "plancheck-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for _, cmd := range []string{"cmd/plancheck", "internal/bench/genprogram"} {
		build := exec.Command("go", "build", "-o", dir+"/", "./"+cmd)
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			return fmt.Errorf("building %s: %w", cmd, err)
		}
	}
	fmt.Printf("%d cores, %s\n\n", runtime.NumCPU(), runtime.Version())
	fmt.Println("| program | commands | plan | wall | user | system | peak | commands a second | commands to the row before | user time to the row before |")
	fmt.Println("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
	for _, kind := range kinds {
		var before row
		for _, n := range sizes {
			r, err := measureOne(dir, kind, n, runs)
			if err != nil {
				return err
			}
			fmt.Println(r.text(kind, before))
			before = r
		}
	}
	return nil
}

// row is the measurement of one plan.
type row struct {
	commands int
	bytes    int64
	sample
}

func (r row) text(kind string, before row) string {
	size, time := "", ""
	if before.commands > 0 {
		size = fmt.Sprintf("%.1f", float64(r.commands)/float64(before.commands))
		time = fmt.Sprintf("%.1f", float64(r.user)/float64(before.user))
	}
	return fmt.Sprintf("| %s | %d | %.1f MB | %.2f s | %.2f s | %.2f s | %d MB | %.0f | %s | %s |", kind, r.commands, float64(r.bytes)/1e6,
		r.wall.Seconds(), r.user.Seconds(), r.system.Seconds(), r.peak>>20, float64(r.commands)/r.wall.Seconds(), size, time)
}

func measureOne(dir, kind string, commands, runs int) (row, error) {
	path := filepath.Join(dir, "plan.json")
	// Made by a process of its own: the peak memory of a process counts from its
	// parent's size.
	made, err := exec.Command(filepath.Join(dir, "genprogram"), "--kind", kind, "--commands", strconv.Itoa(commands), "--to", path).Output()
	if err != nil {
		return row{}, fmt.Errorf("making %s with %d commands: %w", kind, commands, err)
	}
	var r row
	if r.commands, err = strconv.Atoi(strings.TrimSpace(string(made))); err != nil {
		return row{}, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return row{}, err
	}
	r.bytes = info.Size()
	for i := range max(runs, 1) {
		s, err := check(filepath.Join(dir, "plancheck"), path)
		if err != nil {
			return row{}, err
		}
		if i == 0 || s.user < r.user {
			r.sample = s
		}
	}
	return r, nil
}

// check runs plancheck on a plan, which it judges legal or not.
func check(program, path string) (sample, error) {
	cmd := exec.Command(program, "check", path)
	var said strings.Builder
	cmd.Stderr = &said
	began := time.Now()
	err := cmd.Run()
	wall := time.Since(began)
	var failed *exec.ExitError
	if errors.As(err, &failed) && failed.ExitCode() == illegal {
		err = nil
	}
	if err != nil {
		return sample{}, fmt.Errorf("plancheck: %w\n%s", err, said.String())
	}
	s := sample{wall: wall, user: cmd.ProcessState.UserTime(), system: cmd.ProcessState.SystemTime()}
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		s.peak = u.Maxrss << 10
	}
	return s, nil
}

// illegal is the exit status of plancheck for a plan with violations.
const illegal = 1
