package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"plancheck/internal/chart"
	"plancheck/internal/passes"
	"plancheck/internal/report"
	"plancheck/internal/search/schedule"
	"plancheck/ir"
	"plancheck/rules"
)

type exploreFlags struct {
	solveFlags
	count, distance int
	within          string
	pareto          bool
	outputs         []string
	plans           string
	color           string
}

// exploreOutput is one --output of explore.
type exploreOutput struct {
	format report.ExploreFormat
	path   string
}

func exploreVerb() verb {
	return verb{
		name:  "explore",
		usage: "PLAN",
		short: "list other legal schedules of a plan, and what each costs",
		long: `Completes a plan in several ways, all with an interval that is nearly the best,
and lists what each costs: its largest interval, forwards, transfer bytes times
hops, the largest resident weights of a core, and cores used. The best comes
first. Any two put at least --distance ops into different stages. Schedules that
differ only in which equal stages are empty, or in which cores of a stage do the
work, count as one.

What the plan decides already is kept, unless --free gives it up; a complete plan
is compared with the others. Every schedule passed the rules, and --plans writes
them all as plans.`,
		exits: `0  schedules were found and are listed
1  there is none, with the reason; or what the plan decides breaks rules
2  the plan, a rule file or the command line is bad
3  time ran out before a schedule was found; that says nothing about whether one exists`,
		examples: []string{
			"plancheck example resnet50 --holes | plancheck explore --forward --distance 3 -",
			"plancheck explore --free stage,core,placement --pareto --output html=front.html --plans front plan.json",
		},
		args:     func() values { return values{files: []string{"json"}} },
		finishes: true,
		prepare: func(fs *pflag.FlagSet) runner {
			var f exploreFlags
			fs.IntVarP(&f.count, "count", "n", 10, "look for `N` schedules")
			fs.StringVar(&f.within, "within", "2", "list schedules whose interval is at most `PERCENT` above the best that was found, such as 2 or 0.5")
			fs.IntVar(&f.distance, "distance", 1, "let any two schedules have `N` ops, at least, in different stages")
			fs.BoolVar(&f.pareto, "pareto", false, "list only those of them that none betters: as good in every cost and better in one")
			f.addSearch(fs)
			fs.StringArrayVarP(&f.outputs, "output", "o", nil, "write the list as `FORMAT[=PATH]`; repeatable. Formats: "+exploreFormatList()+". Without a path, or with -, it goes to standard output; text goes there too unless something else does")
			fs.StringVar(&f.plans, "plans", "", "write each schedule as a plan into this `FOLDER`")
			fs.StringVar(&f.color, "color", "auto", "use colours: `WHEN` is auto, always or never")
			fs.BoolVarP(&f.quiet, "quiet", "q", false, "write the table and errors only, no notes and no progress")
			completeWords(fs, "output", exploreFormatNames()...)
			completeWords(fs, "color", colorWords()...)
			completeFiles(fs, "plans", anyFile)
			return f.run
		},
	}
}

func exploreFormatNames() []string {
	var names []string
	for _, f := range report.ExploreFormats() {
		names = append(names, f.Name)
	}
	return names
}

func exploreFormatList() string {
	var list []string
	for _, f := range report.ExploreFormats() {
		list = append(list, f.Name+" ("+f.About+")")
	}
	return strings.Join(list, ", ")
}

// validate reads the flags.
func (f *exploreFlags) validate(args []string) (passes.Exploring, []exploreOutput, error) {
	x := passes.Exploring{Count: f.count, Distance: f.distance, Pareto: f.pareto}
	if len(args) != 1 {
		return x, nil, errors.New("name one plan")
	}
	if f.count < 1 {
		return x, nil, fmt.Errorf("--count: %d is less than 1", f.count)
	}
	if f.distance < 1 {
		return x, nil, fmt.Errorf("--distance: %d is less than 1", f.distance)
	}
	if err := oneOf("color", f.color, colorWords()...); err != nil {
		return x, nil, err
	}
	var err error
	if x.Within, err = parsePercent(f.within); err != nil {
		return x, nil, err
	}
	if x.Encode, err = f.options(); err != nil {
		return x, nil, err
	}
	targets, err := parseTargets(f.outputs, exploreFormatNames())
	if err != nil {
		return x, nil, fmt.Errorf("%w; --plans writes the schedules into a folder", err)
	}
	var outs []exploreOutput
	for _, t := range targets {
		if t.path != stdoutName {
			if err := checkPath("output", t.path, append(args, f.rules...)); err != nil {
				return x, nil, err
			}
		}
		for _, format := range report.ExploreFormats() {
			if format.Name == t.format {
				outs = append(outs, exploreOutput{format, t.path})
			}
		}
	}
	if err := makeFolder("plans", f.plans); err != nil {
		return x, nil, err
	}
	return x, outs, f.spareInput(args[0])
}

// spareInput refuses to write the schedules over the plan.
func (f *exploreFlags) spareInput(plan string) error {
	if f.plans == "" || !isSchedule(filepath.Base(plan)) {
		return nil
	}
	if there, err := os.Stat(f.plans); err == nil && sameFile(filepath.Dir(plan), there) {
		return fmt.Errorf("--plans: %s is an input and would be overwritten", plan)
	}
	return nil
}

// isSchedule says whether a file is named as schedules are.
func isSchedule(name string) bool {
	number, ours := strings.CutPrefix(name, "schedule-")
	number, json := strings.CutSuffix(number, ".json")
	return ours && json && number != "" && strings.Trim(number, "0123456789") == ""
}

// parsePercent reads a decimal number that is not negative.
func parsePercent(s string) (passes.Percent, error) {
	text := strings.TrimSpace(strings.TrimSuffix(s, "%"))
	if strings.Trim(text, "0123456789.") == "" && len(text) < 16 {
		if r, ok := new(big.Rat).SetString(text); ok && r.Num().IsInt64() && r.Denom().IsInt64() {
			return passes.Percent{Num: r.Num().Int64(), Den: r.Denom().Int64()}, nil
		}
	}
	return passes.Percent{}, fmt.Errorf("--within: %q is no percentage such as 2 or 0.5", s)
}

func (f *exploreFlags) run(ctx context.Context, env Env, args []string) (int, error) {
	x, outs, err := f.validate(args)
	if err != nil {
		return 0, fmt.Errorf("explore: %w", err)
	}
	name := args[0]
	set, err := loadRules(env, f.rules)
	if set == nil {
		return exitBad, err
	}
	if files := set.Comparing(); len(files) > 0 {
		return 0, fmt.Errorf("explore: --rules: %s compares a plan with its parent; explore compares the phases by itself", files[0])
	}
	plan, diags := readPlan(ctx, env, name)
	if plan == nil {
		return exitBad, complain(env, diags)
	}
	progress := newProgress(env, f.quiet)
	x.Rules, x.Timeout = set, f.limit()
	x.Search = schedule.Options{Seed: f.seed, Steps: f.steps, OnChange: progress.change}
	x.OnFound = func(found, tried int) {
		progress.say(fmt.Sprintf("%d of %d schedules, %d tried", found, f.count, tried))
	}
	out, err := passes.Explore(ctx, plan, x)
	progress.end()
	switch {
	case errors.Is(err, context.Canceled):
		return 0, errInterrupted
	case err != nil:
		return 0, fmt.Errorf("explore: %s: %w", report.FileName(name), err)
	case out.Best.Refused != nil:
		return exitBad, complain(env, out.Best.Refused)
	case len(out.Rows) == 0:
		return f.conclude(ctx, env, name, set, out.Best)
	}
	if err := f.write(env, f.list(ctx, name, set, out), out, outs); err != nil {
		return 0, fmt.Errorf("explore: %w", err)
	}
	if out.Decided && !f.quiet {
		fmt.Fprintf(env.Stderr, "%s: the plan decides everything; --free stage,core,placement gives decisions up\n", report.FileName(name))
	}
	return exitOK, nil
}

// list is what is told of the schedules.
func (f *exploreFlags) list(ctx context.Context, name string, set *rules.Set, out *passes.Explored) *report.Exploration {
	x := &report.Exploration{
		Version: Version, Name: name, RuleFiles: set.Files(), Invariants: len(set.Invariants()),
		Count: f.count, Within: strings.TrimSpace(strings.TrimSuffix(f.within, "%")), Distance: f.distance, Pareto: f.pareto,
		Bound: out.Best.Result.Bound, Limit: out.Limit, Found: out.Found, Broken: out.Broken, Unpacked: out.Unpacked,
		All: out.All,
	}
	switch {
	case out.All:
	case out.TooLarge:
		x.Ended = "the plan has too many ops to look for others"
	case ctx.Err() != nil:
		x.Ended = "interrupted"
	case out.Exhausted:
		x.Ended = "not every choice of stages could be decided"
	case out.Found >= f.count:
		x.Ended = fmt.Sprintf("--count %d is reached", f.count)
	case f.steps > 0:
		x.Ended = "the steps are spent"
	default:
		x.Ended = "time ran out"
	}
	digits := len(fmt.Sprint(len(out.Rows)))
	for i := range out.Rows {
		s := scheduleRow(&out.Rows[i])
		s.Number = i + 1
		if f.plans != "" {
			s.File = filepath.Join(f.plans, fmt.Sprintf("schedule-%0*d.json", digits, i+1))
		}
		x.Schedules = append(x.Schedules, s)
	}
	if out.Current != nil {
		s := scheduleRow(out.Current)
		x.Current = &s
	}
	return x
}

func scheduleRow(r *passes.Row) report.Schedule {
	s := report.Schedule{
		Digest: r.Digest, Front: r.Front, Errors: r.Broken,
		Costs: [5]int64{r.Interval, r.Forwards, r.Traffic, r.Peak, int64(r.Busy)},
	}
	for _, m := range r.FromBest {
		s.FromBest = append(s.FromBest, report.Move(m))
	}
	for _, m := range r.FromCurrent {
		s.FromCurrent = append(s.FromCurrent, report.Move(m))
	}
	return s
}

// write writes the plans, and then the list in every format. Plans of an earlier
// list would be taken for some of this one, so they are removed.
func (f *exploreFlags) write(env Env, x *report.Exploration, out *passes.Explored, outs []exploreOutput) error {
	if err := removeSchedules(f.plans); err != nil {
		return err
	}
	for i := range x.Schedules {
		if s := &x.Schedules[i]; s.File != "" {
			if err := writeBytes(env, s.File, ir.Encode(out.Rows[i].Plan)); err != nil {
				return err
			}
		}
	}
	for _, o := range outs {
		if o.format.Chart {
			drawSchedules(x, out)
		}
		opts := report.Options{Quiet: f.quiet}
		if o.path == stdoutName {
			opts.Color = env.colorFor(f.color, env.Stdout)
			if err := o.format.Write(env.Stdout, x, opts); err != nil {
				return fmt.Errorf("writing %s to standard output: %w", o.format.Name, err)
			}
			continue
		}
		if err := writeFile(o.path, func(w io.Writer) error { return o.format.Write(w, x, opts) }); err != nil {
			return fmt.Errorf("writing %s: %w", o.format.Name, err)
		}
	}
	return nil
}

// removeSchedules removes the files of a folder that are named as schedules are.
func removeSchedules(folder string) error {
	if folder == "" {
		return nil
	}
	entries, err := os.ReadDir(folder)
	if err != nil {
		return fmt.Errorf("--plans: %w", err)
	}
	for _, e := range entries {
		if !isSchedule(e.Name()) || !e.Type().IsRegular() {
			continue
		}
		if err := os.Remove(filepath.Join(folder, e.Name())); err != nil {
			return fmt.Errorf("--plans: %w", err)
		}
	}
	return nil
}

// drawSchedules adds the charts.
func drawSchedules(x *report.Exploration, out *passes.Explored) {
	for i := range x.Schedules {
		x.Schedules[i].Chart = chart.Of(out.Rows[i].Plan, nil)
	}
	if x.Current != nil {
		x.Current.Chart = chart.Of(out.Current.Plan, nil)
	}
}
