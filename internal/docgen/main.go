// Command docgen writes the pages of docs that are made from declarations:
// docs/rules, one page a code, docs/facts.md, the manual page docs/plancheck.1
// and the JSON Schemas in docs/schema. With --check it writes nothing and fails
// when a page is not what it would write.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"plancheck/facts"
	"plancheck/internal/cli"
	"plancheck/ir/levels"
	"plancheck/rules"
)

func main() {
	check := pflag.Bool("check", false, "fail when a page is stale, and write nothing")
	dir := pflag.String("docs", "docs", "folder of the pages")
	pflag.Parse()
	if err := run(*dir, *check); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(dir string, check bool) error {
	pages, err := Pages()
	if err != nil {
		return err
	}
	var stale []string
	old, err := filepath.Glob(filepath.Join(dir, "rules", "*.md"))
	if err != nil {
		return err
	}
	for _, path := range old {
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		if _, ok := pages[filepath.ToSlash(name)]; !ok {
			stale = append(stale, path)
			if !check {
				if err := os.Remove(path); err != nil {
					return err
				}
			}
		}
	}
	for name, page := range pages {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if now, err := os.ReadFile(path); err == nil && bytes.Equal(now, page) {
			continue
		}
		stale = append(stale, path)
		if check {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, page, 0o644); err != nil {
			return err
		}
	}
	slices.Sort(stale)
	if check && len(stale) > 0 {
		return fmt.Errorf("stale, run \"make docs\": %s", strings.Join(stale, " "))
	}
	return nil
}

// Pages returns all generated pages by their name within docs.
func Pages() (map[string][]byte, error) {
	set, diags := rules.Load(rules.Everything())
	if set == nil {
		return nil, fmt.Errorf("the built-in rules: %s", diags[0].Message)
	}
	pages := map[string][]byte{"facts.md": factsPage(), "rules/README.md": indexPage(set)}
	pages["plancheck.1"] = cli.ManPage()
	schemas, err := cli.Schemas()
	if err != nil {
		return nil, err
	}
	for kind, schema := range schemas {
		pages["schema/"+kind+".json"] = schema
	}
	byCode := map[string][]rules.Invariant{}
	for _, inv := range set.Invariants() {
		byCode[inv.Code] = append(byCode[inv.Code], inv)
	}
	if len(byCode) == 0 {
		return nil, errors.New("no invariants")
	}
	for code, invs := range byCode {
		page, err := codePage(set, code, invs)
		if err != nil {
			return nil, err
		}
		pages["rules/"+code+".md"] = page
	}
	return pages, nil
}

const made = "<!-- Made by \"make docs\" from the rule files. Do not edit. -->\n\n"

func codePage(set *rules.Set, code string, invs []rules.Invariant) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s# %s\n", made, code)
	for _, inv := range invs {
		if len(invs) > 1 {
			fmt.Fprintf(&b, "\n## %s\n", strings.ReplaceAll(inv.Relation, "_", " "))
		}
		fmt.Fprintf(&b, "\n%s\n\n", inv.Doc)
		fmt.Fprintf(&b, "- severity: %s\n- message: %s\n", inv.Severity, code1(inv.Message))
		if inv.Help != "" {
			fmt.Fprintf(&b, "- help: %s\n", code1(inv.Help))
		}
		if inv.Hole {
			b.WriteString("- reports what is not decided yet: `check --partial` leaves it out\n")
		}
		fmt.Fprintf(&b, "\nThe rule, in `%s`:\n\n```prolog\n%s\n```\n", inv.Pos.File, strings.Join(inv.Clauses, "\n"))
		bad, said, err := cli.ExampleOf(context.Background(), set, inv)
		if err != nil {
			return nil, err
		}
		if bad == "" {
			continue
		}
		example := rules.Examples(inv.Relation)
		if example.Parent != nil {
			fmt.Fprintf(&b, "\nThe parent %s:\n\n```json\n%s\n```\n", cli.Noun(example.Parent), bytes.TrimRight(example.Parent, "\n"))
		}
		fmt.Fprintf(&b, "\nA %s that breaks it:\n\n```json\n%s\n```\n\nWhat plancheck says:\n\n```text\n%s\n```\n", cli.Noun([]byte(bad)), bad, said)
		if good := example.Good; good != nil {
			fmt.Fprintf(&b, "\nThe same %s, mended:\n\n```json\n%s\n```\n", cli.Noun(good), bytes.TrimRight(good, "\n"))
		}
	}
	return b.Bytes(), nil
}

func code1(s string) string { return "`" + s + "`" }

func indexPage(set *rules.Set) []byte {
	var b bytes.Buffer
	b.WriteString(made + "# The rules\n\n| code | severity | what must hold |\n|---|---|---|\n")
	seen := map[string]bool{}
	for _, inv := range set.Invariants() {
		name := fmt.Sprintf("[%s](%s.md)", inv.Code, inv.Code)
		if seen[inv.Code] {
			name = ""
		}
		seen[inv.Code] = true
		fmt.Fprintf(&b, "| %s | %s | %s |\n", name, inv.Severity, cell(inv.Doc))
	}
	b.WriteString("\n## Costs\n\n| cost | unit | what it is |\n|---|---|---|\n")
	for _, o := range set.Objectives() {
		fmt.Fprintf(&b, "| %s | %s | %s |\n", o.Name, o.Unit, cell(o.Doc))
	}
	return b.Bytes()
}

func cell(s string) string { return strings.ReplaceAll(s, "|", "\\|") }

func factsPage() []byte {
	var b bytes.Buffer
	b.WriteString("<!-- Made by \"make docs\" from the table of relations. Do not edit. -->\n\n" +
		"# The facts\n\nWhat rules can read of a plan. A relation of facts is given by the document; a rule cannot add to it.\n" +
		"Relations that a plan has nothing for are empty. `plancheck facts plan.json` prints them.\n")
	section := "-"
	for _, r := range facts.Relations() {
		if r.OfLevel()+r.Section != section {
			section = r.OfLevel() + r.Section
			title := r.Section
			if l, ok := levels.Of(r.OfLevel()); ok {
				title = l.Name + " " + r.Section
			}
			switch {
			case r.OfParent():
				title = "the parent plan"
			case title == "":
				title = "the document"
			}
			fmt.Fprintf(&b, "\n## %s\n\n| relation | columns | meaning |\n|---|---|---|\n", title)
		}
		var cols []string
		for _, c := range r.Cols {
			cols = append(cols, fmt.Sprintf("%s `%s`", c.Name, c.Type))
		}
		doc := r.Doc
		if r.ForCompletion() {
			doc += " It is for those who complete plans; no rule has to read it."
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", r.Name, strings.Join(cols, ", "), cell(doc))
	}
	return b.Bytes()
}
