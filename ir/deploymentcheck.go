package ir

import (
	"fmt"

	"plancheck/internal/strictjson"
)

// deployment checks that nothing is listed twice in a deployment. That the
// physical devices of a program are there is for rules to say.
func (c *checker) deployment(d *Deployment) {
	if d == nil {
		return
	}
	repeats(d.Devices, func(first, i int) {
		if d.Devices[i] != NoID && !c.Stopped() { // else reported before
			c.ReportRepeat(c.locateEntry(d.At, "devices", i), c.locateEntry(d.At, "devices", first), "id-duplicate",
				fmt.Sprintf("the physical device %s is already given", c.quote(d.Devices[i])))
		}
	})
	libraries := make([][2]string, len(d.Libraries))
	for i, l := range d.Libraries {
		libraries[i] = [2]string{l.Name, l.Version}
	}
	repeats(libraries, func(first, i int) {
		l := &d.Libraries[i]
		if l.Name != "" && l.Version != "" && !c.Stopped() {
			c.ReportRepeat(l.At, d.Libraries[first].At, "id-duplicate",
				fmt.Sprintf("version %s of library %s is already given", strictjson.Quote(l.Version), strictjson.Quote(l.Name)))
		}
	})
	table := make([][3]string, len(d.Compatible))
	for i, x := range d.Compatible {
		table[i] = [3]string{x.Library, x.Version, x.ABI}
	}
	repeats(table, func(first, i int) {
		x := &d.Compatible[i]
		if x.Library != "" && x.Version != "" && x.ABI != "" && !c.Stopped() {
			c.ReportRepeat(x.At, d.Compatible[first].At, "id-duplicate",
				fmt.Sprintf("that version %s of library %s works with ABI %s is already given",
					strictjson.Quote(x.Version), strictjson.Quote(x.Library), strictjson.Quote(x.ABI)))
		}
	})
}
