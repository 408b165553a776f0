package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"plancheck/internal/chart"
	"plancheck/internal/strictjson/strictjsontest"
)

// stagesDrawn is a plan of so many stages of two cores, as it is drawn.
func stagesDrawn(stages int, cycles int64) *chart.Chart {
	c := &chart.Chart{MaxCycles: cycles, Ops: 3}
	for s := range stages {
		first := int64(2 * s)
		c.Stages = append(c.Stages, chart.Stage{Index: int64(s), Last: int64(s), Listed: true, First: first, Count: 2, Ops: 2, Cycles: cycles - int64(s),
			Cells: []chart.Cell{
				{First: first, Last: first, Owned: true, Physical: chart.None, Shares: 2, Cycles: cycles - int64(s)},
				{First: first + 1, Last: first + 1, Owned: true, Physical: chart.None, Shares: 1, Cycles: 1},
			}})
	}
	return c
}

// explorations are lists of all kinds, by name.
func explorations() map[string]*Exploration {
	one := func(number int, costs [5]int64, front bool) Schedule {
		return Schedule{Number: number, Digest: fmt.Sprintf("sha256:%d", number), Costs: costs, Front: front, Chart: stagesDrawn(3, costs[0])}
	}
	few := &Exploration{
		Version: "1.2.3", Name: "plan.json", RuleFiles: ruleFiles, Invariants: 7, Count: 10, Within: "2", Distance: 1,
		Bound: 1000, Limit: 1020, Found: 3, All: true,
		Schedules: []Schedule{one(1, [5]int64{1000, 1, 5_000, 4096, 6}, true), one(2, [5]int64{1000, 0, 9_000, 4096, 6}, true), one(3, [5]int64{1018, 1, 5_000, 4096, 6}, false)},
	}
	few.Schedules[1].FromBest = []Move{{"embed", 0, 1}, {"mlp", 1, 0}}
	few.Schedules[2].FromBest = []Move{{"embed", 0, 2}}
	current := *few
	now := one(0, [5]int64{2000, 1, NotKnown, 4096, NotKnown}, false)
	now.Digest, now.Errors, now.FromBest = "sha256:now", 2, []Move{{"mlp", 1, 2}}
	current.Current = &now
	current.Schedules = slices.Clone(few.Schedules)
	for i := range current.Schedules {
		s := &current.Schedules[i]
		s.File = fmt.Sprintf("out/schedule-%d.json", s.Number)
		if i > 0 {
			s.FromCurrent = []Move{{"mlp", 2, 1}, {"embed", 0, 1}}
		}
	}
	current.All, current.Ended, current.Bound, current.Distance = false, "time ran out", 990, 3
	current.Pareto, current.Found, current.Broken, current.Unpacked = true, 8, 1, 2
	odd := *few
	odd.Name, odd.All, odd.Ended = hostile, false, hostile
	odd.Schedules = slices.Clone(few.Schedules)
	odd.Schedules[1].File = hostile
	odd.Schedules[1].FromBest = []Move{{hostile, 0, 1}}
	single := *few
	single.Schedules, single.Found, single.Distance = few.Schedules[:1], 1, 5
	return map[string]*Exploration{"few": few, "current": &current, "odd": &odd, "single": &single}
}

func TestExploreGoldens(t *testing.T) {
	for name, x := range explorations() {
		for _, f := range ExploreFormats() {
			if f.Name == "html" {
				continue
			}
			var out bytes.Buffer
			if err := f.Write(&out, x, Options{}); err != nil {
				t.Fatal(err)
			}
			checkGolden(t, "explore/"+name+"."+f.Name, out.Bytes())
		}
	}
}

// Quiet text is the table alone; colours change nothing else.
func TestExploreTextOptions(t *testing.T) {
	x := explorations()["few"]
	text := func(o Options) string {
		var out bytes.Buffer
		if err := writeExploreText(&out, x, o); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	plain, quiet, coloured := text(Options{}), text(Options{Quiet: true}), text(Options{Color: true})
	if !strings.Contains(plain, quiet) || strings.Count(quiet, "\n") != 4 {
		t.Errorf("quiet:\n%s", quiet)
	}
	for _, code := range []string{faint, bold} {
		coloured = strings.ReplaceAll(coloured, "\x1b["+code+"m", "")
	}
	if got := strings.ReplaceAll(coloured, "\x1b[0m", ""); got != plain {
		t.Errorf("with colours:\n%s", got)
	}
}

// The schema accepts every list, and refuses fields that it does not know, that
// are missing or of another type.
func TestSchemaOfExplorations(t *testing.T) {
	schema := strictjsontest.Compile(t, ExplorationJSONSchema())
	for name, x := range explorations() {
		var out bytes.Buffer
		if err := writeExploreJSON(&out, x, Options{}); err != nil {
			t.Fatal(err)
		}
		if err := schemaError(schema, out.Bytes()); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		var fields map[string]json.RawMessage
		if err := json.Unmarshal(out.Bytes(), &fields); err != nil {
			t.Fatal(err)
		}
		for field, was := range fields {
			for what, change := range map[string]func(){
				"null":    func() { fields[field] = json.RawMessage("null") },
				"without": func() { delete(fields, field) },
			} {
				change()
				text, err := json.Marshal(fields)
				if err != nil {
					t.Fatal(err)
				}
				optional := what == "without" && (field == "ended" || field == "current")
				if (schemaError(schema, text) == nil) != optional {
					t.Errorf("%s: %s %s: accepted %v", name, field, what, !optional)
				}
				fields[field] = was
			}
		}
		for _, bad := range [][2]string{{`"on_front":true`, `"on_front":1`}, {`"digest"`, `"digets"`}, {`"forwards":1`, `"forwards":-1`}} {
			text := bytes.Replace(out.Bytes(), []byte(bad[0]), []byte(bad[1]), 1)
			if bytes.Equal(text, out.Bytes()) || schemaError(schema, text) == nil {
				t.Errorf("%s: accepted with %s", name, bad[1])
			}
		}
	}
}

func schemaError(schema *jsonschema.Schema, text []byte) error {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return err
	}
	return schema.Validate(value)
}

func explorePageOf(t *testing.T, x *Exploration) string {
	t.Helper()
	var out bytes.Buffer
	if err := writeExploreHTML(&out, x, Options{}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// A page of schedules stands alone, is well-formed, and shows what users wrote as
// text.
func TestExplorePage(t *testing.T) {
	for name, x := range explorations() {
		page := explorePageOf(t, x)
		for _, bad := range []string{" src=", "url(", "@import", "<link", "<iframe", "<img", "fetch(", "http:", "https:", "<script>alert", "</script><", `<b id="x">`, "alert('1')</", "ZgotmplZ", "<no value>"} {
			if strings.Contains(page, bad) {
				t.Errorf("%s: %q stands in the page", name, bad)
			}
		}
		if strings.ContainsAny(page, "\x00\x1b\u2028\ufffe") || strings.Count(page, "<script") != 1 {
			t.Errorf("%s: control characters or %d scripts", name, strings.Count(page, "<script"))
		}
		open := map[string]int{}
		for _, m := range tags.FindAllStringSubmatch(page[strings.Index(page, "<body>"):strings.Index(page, "<script>")], -1) {
			open[m[1]] += map[bool]int{true: 1, false: -1}[m[0][1] != '/']
		}
		for _, alone := range []string{"br", "path", "circle", "body"} {
			delete(open, alone)
		}
		for tag, n := range open {
			if n != 0 {
				t.Errorf("%s: %d <%s> are not closed", name, n, tag)
			}
		}
		cards := strings.Count(page, "<article")
		want := len(x.Schedules)
		if x.Current != nil {
			want++
		}
		if cards != want || strings.Count(page, `class="point`) != map[bool]int{true: want}[want > 1] {
			t.Errorf("%s: %d charts and %d points, want %d", name, cards, strings.Count(page, `class="point`), want)
		}
	}
	page := html.UnescapeString(explorePageOf(t, explorations()["current"]))
	for _, want := range []string{
		`<a href="#schedule-2" class="point front"`, "+1 \u22121 against the best", "+ embed, from stage 0", "\u2212 mlp, to stage 0",
		"against the plan as it is", "not legal: 2 errors", "Every op has the stage that it has in the plan as it is.", "out/schedule-3.json",
		`loads of 2 cores: 1 to 1,000 cycles`, `style="height:50%"`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("%q does not stand in the page", want)
		}
	}
}

// A page of very many schedules stays small, and counts what it leaves out.
func TestExplorePageIsBounded(t *testing.T) {
	x := *explorations()["few"]
	x.Schedules = nil
	for i := range 1000 {
		s := Schedule{Number: i + 1, Costs: [5]int64{1000 + int64(i), int64(1000 - i), 1, 1, 1}, Chart: stagesDrawn(60, 500)}
		for o := range 100 {
			s.FromBest = append(s.FromBest, Move{fmt.Sprint("op", o), 3, 4})
		}
		x.Schedules = append(x.Schedules, s)
	}
	page := explorePageOf(t, &x)
	if len(page) > 4<<20 || !strings.Contains(page, "and 940 more; the json list has all") || !strings.Contains(page, "and 80 more; the json list has all") {
		t.Errorf("the page has %d bytes", len(page))
	}
}
