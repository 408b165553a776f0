package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"plancheck/internal/diag"
	"plancheck/rules"
)

// githubShown is how many annotations of a kind GitHub shows for one step of a
// job; the others stand in its log only (docs.github.com, "Workflow commands
// for GitHub Actions", and the limits of annotations).
const githubShown = 10

func githubFormat() Format {
	return Format{
		Name:  "github",
		About: "annotations, as workflow commands of GitHub Actions",
		Write: writeGitHub,
	}
}

// writeGitHub writes a workflow command for each story, the gravest kinds
// first, and a notice that says what was checked and how many annotations
// GitHub does not show.
func writeGitHub(w io.Writer, run *Run, _ Options) error {
	out := &githubWriter{w: bufio.NewWriter(w), count: map[string]int{}}
	for severity := diag.Error; ; severity-- {
		out.severity(run, severity)
		if severity == diag.Note {
			break
		}
	}
	out.notice(run)
	return out.w.Flush()
}

// githubWriter writes commands and counts them by kind.
type githubWriter struct {
	w     *bufio.Writer
	count map[string]int
}

// severity writes everything of one severity, in the order of the run.
func (out *githubWriter) severity(run *Run, s diag.Severity) {
	each := func(ds []diag.Diagnostic) {
		for _, story := range stories(ds) {
			if story[0].Severity == s {
				out.story(story)
			}
		}
	}
	each(run.RuleDiags)
	for _, d := range run.Documents {
		each(d.Errors)
		if d.Verdict != nil {
			each(d.Verdict.Findings)
		}
	}
}

func (out *githubWriter) story(story []diag.Diagnostic) {
	first := story[0]
	lines := append([]string{printable(first.Message)}, githubSteps(first)...)
	if first.Help != "" {
		lines = append(lines, "help: "+printable(first.Help))
	}
	for i, f := range story[1:] {
		if i == storyLines && len(story)-1 > storyLines+1 {
			lines = append(lines, "... and "+Thousands(len(story)-1-i)+" more for the same cause")
			break
		}
		lines = append(lines, "also "+place(f.Pos)+": "+printable(f.Message))
	}
	kind := map[diag.Severity]string{diag.Error: "error", diag.Warning: "warning", diag.Note: "notice"}[first.Severity]
	out.count[kind]++
	var properties []string
	// Standard input and the built-in rule files are no files of the repository.
	if p := first.Pos; p.File != "" && p.File != "-" && !strings.HasPrefix(p.File, rules.Builtin+":") {
		properties = append(properties, "file="+githubProperty(p.File))
		if p.Line > 0 {
			properties = append(properties, fmt.Sprintf("line=%d", p.Line), fmt.Sprintf("col=%d", max(p.Column, 1)))
		}
	}
	properties = append(properties, "title="+githubProperty(printable(first.Code)))
	out.command(kind, properties, lines)
}

// githubSteps are the steps of a finding, a line each.
func githubSteps(d diag.Diagnostic) []string {
	t := tell(d, false)
	var lines []string
	for _, s := range t.lines {
		line := s.text
		if s.number > 0 {
			line = fmt.Sprintf("%d. %s", s.number, s.text)
		}
		if s.places != "" {
			line += " (" + s.places + ")"
		}
		lines = append(lines, line)
	}
	if t.after != "" {
		lines = append(lines, t.after)
	}
	return lines
}

func (out *githubWriter) command(kind string, properties, lines []string) {
	fmt.Fprintf(out.w, "::%s %s::%s\n", kind, strings.Join(properties, ","), githubData(strings.Join(lines, "\n")))
}

// notice ends the report.
func (out *githubWriter) notice(run *Run) {
	var lines []string
	if n := Count(run.RuleDiags, diag.Error); n > 0 {
		lines = append(lines, "no plan was judged: rules, suppressions or baseline have "+counted(n, "error"))
	}
	for i, d := range run.Documents {
		if i == storyLines && len(run.Documents) > storyLines+1 {
			lines = append(lines, "... and "+counted(len(run.Documents)-i, "more plan"))
			break
		}
		if d.Verdict == nil {
			lines = append(lines, FileName(d.Name)+": "+counted(len(d.Errors), "error")+", not judged")
		} else {
			lines = append(lines, FileName(d.Name)+": "+summary(false, d))
		}
	}
	for _, kind := range []string{"error", "warning"} {
		if more := out.count[kind] - githubShown; more > 0 {
			lines = append(lines, fmt.Sprintf("GitHub shows %d annotations of a kind; %s in the log of this step only",
				githubShown, counted(more, "more "+kind)+" stand"+map[bool]string{true: "s"}[more == 1]))
		}
	}
	if len(lines) == 0 {
		lines = append(lines, "nothing was checked")
	}
	out.command("notice", []string{"title=plancheck"}, lines)
}

// githubData escapes what a command says: % and line ends.
func githubData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// githubProperty escapes a property, which a colon or a comma would end too.
func githubProperty(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(githubData(s))
}
