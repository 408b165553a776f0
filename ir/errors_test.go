package ir

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// in puts lines into a plan. The first of them is line 2 of the document.
func in(lines ...string) string {
	return "{\"schema\": \"plancheck.concrete-plan/1\",\n" + strings.Join(lines, "\n") + "}\n"
}

const (
	twoOps = `"graph": {"ops": [{"id": "conv1", "work_cycles": 1}, {"id": "conv2", "work_cycles": 1}]},`
	noOps  = `"graph": {"ops": []},`
)

func TestErrorsOfPlans(t *testing.T) {
	for _, c := range []struct {
		name, data string
		want       []string
	}{
		// The schema.
		{"other schema", `{"schema": "plancheck.model/1", "graph": {"ops": []}}`, []string{
			`1:12 /schema schema-name-mismatch: "schema" must be "plancheck.concrete-plan/1", found "plancheck.model/1" (this is no concrete plan)`}},
		{"other version", `{"schema": "plancheck.concrete-plan/2", "graph": {"ops": []}}`, []string{
			`1:12 /schema schema-version-mismatch: "schema" must be "plancheck.concrete-plan/1", found "plancheck.concrete-plan/2" (version 1 can be read, version "2" cannot)`}},
		{"no version", `{"schema": "plancheck.concrete-plan", "graph": {"ops": []}}`, []string{
			`1:12 /schema schema-version-mismatch: "schema" must be "plancheck.concrete-plan/1", found "plancheck.concrete-plan" (the name must end with its version)`}},
		{"schema is no string", `{"schema": 1, "graph": {"ops": []}}`, []string{
			`1:12 /schema wrong-type: "schema" must be the name of the schema, "plancheck.concrete-plan/1", found a number`}},

		// Ids.
		{"empty ids", in(`"graph": {"inputs": [{"id": "", "dynamic": true, "consumers": [""]}],`,
			`"weights": [{"id": "", "size_bytes": 1}], "values": [{"id": "", "from": ""}],`,
			`"ops": [{"id": "", "work_cycles": 1, "weights": [""], "forwards": ""}], "edges": [{"from": "", "to": ""}]},`,
			`"transfers": [{"id": "", "from": "", "to": ""}], "sync": [{"id": "", "op": ""}]`), []string{
			`2:29 /graph/inputs/0/id id-empty: "id" must not be empty`,
			`2:64 /graph/inputs/0/consumers/0 id-empty: an entry of "consumers" must not be empty`,
			`3:20 /graph/weights/0/id id-empty: "id" must not be empty`,
			`3:61 /graph/values/0/id id-empty: "id" must not be empty`,
			`3:73 /graph/values/0/from id-empty: "from" must not be empty`,
			`4:16 /graph/ops/0/id id-empty: "id" must not be empty`,
			`4:50 /graph/ops/0/weights/0 id-empty: an entry of "weights" must not be empty`,
			`4:67 /graph/ops/0/forwards id-empty: "forwards" must not be empty`,
			`4:92 /graph/edges/0/from id-empty: "from" must not be empty`,
			`4:102 /graph/edges/0/to id-empty: "to" must not be empty`,
			`5:22 /transfers/0/id id-empty: "id" must not be empty`,
			`5:34 /transfers/0/from id-empty: "from" must not be empty`,
			`5:44 /transfers/0/to id-empty: "to" must not be empty`,
			`5:66 /sync/0/id id-empty: "id" must not be empty`,
			`5:76 /sync/0/op id-empty: "op" must not be empty`}},
		{"ids given twice", in(`"graph": {`,
			`"weights": [{"id": "w", "size_bytes": 1}, {"id": "w", "size_bytes": 1}],`,
			`"ops": [{"id": "a", "work_cycles": 1},`,
			`{"work_cycles": 1, "id": "a"},`,
			`{"id": "\u0061", "work_cycles": 1}, {"id": "w", "work_cycles": 1}]},`,
			`"transfers": [{"id": "t", "from": "a", "to": "a"}, {"id": "s", "from": "a", "to": "a"}, {"id": "t", "from": "a", "to": "a"}],`,
			`"sync": [{"id": "t", "op": "a"}, {"id": "t", "op": "a"}]`), []string{
			`3:50 /graph/weights/1/id id-duplicate: the weight id "w" is already used on line 3`,
			`5:26 /graph/ops/1/id id-duplicate: the op id "a" is already used on line 4`,
			`6:8 /graph/ops/2/id id-duplicate: the op id "a" is already used on line 4`,
			`7:96 /transfers/2/id id-duplicate: the transfer id "t" is already used on line 7`,
			`8:41 /sync/1/id id-duplicate: the sync id "t" is already used on line 8`}},
		{"ids of several kinds", in(`"graph": {`,
			`"inputs": [{"id": "x", "dynamic": true, "consumers": []}, {"id": "v", "dynamic": true, "consumers": []}],`,
			`"values": [{"id": "v", "from": "a"}, {"id": "a", "from": "a"}],`,
			`"ops": [{"id": "a", "work_cycles": 1}, {"id": "x", "work_cycles": 1}]}`), []string{
			`4:19 /graph/values/0/id id-duplicate: the value id "v" is already used by an input on line 3`,
			`5:16 /graph/ops/0/id id-duplicate: the op id "a" is already used by a value on line 4`,
			`5:47 /graph/ops/1/id id-duplicate: the op id "x" is already used by an input on line 3`}},
		{"numbers given twice", in(twoOps,
			`"target": {"cores": [{"id": 3}, {"id": 1}, {"id": 3}, {"id": 3}]},`,
			`"stages": [{"index": 1}, {"index": 0}, {"index": 1}],`,
			`"assignment": {"splits": [{"op": "conv2", "parts": 2}, {"op": "conv1", "parts": 2}, {"op": "conv2", "parts": 3}],`,
			`"replicas": [{"op": "conv1", "index": 0, "first": 0, "count": 1}, {"op": "conv2", "index": 0, "first": 0, "count": 1},`,
			`{"op": "conv1", "index": 1, "first": 0, "count": 1}, {"op": "conv1", "index": 0, "first": 1, "count": 1}]}`), []string{
			`3:51 /target/cores/2/id id-duplicate: the core id 3 is already used on line 3`,
			`3:62 /target/cores/3/id id-duplicate: the core id 3 is already used on line 3`,
			`4:50 /stages/2/index id-duplicate: the stage index 1 is already used on line 4`,
			`5:92 /assignment/splits/2/op id-duplicate: op "conv2" is already split on line 5`,
			`7:79 /assignment/replicas/3/index id-duplicate: replica 0 of op "conv1" is already given on line 6`}},
		{"kinds given twice", in(`"graph": {"ops": [{"id": "a", "work_cycles": 1, "work_on": [`,
			`{"kind": "pim", "cycles": 1}, {"kind": "host", "cycles": 1}, {"kind": "pim", "cycles": 2}, {"kind": "", "cycles": 3}, {"kind": "", "cycles": 3}]},`,
			`{"id": "b", "work_cycles": 1, "work_on": [{"kind": "pim", "cycles": 1}]}]}`), []string{
			`3:71 /graph/ops/0/work_on/2/kind id-duplicate: work on cores of kind "pim" is already given on line 3`,
			`3:101 /graph/ops/0/work_on/3/kind id-empty: "kind" must not be empty`,
			`3:128 /graph/ops/0/work_on/4/kind id-empty: "kind" must not be empty`}},
		{"odd ids are escaped", in(`"graph": {"ops": [{"id": "a\u202e\n", "work_cycles": 1}, {"id": "a\u202e\n", "work_cycles": 1}]}`), []string{
			`2:65 /graph/ops/1/id id-duplicate: the op id "a\u202e\n" is already used on line 2`}},

		// References.
		{"unknown ids", in(`"graph": {`,
			`"inputs": [{"id": "x", "dynamic": true, "consumers": ["conv1", "conv3"]}],`,
			`"weights": [{"id": "weight", "size_bytes": 1}],`,
			`"values": [{"id": "v", "from": "weight"}],`,
			`"ops": [{"id": "conv1", "work_cycles": 1, "weights": ["weight", "wieght", "conv1", "weight9"]},`,
			`{"id": "conv2", "work_cycles": 1, "forwards": "nothing"}, {"id": "f", "work_cycles": 1, "forwards": "weight"}],`,
			`"edges": [{"from": "conv", "to": "x"}, {"from": "conv1", "to": "conv2", "value": "conv1"}]},`,
			`"assignment": {"instances": [{"op": "nope"}], "splits": [{"op": "nope", "parts": 1}],`,
			`"residency": [{"weight": "conv1", "cores": []}], "replicas": [{"op": "nope", "index": 0, "first": 0, "count": 0}]},`,
			`"transfers": [{"id": "t", "from": "nope", "to": "nope"}], "sync": [{"id": "s", "op": "v"}]`), []string{
			`3:64 /graph/inputs/0/consumers/1 reference-unknown: an entry of "consumers" names the op "conv3", which does not exist (did you mean "conv1"?)`,
			`5:32 /graph/values/0/from reference-unknown: "from" names the op "weight", which does not exist ("weight" is the id of a weight)`,
			`6:65 /graph/ops/0/weights/1 reference-unknown: an entry of "weights" names the weight "wieght", which does not exist (did you mean "weight"?)`,
			`6:75 /graph/ops/0/weights/2 reference-unknown: an entry of "weights" names the weight "conv1", which does not exist ("conv1" is the id of an op)`,
			`6:84 /graph/ops/0/weights/3 reference-unknown: an entry of "weights" names the weight "weight9", which does not exist (did you mean "weight"?)`,
			`7:47 /graph/ops/1/forwards reference-unknown: "forwards" names "nothing", which is not an op, a value or an input`,
			`7:101 /graph/ops/2/forwards reference-unknown: "forwards" names "weight", which is not an op, a value or an input ("weight" is the id of a weight)`,
			`8:20 /graph/edges/0/from reference-unknown: "from" names the op "conv", which does not exist (did you mean "conv1"?)`,
			`8:34 /graph/edges/0/to reference-unknown: "to" names the op "x", which does not exist ("x" is the id of an input)`,
			`8:82 /graph/edges/1/value reference-unknown: "value" names the value "conv1", which does not exist ("conv1" is the id of an op)`,
			`9:37 /assignment/instances/0/op reference-unknown: "op" names the op "nope", which does not exist`,
			`9:65 /assignment/splits/0/op reference-unknown: "op" names the op "nope", which does not exist`,
			`10:26 /assignment/residency/0/weight reference-unknown: "weight" names the weight "conv1", which does not exist ("conv1" is the id of an op)`,
			`10:70 /assignment/replicas/0/op reference-unknown: "op" names the op "nope", which does not exist`,
			`11:35 /transfers/0/from reference-unknown: "from" names the op "nope", which does not exist`,
			`11:49 /transfers/0/to reference-unknown: "to" names the op "nope", which does not exist`,
			`11:86 /sync/0/op reference-unknown: "op" names the op "v", which does not exist ("v" is the id of a value)`}},
		{"a value of another op", in(`"graph": {"values": [{"id": "v", "from": "b"}],`,
			`"ops": [{"id": "a", "work_cycles": 1}, {"id": "b", "work_cycles": 1}], "edges": [{"from": "a", "to": "b", "value": "v"}]}`), []string{
			`3:116 /graph/edges/0/value reference-unknown: "value" names the value "v", which does not come from op "a" (it comes from op "b")`}},
		{"an edge that may carry several values", in(`"graph": {"values": [{"id": "v", "from": "a"}, {"id": "u", "from": "b"}, {"id": "w", "from": "a"}],`,
			`"ops": [{"id": "a", "work_cycles": 1}, {"id": "b", "work_cycles": 1}],`,
			`"edges": [{"from": "b", "to": "a"}, {"from": "a", "to": "b", "value": "w"}, {"from": "a", "to": "b"}]}`), []string{
			`4:77 /graph/edges/2 missing-field: an edge from op "a", which makes 2 values, must have the field "value" (the values are "v" and "w")`}},
		{"work of forwards at an op whose values are listed", in(`"graph": {"values": [{"id": "v", "from": "a"}, {"id": "u", "from": "a", "forward_cycles": 2}, {"id": "w", "from": "b", "forward_cycles": 3}],`,
			`"ops": [{"id": "a", "work_cycles": 1, "forward_cycles": 4}, {"id": "b", "work_cycles": 1}, {"id": "c", "work_cycles": 1, "forward_cycles": 5}]}`), []string{
			`3:57 /graph/ops/0/forward_cycles field-misplaced: op "a" states the work of a forward, but its values are listed (move "forward_cycles" to the value "v")`}},
		{"references behind a broken list", in(`"graph": {"weights": 1, "values": {}, "inputs": "x", "ops": [{"id": 1, "work_cycles": 1, "weights": ["w"], "forwards": "v"}],`,
			`"edges": [{"from": "a", "to": "b", "value": "v"}]}`), []string{
			`2:22 /graph/weights wrong-type: "weights" must be a list, found a number`,
			`2:35 /graph/values wrong-type: "values" must be a list, found an object`,
			`2:49 /graph/inputs wrong-type: "inputs" must be a list, found a string`,
			`2:69 /graph/ops/0/id wrong-type: "id" must be an op id (a string), found a number`}},
		{"references without a graph", in(`"assignment": {"instances": [{"op": "a"}], "residency": [{"weight": "w", "cores": []}]}`), []string{
			`1:1  missing-field: a plan must have the field "graph"`}},
		{"references in a program", in(`"program": {"devices": [{"id": "gpu"}, {"id": "gpu"}], "queues": [{"id": "q0", "device": "gpu1"}],`,
			`"channels": [{"id": "c", "depth": 1, "memory_region": "q0", "slot_bytes": 1}], "groups": [{"id": "g", "ranks": [0, 1, 0]}], "barriers": [{"id": "b", "queues": ["q0", "q1"]}],`,
			`"commands": [{"id": "a", "kind": "launch", "queue": "qo", "after": ["b", "a", "a"], "waits": ["t"], "in_place": [{"read": "x", "write": "y"}], "barrier": "b"}]}`), []string{
			`2:47 /program/devices/1/id id-duplicate: the device id "gpu" is already used on line 2`,
			`2:90 /program/queues/0/device reference-unknown: "device" names the device "gpu1", which does not exist (did you mean "gpu"?)`,
			`3:55 /program/channels/0/memory_region reference-unknown: "memory_region" names the memory region "q0", which does not exist`,
			`3:119 /program/groups/0/ranks/2 id-duplicate: rank 0 is already given on line 3`,
			`3:167 /program/barriers/0/queues/1 reference-unknown: an entry of "queues" names the queue "q1", which does not exist`,
			`4:53 /program/commands/0/queue reference-unknown: "queue" names the queue "qo", which does not exist`,
			`4:69 /program/commands/0/after/0 reference-unknown: an entry of "after" names the command "b", which does not exist`,
			`4:79 /program/commands/0/after/2 id-duplicate: the command "a" is already given on line 4`,
			`4:95 /program/commands/0/waits/0 reference-unknown: an entry of "waits" names the token "t", which does not exist`,
			`4:123 /program/commands/0/in_place/0/read reference-unknown: "read" names the buffer "x", which does not exist`,
			`4:137 /program/commands/0/in_place/0/write reference-unknown: "write" names the buffer "y", which does not exist`}},
		{"an extension for another family", in(`"program": {"commands": [], "target_extension": {"cloud": {}, "queue": {"orders": [{"queue": "q", "commands": ["a"]}]}}}`), []string{
			`2:50 /program/target_extension/cloud target-extension-unknown: a target extension has no field "cloud" (known are queue and spatial)`,
			`2:94 /program/target_extension/queue/orders/0/queue reference-unknown: "queue" names the queue "q", which does not exist`,
			`2:112 /program/target_extension/queue/orders/0/commands/0 reference-unknown: an entry of "commands" names the command "a", which does not exist`}},
		{"engines and communicators", in(`"program": {"commands": [], "queues": [{"id": "q", "device": "d"}], "devices": [{"id": "d"}], "target_extension": {"queue": {`,
			`"engines": [{"id": "e", "device": "d", "kinds": ["compute", "kernel"]}, {"id": "e", "device": "f"}],`,
			`"communicators": [{"id": "m", "group": "g", "queues": ["q", "q"]}, {"id": "m", "group": "g", "queues": ["p"], "latency": 1}]}}}`), []string{
			`3:61 /program/target_extension/queue/engines/0/kinds/1 unknown-type-tag: an entry of "kinds" is "kernel", which is not known (known are compute, collective, transfer, host)`,
			`3:80 /program/target_extension/queue/engines/1/id id-duplicate: the engine id "e" is already used on line 3`,
			`3:95 /program/target_extension/queue/engines/1/device reference-unknown: "device" names the device "f", which does not exist`,
			`4:40 /program/target_extension/queue/communicators/0/group reference-unknown: "group" names the group "g", which does not exist`,
			`4:61 /program/target_extension/queue/communicators/0/queues/1 id-duplicate: the queue "q" is already given on line 4`,
			`4:75 /program/target_extension/queue/communicators/1/id id-duplicate: the communicator id "m" is already used on line 4`,
			`4:89 /program/target_extension/queue/communicators/1/group reference-unknown: "group" names the group "g", which does not exist`,
			`4:105 /program/target_extension/queue/communicators/1/queues/0 reference-unknown: an entry of "queues" names the queue "p", which does not exist`,
			`4:111 /program/target_extension/queue/communicators/1/latency attribute-reserved: a communicator has no field "latency" (a plan holds no time, predicted or measured: leave it out)`}},
		{"what a program never has", in(`"program": {"commands": [{"id": "a", "kind": "launch", "predicted_start": 7}, {"id": "b", "kind": "lunch"}]}`), []string{
			`2:56 /program/commands/0/predicted_start attribute-reserved: a command has no field "predicted_start" (a plan holds no time, predicted or measured: leave it out)`,
			`2:99 /program/commands/1/kind unknown-type-tag: "kind" is "lunch", which is not known (known are launch, send, recv, collective, transfer, barrier, signal, wait, host_call)`}},
		{"a program that cannot be read", in(`"assignment": {"instances": [{"op": "a"}]}, "program": 1`), []string{
			`2:37 /assignment/instances/0/op reference-unknown: "op" names the op "a", which does not exist`,
			`2:56 /program wrong-type: "program" must be an object, found a number`}},

		// Lengths and pairs.
		{"lanes and cores", in(twoOps+`"assignment": {"instances": [{"op": "conv1", "lanes": [0, 1], "cores": [0]}, {"op": "conv2", "cores": [], "lanes": [0]}],`,
			`"residency": []}`), []string{
			`2:144 /assignment/instances/0/lanes length-mismatch: "lanes" has 2 entries, but "cores" has 1`,
			`2:205 /assignment/instances/1/lanes length-mismatch: "lanes" has 1 entry, but "cores" has 0`}},
		{"lanes and cores of weights", in(`"graph": {"ops": [], "weights": [{"id": "w", "size_bytes": 1}]},`,
			`"assignment": {"residency": [{"weight": "w", "lanes": [], "cores": [0]},`,
			`{"weight": "w", "cores": [0], "part": 1}, {"weight": "w", "cores": [0], "parts": 1}]}`), []string{
			`3:55 /assignment/residency/0/lanes length-mismatch: "lanes" has 0 entries, but "cores" has 1`,
			`4:1 /assignment/residency/1 missing-field: a residency entry with "part" must have the field "parts"`,
			`4:43 /assignment/residency/2 missing-field: a residency entry with "parts" must have the field "part"`}},
		{"mesh and places", in(noOps + `"target": {"topology": {"mesh": [2]}, "cores": [{"id": 0, "at": [1, 2, 3]}, {"id": 1, "at": []}]}`), []string{
			`2:54 /target/topology/mesh length-mismatch: "mesh" must be [rows, columns], found 1 number`,
			`2:86 /target/cores/0/at length-mismatch: "at" must be [row, column], found 3 numbers`,
			`2:114 /target/cores/1/at length-mismatch: "at" must be [row, column], found 0 numbers`}},
		{"mesh of nothing", in(noOps + `"target": {"topology": {"mesh": [0, 1]}, "cores": []}`), []string{
			`2:55 /target/topology/mesh/0 integer-out-of-range: an entry of "mesh" must be at least 1, found 0`}},
		{"distances", in(noOps+`"target": {"cores": [{"id": 0}, {"id": 1}], "topology": {"distances": [`, `[0, 1],`, `[1],`, `[0, 1, 2]]}}`), []string{
			`2:92 /target/topology/distances length-mismatch: "distances" has 3 rows, but there are 2 cores`,
			`4:1 /target/topology/distances/1 length-mismatch: an entry of "distances" has 1 distance, but there are 2 cores`,
			`5:1 /target/topology/distances/2 length-mismatch: an entry of "distances" has 3 distances, but there are 2 cores`}},
		{"distances of unknown cores", in(noOps + `"target": {"topology": {"distances": [[0], 1]}}`), []string{
			`2:32 /target missing-field: a target must have the field "cores"`,
			`2:65 /target/topology/distances/1 wrong-type: an entry of "distances" must be a row of distances, found a number`}},
		{"two topologies", in(noOps + `"target": {"topology": {"mesh": [1, 1], "distances": []}, "cores": []}`), []string{
			`2:45 /target/topology wrong-type: a topology must be either a "mesh" or "distances", found both`}},
		{"no topology", in(noOps + `"target": {"topology": {}, "cores": []}`), []string{
			`2:45 /target/topology missing-field: a topology must have the field "mesh" or "distances"`}},

		// Numbers.
		{"holes only where they may be", in(twoOps+`"logical_cores": null, "stages": [{"index": null, "cores": {"first": null, "count": 1}}],`,
			`"assignment": {"instances": [{"op": "conv1", "part": null, "lanes": [null], "cores": [null, -1]}], "placement": [null, 0.5]}`), []string{
			`2:107 /logical_cores wrong-type: "logical_cores" must be an integer, found null`,
			`2:134 /stages/0/index wrong-type: "index" must be an integer, found null`,
			`2:159 /stages/0/cores/first wrong-type: "first" must be an integer, found null`,
			`3:54 /assignment/instances/0/part wrong-type: "part" must be an integer, found null`,
			`3:69 /assignment/instances/0/lanes length-mismatch: "lanes" has 1 entry, but "cores" has 2`,
			`3:70 /assignment/instances/0/lanes/0 wrong-type: an entry of "lanes" must be an integer, found null`,
			`3:93 /assignment/instances/0/cores/1 integer-out-of-range: an entry of "cores" must be at least 0, found -1`,
			`3:120 /assignment/placement/1 not-an-integer: an entry of "placement" must be an integer, found 0.5 (write whole numbers without fraction and exponent)`}},

		// Several at once, and syntax.
		{"nothing hides another", in(`"graph": {"ops": [{"id": "a", "work": 1, "lanes": 0}, {"id": "a", "work_cycles": 1e3}],`,
			`"edges": [{"from": "a", "to": "b", "to": "c"}]}, "Stages": []`), []string{
			`2:19 /graph/ops/0 missing-field: an op must have the field "work_cycles"`,
			`2:31 /graph/ops/0/work unknown-field: an op has no field "work" (did you mean "work_cycles"?)`,
			`2:51 /graph/ops/0/lanes integer-out-of-range: "lanes" must be at least 1, found 0`,
			`2:62 /graph/ops/1/id id-duplicate: the op id "a" is already used on line 2`,
			`2:82 /graph/ops/1/work_cycles not-an-integer: "work_cycles" must be an integer, found 1e3 (write whole numbers without fraction and exponent)`,
			`3:31 /graph/edges/0/to reference-unknown: "to" names the op "b", which does not exist`,
			`3:36 /graph/edges/0/to duplicate-json-key: the key "to" is already given on line 3`,
			`3:50 /Stages unknown-field: a plan has no field "Stages" (did you mean "stages"?)`}},
		{"a syntax error ends it", in(`"graph": {"ops": [{"id": "a", "work_cycles": -1},`, `{"id": "a", "work_cycles": 1}`, `{"id": "b"}], "edges": [{"from": "x"}]`), []string{
			`2:46 /graph/ops/0/work_cycles integer-out-of-range: "work_cycles" must be at least 0, found -1`,
			`4:1 /graph/ops/2 json-syntax: expected ',' or ']', found '{'`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, ds := decode(t, c.data)
			if diff := cmp.Diff(c.want, brief(ds)); diff != "" {
				t.Errorf("%s(-want +got):\n%s", c.data, diff)
			}
			_, crlf := decode(t, strings.ReplaceAll(c.data, "\n", "\r\n"))
			if diff := cmp.Diff(ds, crlf); diff != "" {
				t.Errorf("other line ends change the result (-LF +CRLF):\n%s", diff)
			}
		})
	}
}

// node is a value of a JSON document that can be exchanged.
type node struct {
	pointer string
	value   any
	set     func(any)
}

func nodes(pointer string, value any, set func(any), visit func(node)) {
	visit(node{pointer, value, set})
	switch v := value.(type) {
	case map[string]any:
		for key, inner := range v {
			nodes(pointer+"/"+key, inner, func(x any) { v[key] = x }, visit)
		}
	case []any:
		for i, inner := range v {
			nodes(fmt.Sprintf("%s/%d", pointer, i), inner, func(x any) { v[i] = x }, visit)
		}
	}
}

// TestEveryValueIsChecked puts a wrong value in the place of each value of a
// document that has every field: that gives one error in that place and no other.
func TestEveryValueIsChecked(t *testing.T) {
	checked := 0
	for _, whole := range wholes() {
		checked += checkEveryValue(t, whole)
	}
	if checked < 600 {
		t.Errorf("only %d changes were tried", checked)
	}
}

func checkEveryValue(t *testing.T, whole string) (checked int) {
	t.Helper()
	var root any
	if err := json.Unmarshal([]byte(whole), &root); err != nil {
		t.Fatal(err)
	}
	type change struct {
		value any
		code  string
	}
	raw := func(s string) any { return json.RawMessage(s) }
	nodes("", root, func(x any) { root = x }, func(n node) {
		var changes []change
		switch n.value.(type) {
		case map[string]any:
			changes = []change{{[]any{}, "wrong-type"}, {"x", "wrong-type"}}
		case []any:
			changes = []change{{"ab", "wrong-type"}, {map[string]any{}, "wrong-type"}, {true, "wrong-type"}}
		case string:
			changes = []change{{1, "wrong-type"}, {nil, "wrong-type"}, {raw(`"\ud800"`), "invalid-utf8"}}
		case bool:
			changes = []change{{1, "wrong-type"}, {"true", "wrong-type"}, {nil, "wrong-type"}}
		case float64:
			changes = []change{{"1", "wrong-type"}, {true, "wrong-type"}, {raw("1.0"), "not-an-integer"}, {-1, "integer-out-of-range"},
				{raw("9223372036854775808"), "integer-out-of-range"}, {[]any{1}, "wrong-type"}}
		case nil:
			changes = []change{{"1", "wrong-type"}, {true, "wrong-type"}}
		}
		for _, c := range changes {
			n.set(c.value)
			data, err := json.Marshal(root)
			if err != nil {
				t.Fatal(err)
			}
			_, ds := decode(t, string(data))
			if len(ds) != 1 || ds[0].Code != c.code || ds[0].Pos.Pointer != n.pointer {
				t.Errorf("%v instead of %q: %s", c.value, n.pointer, strings.Join(brief(ds), "\n"))
			}
			checked++
		}
		n.set(n.value)
	})
	return checked
}

// TestEveryFieldIsKnownOrRefused adds a field to each object and takes each
// field away.
func TestEveryFieldIsKnownOrRefused(t *testing.T) {
	missing := map[string]int{}
	for _, whole := range wholes() {
		refuseEveryField(t, whole, missing)
	}
	if diff := cmp.Diff(requiredFields(), missing); diff != "" {
		t.Errorf("required fields (-want +got):\n%s", diff)
	}
}

// refuseEveryField counts the messages about fields that are missing.
func refuseEveryField(t *testing.T, whole string, missing map[string]int) {
	t.Helper()
	var root any
	if err := json.Unmarshal([]byte(whole), &root); err != nil {
		t.Fatal(err)
	}
	nodes("", root, func(x any) { root = x }, func(n node) {
		object, ok := n.value.(map[string]any)
		if !ok {
			return
		}
		object["zzz"] = 1
		data, _ := json.Marshal(root)
		_, ds := decode(t, string(data))
		if len(ds) != 1 || ds[0].Code != "unknown-field" || ds[0].Pos.Pointer != n.pointer+"/zzz" {
			t.Errorf("a field more in %q: %s", n.pointer, strings.Join(brief(ds), "\n"))
		}
		delete(object, "zzz")
		for key, value := range object {
			delete(object, key)
			data, _ := json.Marshal(root)
			_, ds := decode(t, string(data))
			for _, d := range ds {
				if d.Code == "missing-field" && d.Pos.Pointer == n.pointer {
					missing[d.Message]++
				} else if d.Code != "reference-unknown" {
					t.Errorf("%q without %q: %s", n.pointer, key, strings.Join(brief(ds), "\n"))
				}
			}
			object[key] = value
		}
	})
}

// requiredFields are the messages that objects of the whole documents give, each
// as often as there is such an object.
func requiredFields() map[string]int {
	return map[string]int{
		`a plan must have the field "graph"`:                        1,
		`a plan must have the field "schema"`:                       2,
		`a target must have the field "cores"`:                      1,
		`a topology must have the field "mesh" or "distances"`:      1,
		`a core must have the field "id"`:                           2,
		`a graph must have the field "ops"`:                         1,
		`an input must have the field "id"`:                         2,
		`an input must have the field "dynamic"`:                    2,
		`an input must have the field "consumers"`:                  2,
		`a weight must have the field "id"`:                         2,
		`a weight must have the field "size_bytes"`:                 2,
		`a value must have the field "id"`:                          2,
		`a value must have the field "from"`:                        2,
		`an op must have the field "id"`:                            3,
		`an op must have the field "work_cycles"`:                   3,
		`an amount of work must have the field "kind"`:              2,
		`an amount of work must have the field "cycles"`:            2,
		`an edge must have the field "from"`:                        2,
		`an edge must have the field "to"`:                          2,
		`a stage must have the field "index"`:                       3,
		`a range of cores must have the field "first"`:              1,
		`a range of cores must have the field "count"`:              1,
		`an instance must have the field "op"`:                      3,
		`a split must have the field "op"`:                          1,
		`a split must have the field "parts"`:                       1,
		`a residency entry must have the field "weight"`:            2,
		`a residency entry must have the field "cores"`:             2,
		`a residency entry with "part" must have the field "parts"`: 1,
		`a residency entry with "parts" must have the field "part"`: 1,
		`a replica must have the field "op"`:                        2,
		`a replica must have the field "index"`:                     2,
		`a replica must have the field "first"`:                     2,
		`a replica must have the field "count"`:                     2,
		`a transfer must have the field "id"`:                       2,
		`a transfer must have the field "from"`:                     2,
		`a transfer must have the field "to"`:                       2,
		`a sync record must have the field "id"`:                    2,
		`a sync record must have the field "op"`:                    2,

		`a program must have the field "commands"`:                        2,
		`a device must have the field "id"`:                               4,
		`a queue must have the field "id"`:                                2,
		`a queue must have the field "device"`:                            2,
		`a memory region must have the field "id"`:                        2,
		`a memory region must have the field "device"`:                    2,
		`a memory region must have the field "capacity_bytes"`:            2,
		`a buffer must have the field "id"`:                               2,
		`a buffer must have the field "memory_region"`:                    2,
		`a buffer must have the field "offset_bytes"`:                     2,
		`a buffer must have the field "size_bytes"`:                       2,
		`a token must have the field "id"`:                                2,
		`a channel must have the field "id"`:                              2,
		`a channel must have the field "depth"`:                           2,
		`a channel with "memory_region" must have the field "slot_bytes"`: 1,
		`a channel with "slot_bytes" must have the field "memory_region"`: 1,
		`a group must have the field "id"`:                                1,
		`a group must have the field "ranks"`:                             1,
		`a barrier must have the field "id"`:                              1,
		`a barrier must have the field "queues"`:                          1,
		`a command must have the field "id"`:                              6,
		`a command must have the field "kind"`:                            6,
		`an in-place pair must have the field "read"`:                     1,
		`an in-place pair must have the field "write"`:                    1,

		`a library must have the field "name"`:                2,
		`a library must have the field "version"`:             2,
		`a compatibility entry must have the field "library"`: 2,
		`a compatibility entry must have the field "version"`: 2,
		`a compatibility entry must have the field "abi"`:     2,
		`an implementation must have the field "id"`:          2,
		`an implementation must have the field "namespace"`:   2,
		`an implementation must have the field "name"`:        2,
	}
}
