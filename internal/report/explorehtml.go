package report

import (
	"bufio"
	"embed"
	"fmt"
	"html/template"
	"io"
	"strings"

	"plancheck/internal/chart"
)

// How much one page of schedules holds. What is beyond is counted on the page;
// the json list has all of it.
const (
	htmlSchedules = 60
	htmlMoves     = 20 // of a stage
)

//go:embed html/explore.html html/page.css html/explore.css html/explore.js
var exploreFiles embed.FS

// writeExploreHTML writes a page that needs nothing else, as writeHTML does.
func writeExploreHTML(w io.Writer, x *Exploration, _ Options) error {
	t, err := template.ParseFS(exploreFiles, "html/explore.html")
	if err != nil {
		return err
	}
	var parts [3]string
	for i, name := range []string{"html/page.css", "html/explore.css", "html/explore.js"} {
		data, err := exploreFiles.ReadFile(name)
		if err != nil {
			return err
		}
		parts[i] = string(data)
	}
	page := newExplorePage(x)
	page.Style, page.Script = template.CSS(parts[0]+parts[1]), template.JS(parts[2])
	out := bufio.NewWriter(w)
	if err := t.Execute(out, page); err != nil {
		return err
	}
	return out.Flush()
}

// explorePage is what the template shows. All strings in it are printable.
type explorePage struct {
	Style                template.CSS
	Script               template.JS
	Version, Title, Name string
	Headline, End        string
	Columns              []string
	Rows                 []exploreRow
	Plot                 *explorePlot
	Current              bool
	Cards                []exploreCard
	More                 int
	RuleFiles            []htmlRuleFile
}

type exploreRow struct {
	ID, Name string
	Front    bool
	Cells    []labelled
}

type labelled struct{ Label, Text string }

type exploreCard struct {
	ID, Name, File, Digest string
	Badges                 []string
	Same                   string
	Broken                 bool
	Costs                  []labelled
	Stages                 []exploreStage
}

type exploreStage struct {
	Name, About, Bars string
	Slow, Changed     bool
	Cells             []exploreCell
	Changes           []exploreChange
}

type exploreCell struct {
	Percent int
	Title   string
}

// exploreChange is what is different in a stage from another schedule.
type exploreChange struct {
	Kind, Text string
	Ops        []string
	More       int
}

func newExplorePage(x *Exploration) explorePage {
	page := explorePage{Version: printable(x.Version), Name: FileName(x.Name), Headline: exploreHeadline(x), Current: x.Current != nil}
	page.Title = page.Name + ": " + page.Headline + " - plancheck"
	end := exploreEnd(x)
	page.End = strings.ToUpper(end[:1]) + end[1:]
	for _, f := range x.RuleFiles {
		page.RuleFiles = append(page.RuleFiles, htmlRuleFile{printable(f.Name), printable(f.Digest), counted(f.Rules, "rule"), f.Builtin})
	}
	table := exploreTable(x)
	page.Columns = table[0][2:]
	most := int64(0)
	for _, s := range x.shown() {
		if s.Chart != nil {
			most = max(most, s.Chart.MaxCycles)
		}
	}
	for i, s := range x.shown() {
		if s != x.Current && s.Number > htmlSchedules {
			page.More++
			continue
		}
		row := exploreRow{ID: s.id(), Name: s.name(), Front: s.Front}
		// The current plan is the last row of the table, and the first card.
		cells := table[1+i]
		if x.Current != nil {
			cells = table[1+(i+len(table)-2)%(len(table)-1)]
		}
		for k, cell := range cells[2:] {
			row.Cells = append(row.Cells, labelled{page.Columns[k], cell})
		}
		page.Rows = append(page.Rows, row)
		page.Cards = append(page.Cards, newExploreCard(x, s, most))
	}
	page.Plot = newExplorePlot(x)
	return page
}

// shown are the schedules in the order of the page: the current plan first.
func (x *Exploration) shown() []*Schedule {
	var list []*Schedule
	if x.Current != nil {
		list = append(list, x.Current)
	}
	for i := range x.Schedules {
		list = append(list, &x.Schedules[i])
	}
	return list
}

// id is the place of a schedule on the page.
func (s *Schedule) id() string {
	if s.Number == 0 {
		return "now"
	}
	return fmt.Sprintf("schedule-%d", s.Number)
}

func (s *Schedule) name() string {
	if s.Number == 0 {
		return "The plan as it is"
	}
	return fmt.Sprintf("Schedule %d", s.Number)
}

func newExploreCard(x *Exploration, s *Schedule, most int64) exploreCard {
	card := exploreCard{ID: s.id(), Name: s.name(), File: printable(s.File), Digest: s.Digest, Broken: s.Errors > 0}
	if s.Number == 1 {
		card.Badges = append(card.Badges, "the best")
	}
	if s.Front {
		card.Badges = append(card.Badges, "on the front")
	}
	if s.Errors > 0 {
		card.Badges = append(card.Badges, "not legal: "+counted(s.Errors, "error"))
	}
	for i, m := range Measures() {
		text := known(s.Costs[i])
		if s.Costs[i] != NotKnown {
			text = fmt.Sprintf("%s %s", text, m.Unit)
		}
		card.Costs = append(card.Costs, labelled{m.Name, text})
	}
	if x.Current != nil && s != x.Current && len(s.FromCurrent) == 0 {
		card.Same = "Every op has the stage that it has in the plan as it is."
	}
	if s.Chart == nil {
		return card
	}
	for _, stage := range s.Chart.Stages {
		line := newExploreStage(stage, most)
		line.Slow = stage.Cycles > 0 && stage.Cycles == s.Chart.MaxCycles
		for _, c := range []exploreChange{
			changeOf("best", "the best", stage, s.FromBest),
			changeOf("now", "the plan as it is", stage, s.FromCurrent),
		} {
			if len(c.Ops) > 0 {
				line.Changes = append(line.Changes, c)
				line.Changed = true
			}
		}
		card.Stages = append(card.Stages, line)
	}
	return card
}

func newExploreStage(s chart.Stage, most int64) exploreStage {
	h := newHTMLStage(s)
	line := exploreStage{Name: h.Name, About: h.About}
	if h.Range != "" {
		line.About = h.Range + ", " + h.About
	}
	least := int64(-1)
	for _, c := range s.Cells {
		cell := newHTMLCell(c, most)
		line.Cells = append(line.Cells, exploreCell{cell.Percent, cell.Name + ": " + cell.Cycles + ", " + cell.Shares})
		if least < 0 || c.Cycles < least {
			least = c.Cycles
		}
	}
	line.Bars = fmt.Sprintf("loads of %s: %s to %s", counted(len(s.Cells), "core"), Thousands(max(least, 0)), counted(s.Cycles, "cycle"))
	return line
}

// changeOf is what is different in a stage from another schedule.
func changeOf(kind, than string, s chart.Stage, moves []Move) exploreChange {
	c := exploreChange{Kind: kind}
	came, left := 0, 0
	add := func(text string) {
		if len(c.Ops) == htmlMoves {
			c.More++
			return
		}
		c.Ops = append(c.Ops, text)
	}
	for _, m := range moves {
		switch from, to := in(s, int64(m.From)), in(s, int64(m.To)); {
		case to && !from:
			came++
			add(fmt.Sprintf("+ %s, from stage %d", printable(m.Op), m.From))
		case from && !to:
			left++
			add(fmt.Sprintf("\u2212 %s, to stage %d", printable(m.Op), m.To))
		}
	}
	c.Text = fmt.Sprintf("+%d \u2212%d against %s", came, left, than)
	return c
}
