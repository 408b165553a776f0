package ir

import (
	"fmt"

	"plancheck/internal/strictjson"
)

// spatialExtension checks what only the whole spatial extension can tell. Which
// clock domains and links there are is for rules to judge, and so are commands
// with several slots or routes.
func (c *checker) spatialExtension(ids *programIDs, x *SpatialExtension) {
	names(c, "clock domain", x.ClockDomains, func(x *ClockDomain) (ID, uint32) { return x.ID, x.At })
	units := names(c, "unit", x.Units, func(x *Unit) (ID, uint32) { return x.ID, x.At })
	names(c, "link", x.Links, func(x *Link) (ID, uint32) { return x.ID, x.At })
	for i := range x.Units {
		u := &x.Units[i]
		c.refers(&ids.devices, u.Device, u.At, "device")
		c.operations(u)
	}
	for i := range x.Links {
		l := &x.Links[i]
		c.refers(&ids.devices, l.Source, l.At, "source_device")
		c.refers(&ids.devices, l.Destination, l.At, "destination_device")
	}
	for i := range x.Slots {
		s := &x.Slots[i]
		c.refers(&ids.commands, s.Command, s.At, "command")
		c.refers(&units, s.Unit, s.At, "unit")
	}
	for i := range x.Routes {
		r := &x.Routes[i]
		c.refers(&ids.commands, r.Command, r.At, "command")
		c.refers(&ids.devices, r.Source, r.At, "source_device")
		c.refers(&ids.devices, r.Destination, r.At, "destination_device")
	}
}

// operations checks that a unit lists each op once.
func (c *checker) operations(u *Unit) {
	ops := make([]string, len(u.Operations))
	for i, o := range u.Operations {
		ops[i] = o.Op
	}
	repeats(ops, func(first, i int) {
		if ops[i] != "" && !c.Stopped() {
			c.ReportRepeat(c.locate(u.Operations[i].At, "op"), c.locate(u.Operations[first].At, "op"), "id-duplicate",
				fmt.Sprintf("the op %s is already given", strictjson.Quote(ops[i])))
		}
	})
}
