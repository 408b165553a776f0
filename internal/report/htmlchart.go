package report

import (
	"fmt"
	"slices"

	"plancheck/internal/chart"
	"plancheck/internal/diag"
)

// What a chart shows of the places of findings.
const (
	htmlMarks = 6  // in one cell
	htmlStops = 10 // of a story
	htmlNames = 4  // of ops at one stop
)

// htmlChart is the plan, stage by stage.
type htmlChart struct {
	Stages []htmlStage
	Slow   string // which stage sets the pace
	Guilty bool   // something is marked
}

type htmlStage struct {
	Name, Range, About string
	Slow               bool // sets the pace
	Unknown            bool // the plan does not list it
	Marks              []htmlMark
	More               int
	Cells              []htmlCell
}

type htmlCell struct {
	Name, Physical string
	Stranger       bool // does not belong to the stage
	Percent        int  // of the largest load
	Cycles, Shares string
	Marks          []htmlMark
	More           int
}

// htmlMark is a link from the chart to a story.
type htmlMark struct {
	Href, Text, Title string
	Severity          string
}

// htmlStop is a stage, or a run of stages without guilt, on the way of a story.
type htmlStop struct {
	Name  string
	Ops   []string
	More  int
	Empty bool
}

// atlas knows where stories are on the chart.
type atlas struct {
	chart   *chart.Chart
	stories [][]diag.Diagnostic
	places  map[int][]chart.Place // of a story: those of its findings
}

func newAtlas(d Document, all [][]diag.Diagnostic) *atlas {
	a := &atlas{chart: d.Chart, stories: all, places: map[int][]chart.Place{}}
	if d.Chart == nil {
		return a
	}
	story := storyOf(d.Verdict.Findings)
	for _, g := range d.Chart.Guilty {
		k := story[g.Finding]
		for _, p := range g.Places {
			if !slices.Contains(a.places[k], p) {
				a.places[k] = append(a.places[k], p)
			}
		}
	}
	return a
}

// stops shows the ops of a story stage by stage, with what lies between; or
// says in words where it is.
func (a *atlas) stops(k int) ([]htmlStop, string) {
	ops := map[int64][]string{}
	var stages []int64
	cores := map[int64]bool{}
	for _, p := range a.places[k] {
		if p.Stage != chart.None && !slices.Contains(stages, p.Stage) {
			stages = append(stages, p.Stage)
		}
		if p.Op != "" && !slices.Contains(ops[p.Stage], p.Op) {
			ops[p.Stage] = append(ops[p.Stage], p.Op)
		}
		if p.Core != chart.None {
			cores[p.Core] = true
		}
	}
	slices.Sort(stages)
	if len(stages) < 2 || len(stages) > htmlStops {
		return nil, a.where(stages, cores)
	}
	var all []htmlStop
	for i, s := range stages {
		if i > 0 && stages[i-1]+1 < s {
			name := fmt.Sprintf("stage %d", s-1)
			if stages[i-1]+2 < s {
				name = fmt.Sprintf("stages %d to %d", stages[i-1]+1, s-1)
			}
			all = append(all, htmlStop{Name: name, Empty: true})
		}
		stop := htmlStop{Name: fmt.Sprintf("stage %d", s)}
		for j, op := range ops[s] {
			if j == htmlNames {
				stop.More = len(ops[s]) - j
				break
			}
			stop.Ops = append(stop.Ops, printable(op))
		}
		all = append(all, stop)
	}
	return all, ""
}

func (a *atlas) where(stages []int64, cores map[int64]bool) string {
	text := ""
	switch {
	case len(stages) == 1:
		text = fmt.Sprintf("stage %d", stages[0])
	case len(stages) > 1:
		text = fmt.Sprintf("%d stages", len(stages))
	}
	if len(cores) == 1 {
		for core := range cores {
			if text != "" {
				text += ", "
			}
			text += fmt.Sprintf("logical core %d", core)
		}
	}
	return text
}

// newHTMLChart draws a plan; nil when there is nothing to draw. Only stories
// that are on the page can be linked to.
func newHTMLChart(d Document, doc string, a *atlas, onPage int) *htmlChart {
	c := d.Chart
	if c == nil || len(c.Stages) == 0 {
		return nil
	}
	out := &htmlChart{}
	for _, s := range c.Stages {
		stage := newHTMLStage(s)
		if stage.Slow = s.Cycles > 0 && s.Cycles == c.MaxCycles; stage.Slow && out.Slow == "" {
			out.Slow = fmt.Sprintf("%s sets the pace with %s a result", stage.Name, counted(c.MaxCycles, "cycle"))
		}
		stage.Marks, stage.More = a.marks(doc, onPage, func(p chart.Place) bool { return p.Core == chart.None && p.Op == "" && in(s, p.Stage) })
		for i, cell := range s.Cells {
			h := newHTMLCell(cell, c.MaxCycles)
			h.Marks, h.More = a.marks(doc, onPage, func(p chart.Place) bool { return onCell(s, cell, i == len(s.Cells)-1, p) })
			stage.Cells = append(stage.Cells, h)
			out.Guilty = out.Guilty || len(h.Marks) > 0
		}
		out.Guilty = out.Guilty || len(stage.Marks) > 0
		out.Stages = append(out.Stages, stage)
	}
	return out
}

func in(s chart.Stage, index int64) bool { return s.Index <= index && index <= s.Last }

// onCell says whether a place is drawn in a cell. A core in any stage is drawn
// where the core is owned.
func onCell(s chart.Stage, c chart.Cell, last bool, p chart.Place) bool {
	if p.Op == "" && p.Stage == chart.None {
		return p.Core != chart.None && c.Owned && c.First != chart.None && c.First <= p.Core && p.Core <= c.Last
	}
	if !in(s, p.Stage) || p.Op == "" && p.Core == chart.None {
		return false
	}
	if s.Index != s.Last {
		return true // several stages in one cell
	}
	if p.Core == chart.None {
		return c.First == chart.None
	}
	return c.First != chart.None && c.First <= p.Core && p.Core <= c.Last
}

// marks lists the stories that have a place where here says so.
func (a *atlas) marks(doc string, onPage int, here func(chart.Place) bool) (all []htmlMark, more int) {
	for k := range onPage {
		var ops []string
		found := false
		for _, p := range a.places[k] {
			if here(p) {
				found = true
				if p.Op != "" && !slices.Contains(ops, p.Op) {
					ops = append(ops, p.Op)
				}
			}
		}
		if !found {
			continue
		}
		if len(all) == htmlMarks {
			more++
			continue
		}
		f := a.stories[k][0]
		mark := htmlMark{
			Href: fmt.Sprintf("#%s-finding-%d", doc, k+1), Text: fmt.Sprint(k + 1),
			Title: fmt.Sprintf("finding %d, %s: %s", k+1, f.Severity, printable(f.Message)), Severity: f.Severity.String(),
		}
		if len(ops) > 0 {
			mark.Text += " " + printable(ops[0])
		}
		if len(ops) > 1 {
			mark.Text += fmt.Sprintf(" +%d", len(ops)-1)
		}
		all = append(all, mark)
	}
	return all, more
}

func newHTMLStage(s chart.Stage) htmlStage {
	h := htmlStage{Name: fmt.Sprintf("Stage %d", s.Index), Unknown: !s.Listed && s.Index != chart.None}
	switch {
	case s.Index == chart.None:
		h.Name = "No stage yet"
	case s.Index != s.Last:
		h.Name = fmt.Sprintf("Stages %d to %d", s.Index, s.Last)
	case s.First == chart.None:
		h.Range = "no range of cores"
	case s.Count <= 0:
		h.Range = "no cores"
	case s.Count == 1:
		h.Range = fmt.Sprintf("core %d", s.First)
	default:
		h.Range = fmt.Sprintf("cores %d to %d", s.First, s.First+s.Count-1)
		if s.First+s.Count < 0 {
			h.Range = fmt.Sprintf("%d cores from %d on", s.Count, s.First)
		}
	}
	h.About = counted(s.Ops, "op")
	if s.Cycles > 0 {
		h.About += ", " + counted(s.Cycles, "cycle")
	}
	return h
}

func newHTMLCell(c chart.Cell, most int64) htmlCell {
	h := htmlCell{Stranger: !c.Owned, Shares: counted(c.Shares, "lane"), Cycles: counted(c.Cycles, "cycle")}
	switch {
	case c.First == chart.None:
		h.Name = "no core yet"
	case c.First == c.Last:
		h.Name = fmt.Sprintf("core %d", c.First)
	default:
		h.Name = fmt.Sprintf("cores %d-%d", c.First, c.Last)
	}
	if c.Physical != chart.None {
		h.Physical = fmt.Sprintf("on physical core %d", c.Physical)
	}
	if most > 0 {
		h.Percent = int(float64(c.Cycles) / float64(most) * 100)
		if c.Cycles > 0 {
			h.Percent = max(h.Percent, 1)
		}
	}
	return h
}
