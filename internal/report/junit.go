package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"plancheck/internal/diag"
	"plancheck/internal/symbol"
	"plancheck/rules"
)

func junitFormat() Format {
	return Format{
		Name:  "junit",
		About: "JUnit XML, a test suite for each plan, for CI servers",
		Write: writeJUnit,
	}
}

// writeJUnit writes a test suite for each document with a test case for each
// code that was asked. A code fails when it has errors, as the exit code does;
// warnings are output of a case that passed. A document that could not be
// judged has an error for each thing that is wrong with it.
func writeJUnit(w io.Writer, run *Run, opts Options) error {
	var suites []junitSuite
	if len(run.RuleDiags) > 0 {
		suites = append(suites, refusedSuite("rules", run.RuleDiags))
	}
	for _, d := range run.Documents {
		if d.Verdict == nil {
			suites = append(suites, refusedSuite(FileName(d.Name), d.Errors))
		} else {
			suites = append(suites, judgedSuite(run, d, opts))
		}
	}
	out := bufio.NewWriter(w)
	var all junitSuite
	for _, s := range suites {
		all.cases = append(all.cases, s.cases...)
	}
	fmt.Fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"plancheck\"%s>\n", all.counts())
	for _, s := range suites {
		s.write(out)
	}
	fmt.Fprintln(out, "</testsuites>")
	return out.Flush()
}

type junitSuite struct {
	name  string
	cases []junitCase
	// Findings that are in no case.
	known, suppressed int
}

// junitCase is a test case: it passed unless outcome says otherwise.
type junitCase struct {
	name    string
	pos     diag.Position
	outcome string // "", failure, error or skipped
	kind    string // severity or code
	message string
	text    string // of the outcome
	output  string // of a case that passed
}

func refusedSuite(name string, ds []diag.Diagnostic) junitSuite {
	s := junitSuite{name: name}
	for _, d := range ds {
		c := junitCase{name: printable(d.Code), pos: d.Pos}
		if d.Pos.Pointer != "" {
			c.name += " at " + printable(d.Pos.Pointer)
		}
		text := storyText([]diag.Diagnostic{d}, nil, Options{})
		if d.Severity == diag.Error {
			c.outcome, c.kind, c.message, c.text = "error", d.Code, d.Message, text
		} else {
			c.output = text
		}
		s.cases = append(s.cases, c)
	}
	return s
}

func judgedSuite(run *Run, d Document, opts Options) junitSuite {
	found := map[string][]diag.Diagnostic{}
	var order []string
	for _, ways := range codes(run.Invariants) {
		order = append(order, ways[0].Code)
		found[ways[0].Code] = nil
	}
	for _, f := range d.Verdict.Findings {
		if _, asked := found[f.Code]; !asked {
			order = append(order, f.Code)
		}
		found[f.Code] = append(found[f.Code], f)
	}
	s := junitSuite{name: FileName(d.Name), known: len(d.Known), suppressed: len(d.Suppressed)}
	for _, code := range order {
		c := judgedCase(code, found[code], d.Verdict.Symbols, opts)
		if c.outcome == "" && run.Partial && onlyHoles(run.Invariants, code) {
			c.outcome, c.message = "skipped", "holes were left out (--partial)"
		}
		if c.pos.File == "" {
			c.pos.File = d.Name
		}
		s.cases = append(s.cases, c)
	}
	return s
}

func judgedCase(code string, findings []diag.Diagnostic, syms *symbol.Table, opts Options) junitCase {
	c := junitCase{name: printable(code)}
	if len(findings) == 0 {
		return c
	}
	c.pos = findings[0].Pos
	var text strings.Builder
	for i, story := range stories(findings) {
		if i == problemsShown {
			fmt.Fprintf(&text, "\n... and more: %s in all\n", counted(len(findings), "finding"))
			break
		}
		if i > 0 {
			text.WriteByte('\n')
		}
		text.WriteString(storyText(story, syms, opts))
	}
	if Count(findings, diag.Error) == 0 {
		c.output = text.String()
		return c
	}
	c.outcome, c.kind, c.message, c.text = "failure", "error", findings[0].Message, text.String()
	if more := len(findings) - 1; more > 0 {
		c.message += ", and " + Thousands(more) + " more"
	}
	return c
}

// storyText is a story as the text report shows it.
func storyText(story []diag.Diagnostic, syms *symbol.Table, opts Options) string {
	var b strings.Builder
	w := bufio.NewWriter(&b)
	writeStory(w, false, story, syms, opts.All)
	w.Flush()
	return b.String()
}

// onlyHoles says that a code is about nothing but holes.
func onlyHoles(invariants []rules.Invariant, code string) bool {
	n, holes := 0, 0
	for _, inv := range invariants {
		if inv.Code == code {
			n++
			if inv.Hole {
				holes++
			}
		}
	}
	return n > 0 && n == holes
}

func (s junitSuite) counts() string {
	count := map[string]int{}
	for _, c := range s.cases {
		count[c.outcome]++
	}
	return fmt.Sprintf(" tests=\"%d\" failures=\"%d\" errors=\"%d\" skipped=\"%d\"",
		len(s.cases), count["failure"], count["error"], count["skipped"])
}

func (s junitSuite) write(out *bufio.Writer) {
	fmt.Fprintf(out, "  <testsuite name=\"%s\"%s>\n", xmlText(s.name), s.counts())
	if s.known+s.suppressed > 0 {
		fmt.Fprintf(out, "    <properties>\n      <property name=\"known\" value=\"%d\"/>\n      <property name=\"suppressed\" value=\"%d\"/>\n    </properties>\n",
			s.known, s.suppressed)
	}
	for _, c := range s.cases {
		c.write(out, s.name)
	}
	fmt.Fprintln(out, "  </testsuite>")
}

func (c junitCase) write(out *bufio.Writer, suite string) {
	fmt.Fprintf(out, "    <testcase name=\"%s\" classname=\"%s\"", xmlText(c.name), xmlText(suite))
	if c.pos.File != "" {
		fmt.Fprintf(out, " file=\"%s\"", xmlText(FileName(c.pos.File)))
	}
	if c.pos.Line > 0 {
		fmt.Fprintf(out, " line=\"%d\"", c.pos.Line)
	}
	switch {
	case c.outcome == "skipped":
		fmt.Fprintf(out, ">\n      <skipped message=\"%s\"/>\n    </testcase>\n", xmlText(c.message))
	case c.outcome != "":
		fmt.Fprintf(out, ">\n      <%s type=\"%s\" message=\"%s\">%s</%s>\n    </testcase>\n",
			c.outcome, xmlText(printable(c.kind)), xmlText(printable(c.message)), xmlText(c.text), c.outcome)
	case c.output != "":
		fmt.Fprintf(out, ">\n      <system-out>%s</system-out>\n    </testcase>\n", xmlText(c.output))
	default:
		fmt.Fprintln(out, "/>")
	}
}

// xmlText escapes text for an element or an attribute in double quotes.
// Characters that XML 1.0 does not have (section 2.2) become U+FFFD.
func xmlText(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '&':
			b.WriteString("&amp;")
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '"':
			b.WriteString("&quot;")
		case r == '\r':
			b.WriteString("&#13;")
		case r == '\n', r == '\t', 0x20 <= r && r <= 0xd7ff, 0xe000 <= r && r <= 0xfffd, 0x10000 <= r:
			b.WriteRune(r)
		default:
			b.WriteRune('�')
		}
	}
	return b.String()
}
