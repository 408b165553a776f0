package ir

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/diag"
)

// chip is a plan whose program has this spatial extension.
func chip(extension string) string {
	return `{"schema": "plancheck.concrete-plan/1", "program": {"devices": [{"id": "c0"}, {"id": "c1"}],
"commands": [{"id": "a", "kind": "launch"}, {"id": "t", "kind": "transfer"}],
"target_extension": {"spatial": ` + extension + `}}}`
}

// aWholeChip has every field.
const aWholeChip = `{"clock_domains": [{"id": "core", "frequency_hz": 900}],
"units": [{"id": "mxm", "device": "c0", "clock_domain": "core", "width": 2, "latency_cycles": 3, "operations": [{"op": "add", "latency_cycles": 4}]},
{"id": "mem", "device": "c1", "clock_domain": "none"}],
"links": [{"id": "east", "source_device": "c0", "destination_device": "c1", "clock_domain": "core", "latency_cycles": 2}],
"slots": [{"command": "a", "unit": "mxm", "cycle": 0, "slot": 1}],
"routes": [{"command": "t", "source_device": "c0", "destination_device": "c1", "hops": [{"link": "east", "depart_cycle": 5, "cycles": 6}, {"link": "none", "depart_cycle": 13, "cycles": 6}]}],
"flow": {"tolerance_cycles": 1, "backpressure": "stall", "timeout_cycles": 100, "failure": "retry", "abi_revision": "r7"}}`

func TestDecodeSpatialExtension(t *testing.T) {
	p := mustDecode(t, chip(aWholeChip))
	id := p.Symbols.String
	none, core := id("none"), id("core")
	want := &SpatialExtension{
		ClockDomains: []ClockDomain{{ID: core, Frequency: 900}},
		Units: []Unit{
			{ID: id("mxm"), Device: id("c0"), Domain: core, Width: 2, Latency: 3, Operations: []Operation{{Op: "add", Latency: 4}}},
			{ID: id("mem"), Device: id("c1"), Domain: none, Width: 1, Latency: None},
		},
		Links: []Link{{ID: id("east"), Source: id("c0"), Destination: id("c1"), Domain: core, Latency: 2}},
		Slots: []Slot{{Command: id("a"), Unit: id("mxm"), Cycle: 0, Slot: 1}},
		Routes: []Route{{Command: id("t"), Source: id("c0"), Destination: id("c1"),
			Hops: []Hop{{Link: id("east"), Depart: 5, Cycles: 6}, {Link: none, Depart: 13, Cycles: 6}}}},
		Flow: &Flow{Tolerance: 1, Backpressure: "stall", Timeout: 100, Failure: "retry", ABIRevision: "r7"},
	}
	places := cmp.FilterPath(func(p cmp.Path) bool { return p.Last().String() == ".At" }, cmp.Ignore())
	if diff := cmp.Diff(want, p.Program.Extension.Spatial, places); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	empty := mustDecode(t, chip(`{"flow": {}}`)).Program.Extension.Spatial
	if diff := cmp.Diff(&SpatialExtension{Flow: &Flow{Timeout: None}}, empty, places); diff != "" {
		t.Errorf("an empty one (-want +got):\n%s", diff)
	}
}

func TestSpatialExtensionErrors(t *testing.T) {
	change := func(old, new string) string { return strings.Replace(aWholeChip, old, new, 1) }
	const untyped = ` (what a target is told must have a type: put nothing here but the fields that the documentation lists)`
	const at = "/program/target_extension/spatial"
	for _, c := range []struct {
		name, extension string
		want            []string
	}{
		{"free-form fields", change(`"width": 2`, `"width": 2, "vendor": {"x": 1}`), []string{
			at + `/units/0/vendor untyped-target-metadata: a unit has no field "vendor"` + untyped}},
		{"a field for anything", change(`"flow"`, `"metadata": {}, "flow"`), []string{
			at + `/metadata untyped-target-metadata: a spatial extension has no field "metadata"` + untyped}},
		{"a misspelt field", change(`"width"`, `"widht"`), []string{
			at + `/units/0/widht untyped-target-metadata: a unit has no field "widht" (did you mean "width"?)`}},
		{"a latency that is predicted", change(`"latency_cycles": 3`, `"latency": 3`), []string{
			at + `/units/0/latency attribute-reserved: a unit has no field "latency" (a plan holds no time, predicted or measured: leave it out)`}},
		{"no latency at all", change(`"latency_cycles": 3`, `"latency_cycles": 0`), []string{
			at + `/units/0/latency_cycles integer-out-of-range: "latency_cycles" must be at least 1, found 0`}},
		{"references", strings.NewReplacer(`"device": "c0"`, `"device": "c9"`, `"source_device": "c0"`, `"source_device": "c8"`, `"command": "a"`, `"command": "b"`, `"unit": "mxm"`, `"unit": "mx"`).Replace(aWholeChip), []string{
			at + `/units/0/device reference-unknown: "device" names the device "c9", which does not exist`,
			at + `/links/0/source_device reference-unknown: "source_device" names the device "c8", which does not exist`,
			at + `/slots/0/command reference-unknown: "command" names the command "b", which does not exist`,
			at + `/slots/0/unit reference-unknown: "unit" names the unit "mx", which does not exist`,
			at + `/routes/0/source_device reference-unknown: "source_device" names the device "c8", which does not exist`}},
		{"ids that are taken", strings.NewReplacer(`"id": "mem"`, `"id": "mxm"`, `{"op": "add", "latency_cycles": 4}`, `{"op": "add", "latency_cycles": 4}, {"op": "add", "latency_cycles": 5}`).Replace(aWholeChip), []string{
			at + `/units/0/operations/1/op id-duplicate: the op "add" is already given on line 4`,
			at + `/units/1/id id-duplicate: the unit id "mxm" is already used on line 4`}},
		{"units that cannot be read", `{"units": 1, "slots": [{"command": "a", "unit": "mxm", "cycle": 0, "slot": 1}]}`, []string{
			at + `/units wrong-type: "units" must be a list, found a number`}},
		{"words that are not known", change(`"stall"`, `"wait"`), []string{
			at + `/flow/backpressure unknown-type-tag: "backpressure" is "wait", which is not known (known are none, stall, drop)`}},
	} {
		p, diags := DecodePlan(diag.NewSource("plan.json", []byte(chip(c.extension))))
		if p != nil {
			t.Errorf("%s: no error", c.name)
		}
		var got []string
		for _, d := range diags {
			text := d.Pos.Pointer + " " + d.Code + ": " + d.Message
			if d.Help != "" {
				text += " (" + d.Help + ")"
			}
			got = append(got, text)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}
