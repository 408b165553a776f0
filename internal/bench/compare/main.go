// Command compare times plancheck beside the hand-written verifier, as whole
// processes on the same generated plans, in turn. The ratios hold on a noisy
// machine where single times do not.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"time"

	"github.com/spf13/pflag"
)

func main() {
	sizes := pflag.IntSlice("sizes", []int{1000, 10000, 100000, 1000000}, "numbers of ops")
	runs := pflag.Int("runs", 5, "counted runs of each program and size")
	rules := pflag.String("rules", "builtin:pipeline", "rules for plancheck")
	pflag.Parse()
	if err := compare(*sizes, *runs, *rules); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// sample is one run of a process.
type sample struct {
	wall time.Duration
	peak int64 // bytes of resident memory
}

func compare(sizes []int, runs int, rules string) error {
	dir, err := os.MkdirTemp("", "plancheck-bench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for _, cmd := range []string{"cmd/plancheck", "internal/bench/verifier", "internal/bench/genplan"} {
		build := exec.Command("go", "build", "-o", dir+"/", "./"+cmd)
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			return fmt.Errorf("building %s: %w", cmd, err)
		}
	}
	fmt.Printf("%d cores, %s, medians of %d runs in turn\n\n", runtime.NumCPU(), runtime.Version(), runs)
	fmt.Println("| ops | plan | verifier | plancheck | time ratio | verifier peak | plancheck peak | memory ratio |")
	fmt.Println("|--:|--:|--:|--:|--:|--:|--:|--:|")
	for _, n := range sizes {
		path := filepath.Join(dir, fmt.Sprintf("plan-%d.json", n))
		// Made by a process of its own: the peak memory of a process counts
		// from its parent's size.
		if _, err := run(filepath.Join(dir, "genplan"), "--ops", strconv.Itoa(n), "--to", path); err != nil {
			return err
		}
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		size := info.Size()
		var a, b []sample
		for i := range runs + 1 {
			va, err := run(filepath.Join(dir, "verifier"), path)
			if err != nil {
				return err
			}
			vb, err := run(filepath.Join(dir, "plancheck"), "check", "--rules", rules, path)
			if err != nil {
				return err
			}
			if i > 0 { // the first run warms the file cache
				a, b = append(a, va), append(b, vb)
			}
		}
		var times, peaks []float64
		for i := range a {
			times = append(times, float64(b[i].wall)/float64(a[i].wall))
			peaks = append(peaks, float64(b[i].peak)/float64(a[i].peak))
		}
		wall := func(s sample) time.Duration { return s.wall.Round(time.Millisecond) }
		peak := func(s sample) int64 { return s.peak >> 20 }
		fmt.Printf("| %d | %.1f MB | %v | %v | %.2f | %d MB | %d MB | %.2f |\n", n, float64(size)/1e6,
			median(a, wall), median(b, wall), medianOf(times), median(a, peak), median(b, peak), medianOf(peaks))
	}
	return nil
}

func run(name string, args ...string) (sample, error) {
	cmd := exec.Command(name, args...)
	began := time.Now()
	out, err := cmd.CombinedOutput()
	if err != nil {
		return sample{}, fmt.Errorf("%s: %w\n%s", filepath.Base(name), err, out)
	}
	s := sample{wall: time.Since(began)}
	if u, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		s.peak = u.Maxrss << 10
	}
	return s, nil
}

func median[T time.Duration | int64](all []sample, of func(sample) T) T {
	vs := make([]T, len(all))
	for i, s := range all {
		vs[i] = of(s)
	}
	slices.Sort(vs)
	return vs[len(vs)/2]
}

func medianOf(vs []float64) float64 {
	slices.Sort(vs)
	return vs[len(vs)/2]
}
