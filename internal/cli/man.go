package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"
)

// ManPage is the manual page plancheck(1), in the man macros of roff, made from
// the same tables as the help texts. It has no date, so that the same program
// writes the same page.
func ManPage() []byte {
	var b strings.Builder
	b.WriteString(`.\" Made from the verbs and flags of plancheck by "plancheck help --man".` + "\n")
	fmt.Fprintf(&b, ".TH PLANCHECK 1 \"\" \"plancheck %s\" \"\"\n", Version)
	b.WriteString(".SH NAME\nplancheck \\- judge pipeline plans by rules, and prove every violation\n.SH SYNOPSIS\n")
	for i, v := range verbs() {
		if i > 0 {
			b.WriteString(".br\n")
		}
		name := v.name
		if name == "check" {
			name = "[check]"
		}
		fmt.Fprintf(&b, ".B plancheck %s\n", roff(name))
		if v.usage != "" {
			fmt.Fprintf(&b, "%s\n", roff(v.usage))
		}
	}
	b.WriteString(".SH DESCRIPTION\n" + roff(overviewText) + "\n.SH VERBS\n")
	for _, v := range verbs() {
		fmt.Fprintf(&b, ".SS %s\n%s", roff(strings.TrimSpace(v.name+" "+v.usage)), roffText(v.long))
		flagsOf(v).VisitAll(func(f *pflag.Flag) {
			name, text := flagText(f)
			fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(name), roff(text))
		})
		fmt.Fprintf(&b, ".PP\nExit codes:\n.PP\n.nf\n%s\n.fi\n.PP\nExamples:\n.PP\n.nf\n", roff(indented(v.exits)))
		for _, e := range v.examples {
			fmt.Fprintf(&b, "%s\n", roff(indented(e)))
		}
		b.WriteString(".fi\n")
	}
	b.WriteString(".SH EXIT STATUS\n")
	for _, e := range exitCodes() {
		fmt.Fprintf(&b, ".TP\n.B %d\n%s\n", e.code, roff(e.text))
	}
	b.WriteString(".SH ENVIRONMENT\n.TP\n.B NO_COLOR\nwhen it is set and not empty, no colours are used unless a flag asks for them\n")
	return []byte(b.String())
}

// roffText writes paragraphs; lines that begin with spaces stay as they are.
func roffText(s string) string {
	var b strings.Builder
	plain := false
	for line := range strings.Lines(s) {
		line = strings.TrimSuffix(line, "\n")
		if indented := strings.HasPrefix(line, " "); indented != plain {
			b.WriteString(map[bool]string{true: ".PP\n.nf\n", false: ".fi\n"}[indented])
			plain = indented
		}
		if line == "" {
			b.WriteString(".PP\n")
		} else {
			b.WriteString(roff(line) + "\n")
		}
	}
	if plain {
		b.WriteString(".fi\n")
	}
	return b.String()
}

// roff escapes a text: backslashes, dashes that are not hyphens, and what would
// be a request at the beginning of a line.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "'", `\(aq`, "~", `\(ti`, "^", `\(ha`, "`", `\(ga`).Replace(s)
	if strings.HasPrefix(s, ".") {
		s = `\&` + s
	}
	return strings.ReplaceAll(s, "\n.", "\n\\&.")
}
