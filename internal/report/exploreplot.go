package report

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// explorePlot shows schedules by two of their costs.
type explorePlot struct {
	Axes   []exploreAxis
	X, Y   exploreEnds
	Box    string // where points can be: left, right, top, bottom; and how far names are apart
	Points []explorePoint
}

// exploreAxis is what an axis can show; X and Y say whether it does.
type exploreAxis struct {
	Name string
	X, Y bool
}

type exploreEnds struct{ Name, Low, High string }

type explorePoint struct {
	ID, Name, About, Values string
	X, Y                    int
	Up                      int // how far above its place the name stands
	Front, Now, Hidden      bool
}

// The part of the picture where points are.
const plotLeft, plotRight, plotTop, plotBottom, plotStep = 150, 560, 70, 310, 15

// newExplorePlot plots by the first two costs in which schedules differ, of which
// the last is how many ops are in other stages than in the best; nil where there
// is nothing to see.
func newExplorePlot(x *Exploration) *explorePlot {
	var names []string
	for _, m := range Measures() {
		names = append(names, m.Name)
	}
	names = append(names, "ops in other stages than in the best")
	var on []*Schedule
	var values [][]int64 // of each schedule, by axis
	for _, s := range x.shown() {
		if s == x.Current || s.Number <= htmlSchedules {
			on = append(on, s)
			values = append(values, append(s.Costs[:], int64(len(s.FromBest))))
		}
	}
	var vary []int
	for axis := range names {
		low, high, ok := ends(values, axis)
		if ok && low < high {
			vary = append(vary, axis)
		}
	}
	if len(vary) < 2 {
		return nil
	}
	ax, ay := vary[0], vary[1]
	p := &explorePlot{Box: fmt.Sprint(plotLeft, plotRight, plotTop, plotBottom, plotStep), X: endsOf(names[ax], values, ax), Y: endsOf(names[ay], values, ay)}
	for axis, name := range names {
		p.Axes = append(p.Axes, exploreAxis{name, axis == ax, axis == ay})
	}
	var before []explorePoint
	for i, s := range on {
		pt := explorePoint{ID: s.id(), Name: strconv.Itoa(s.Number), Front: s.Front, Now: s == x.Current}
		if pt.Now {
			pt.Name = "now"
		}
		var list []string
		for _, v := range values[i] {
			if v == NotKnown {
				list = append(list, "")
			} else {
				list = append(list, strconv.FormatInt(v, 10))
			}
		}
		pt.Values = strings.Join(list, " ")
		pt.About = fmt.Sprintf("%s: %s %s, %s %s", s.name(), names[ax], known(values[i][ax]), names[ay], known(values[i][ay]))
		if pt.Hidden = values[i][ax] == NotKnown || values[i][ay] == NotKnown; !pt.Hidden {
			pt.X, pt.Y = spot(values, ax, i, plotLeft, plotRight), spot(values, ay, i, plotBottom, plotTop)
			for slices.ContainsFunc(before, pt.hides) {
				pt.Up += plotStep
			}
			before = append(before, pt)
		}
		p.Points = append(p.Points, pt)
	}
	return p
}

// hides says whether the names of two points would be on one spot.
func (p explorePoint) hides(q explorePoint) bool {
	dx, dy := p.X-q.X, p.Y-p.Up-q.Y+q.Up
	return max(dx, -dx) < 2*plotStep && max(dy, -dy) < plotStep
}

// ends are the least and the greatest value on an axis that are known.
func ends(values [][]int64, axis int) (low, high int64, ok bool) {
	for _, row := range values {
		v := row[axis]
		if v == NotKnown {
			continue
		}
		if !ok {
			low, high, ok = v, v, true
		}
		low, high = min(low, v), max(high, v)
	}
	return low, high, ok
}

func endsOf(name string, values [][]int64, axis int) exploreEnds {
	low, high, _ := ends(values, axis)
	return exploreEnds{name, Thousands(low), Thousands(high)}
}

// spot is where a value is drawn between two places.
func spot(values [][]int64, axis, i, from, to int) int {
	low, high, _ := ends(values, axis)
	share := float64(values[i][axis]-low) / float64(high-low)
	return int(float64(from) + share*float64(to-from) + 0.5)
}
