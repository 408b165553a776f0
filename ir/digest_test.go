package ir

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"strings"
	"testing"
)

// TestDigestsAreFrozen pins digests that documents in the world may record. A
// change of these values is a change of the schema.
func TestDigestsAreFrozen(t *testing.T) {
	later := strings.NewReplacer( // fields that came when documents were in the world
		`, "options": {"nonempty_stages": true, "forward": true}`, "", `, "bytes_per_cycle": 32`, "",
		`, "work_on": [{"kind": "pim", "cycles": 90}, {"kind": "host", "cycles": 0}]`, "", `, "work_on": []`, "",
		`, "forward_cycles": 5`, "", `, "forward_cycles": 0`, "", `, "forward_cycles": 6`, "")
	programless, _, _ := strings.Cut(everything, ",\n \"program\"")
	programless += "}"
	for _, c := range []struct{ name, document, plan, graph string }{
		{"everything", everything,
			"sha256:01f492a10b1b0019c420c5253f1ef954e0a2f09384f42fca8dc595424b2cb0c9",
			"sha256:f453a6b914a21dbaa561b702be739542a0db6eb6ba54ebc7a52bd8b0552dd8dd"},
		{"everything but a program", programless,
			"sha256:639021f0749e2414f2ef148f0ae1f9902c8e10817a0e0b82141acbfda019f539",
			"sha256:f453a6b914a21dbaa561b702be739542a0db6eb6ba54ebc7a52bd8b0552dd8dd"},
		{"everything but later fields", later.Replace(programless),
			"sha256:bc2808801c0dce73486a064a97ec1e6fa770bde0c204de38123828fcb6c4b375",
			"sha256:0b414603062c5ae5f7a3f7fc1c46f233b6f6283ec5892a5e611e6e1d74c59f5d"},
		{"nothing", `{"schema": "plancheck.concrete-plan/1", "graph": {"ops": []}}`,
			"sha256:e907252a2ccb03a61d33da06411097e868faa86fc423d267b9846a399d5348b2",
			"sha256:5689aaaca0f96815cba85ceb2827c41a619a7ceac9b6bdd4b0e8492fbf4d0ace"},
		{"odd text", `{"schema": "plancheck.concrete-plan/1", "name": "\u0000\b\t\n\u000b\f\r\"\\\/\u007fé😀\u2028",
			"graph": {"ops": [{"id": "\u001f", "work_cycles": 9223372036854775807}]}}`,
			"sha256:7f95a23875fbda2e49a7a2c3f529ad7769997b9274aa248ad3e2595a0064b930",
			"sha256:99171176a7a0e1b8a5d8205d9aa213da6cc8ed35d8034efda4380659e344bff9"},
	} {
		p := mustDecode(t, c.document)
		if got := PlanDigest(p); got != c.plan {
			t.Errorf("%s: plan digest %s, want %s", c.name, got, c.plan)
		}
		if got := GraphDigest(p); got != c.graph {
			t.Errorf("%s: graph digest %s, want %s", c.name, got, c.graph)
		}
	}
}

// TestCanonicalText spells out what the digests are digests of.
func TestCanonicalText(t *testing.T) {
	p := mustDecode(t, everything)
	const graph = `{"edges":[{"from":"embed","size_bytes":256,"to":"mlp","value":"v"},{"from":"mlp","to":"fwd"}],` +
		`"inputs":[{"consumers":["embed","mlp"],"dynamic":true,"forward_cycles":5,"id":"tokens","size_bytes":512},{"consumers":[],"dynamic":false,"id":"table"}],` +
		`"ops":[{"id":"embed","kind":"gather","lanes":2,"max_parts":4,"weights":["w0","embed"],"windows":9,"work_cycles":800,"work_on":[{"cycles":90,"kind":"pim"},{"cycles":0,"kind":"host"}]},` +
		`{"id":"mlp","work_cycles":0},{"forward_cycles":6,"forwards":"v","id":"fwd","kind":"forward","work_cycles":1}],` +
		`"values":[{"forward_cycles":0,"from":"embed","id":"v","size_bytes":3},{"from":"mlp","id":"u"}],` +
		`"weights":[{"id":"w0","size_bytes":1024},{"id":"embed","size_bytes":0}]}`
	const assignment = `{"graph_digest":"rev0",` +
		`"instances":[{"cores":[0,null],"op":"embed","part":1,"stage":0},{"op":"mlp"},{"op":"fwd"}],"placement":[1,null],` +
		`"replicas":[{"count":4,"first":0,"index":0,"op":"embed"},{"count":5,"first":4,"index":1,"op":"embed"}],` +
		`"residency":[{"cores":[1],"part":0,"parts":2,"weight":"w0"},{"cores":[0],"weight":"embed"}],"splits":[{"op":"embed","parts":2}]}`
	const program = `{"barriers":[{"id":"b","queues":["q0","q1"]}],` +
		`"buffers":[{"alignment_bytes":8,"freed_by":"m","id":"x","initialised":true,"kept":true,"memory_region":"hbm","offset_bytes":64,"size_bytes":32},` +
		`{"id":"y","memory_region":"hbm","offset_bytes":64,"size_bytes":32}],` +
		`"channels":[{"depth":2,"id":"c","memory_region":"hbm","slot_bytes":8},{"depth":0,"id":"d"}],` +
		`"commands":[{"after":["r"],"bytes":7,"id":"m","in_place":[{"read":"x","write":"y"}],"kind":"launch","microbatch":3,"op":"mlp",` +
		`"queue":"q0","reads":["x"],"signals":["u"],"stage":1,"waits":["t"],"writes":["y"]},` +
		`{"channel":"c","id":"r","kind":"recv"},{"group":"g","id":"a","kind":"collective"},{"barrier":"b","id":"n","kind":"barrier"}],` +
		`"devices":[{"id":"gpu0","rank":0},{"id":"host"}],"groups":[{"id":"g","ranks":[0]}],` +
		`"memory_regions":[{"alignment_bytes":16,"capacity_bytes":4096,"device":"gpu0","id":"hbm","reserved_bytes":64},{"capacity_bytes":0,"device":"host","id":"ram"}],` +
		`"queues":[{"device":"gpu0","id":"q0","kind":"compute"},{"device":"host","id":"q1","ordered":false}],` +
		`"tokens":[{"consuming":true,"id":"t"},{"id":"u"}]}`
	const plan = `{"assignment":` + assignment +
		`,"graph":` + graph + `,"logical_cores":2,"name":"tiny","options":{"forward":true,"nonempty_stages":true},"program":` + program + `,"schema":"plancheck.concrete-plan/1",` +
		`"stages":[{"cores":{"count":1,"first":0},"index":0},{"index":1},{"index":2}],` +
		`"sync":[{"id":"t","op":"mlp","stage":1},{"id":"s","op":"mlp"}],` +
		`"target":{"bytes_per_cycle":32,"core_count":2,"cores":[{"at":[0,0],"capacity_bytes":4096,"id":0,"kind":"pim"},{"id":7}],"topology":{"mesh":[1,2]}},` +
		`"transfers":[{"from":"embed","from_stage":0,"id":"t","stage":0,"to":"mlp","to_stage":1},{"from":"mlp","id":"t2","to":"fwd"}]}`
	for _, c := range []struct{ name, got, text string }{
		{"graph", GraphDigest(p), "ir:plancheck.concrete-plan/1#/graph\n" + graph},
		{"assignment", AssignmentDigest(p), "ir:plancheck.concrete-plan/1#/assignment\n" + assignment},
		{"plan", PlanDigest(p), "ir:plancheck.concrete-plan/1\n" + plan},
	} {
		sum := sha256.Sum256([]byte(c.text))
		if want := "sha256:" + hex.EncodeToString(sum[:]); c.got != want {
			t.Errorf("the %s digest is not that of its canonical text: %s, want %s", c.name, c.got, want)
		}
	}
}

// TestStatedDefaultsDoNotChangeDigests writes the same thing in several ways.
func TestStatedDefaultsDoNotChangeDigests(t *testing.T) {
	const plan = `{"schema": "plancheck.concrete-plan/1", "graph": {"ops": [{"id": "a", "work_cycles": 1}, {"id": "b", "lanes": 2, "work_cycles": 1}],
		"weights": [{"id": "w", "size_bytes": 1}]}, "stages": [{"index": 0}],
		"assignment": {"instances": [{"op": "a"}, {"op": "b"}, {"op": "b", "cores": [1, null]}, {"op": "b", "lanes": [0]}],
		               "residency": [{"weight": "w", "cores": [0, 1]}]}}`
	want := PlanDigest(mustDecode(t, plan))
	for _, c := range []struct{ old, new string }{
		{`{"index": 0}`, `{"index": 0, "cores": null}`},
		{`"id": "a", `, `"id": "a", "lanes": 1, "kind": "", "weights": [], `},
		{`"weights": [{`, `"edges": [], "values": [], "inputs": [], "weights": [{`},
		{`"assignment": {`, `"transfers": [], "sync": [], "assignment": {"splits": [], "replicas": [], "graph_digest": "", `},
		{`{"op": "a"}`, `{"op": "a", "stage": null, "cores": null}`},
		{`{"op": "a"}`, `{"op": "a", "lanes": [0]}`},
		{`{"op": "a"}`, `{"op": "a", "cores": [null]}`},
		{`{"op": "a"}`, `{"op": "a", "lanes": [0], "cores": [null]}`},
		{`{"op": "b"}`, `{"op": "b", "lanes": [0, 1]}`},
		{`{"op": "b"}`, `{"op": "b", "cores": [null, null]}`},
		{`{"op": "b", "lanes": [0]}`, `{"op": "b", "lanes": [0], "cores": [null]}`},
		{`{"op": "b", "lanes": [0]}`, `{"op": "b", "cores": [null]}`},
		{`"cores": [1, null]`, `"lanes": [0, 1], "cores": [1, null]`},
		{`"cores": [0, 1]`, `"lanes": [0, 1], "cores": [0, 1]`},
		{`"graph": {`, `"digest": "x", "graph": {"digest": "y", `},
	} {
		changed := strings.Replace(plan, c.old, c.new, 1)
		if got := PlanDigest(mustDecode(t, changed)); got != want {
			t.Errorf("%s in place of %s changes the digest", c.new, c.old)
		}
	}
}

// TestEveryValueIsInTheDigest changes each value of a document that has every
// field. Only the digests of the content are no part of it.
func TestEveryValueIsInTheDigest(t *testing.T) {
	changed := 0
	for _, whole := range wholes() {
		changed += changeEveryValue(t, whole)
	}
	if changed < 70 {
		t.Errorf("only %d values were changed", changed)
	}
}

func changeEveryValue(t *testing.T, whole string) (changed int) {
	t.Helper()
	var root any
	if err := json.Unmarshal([]byte(whole), &root); err != nil {
		t.Fatal(err)
	}
	original := mustDecode(t, whole)
	nodes("", root, func(x any) { root = x }, func(n node) {
		switch v := n.value.(type) {
		case float64:
			n.set(v + 5)
		case bool:
			n.set(!v)
		case string:
			n.set(v + "x")
		case nil:
			if !strings.Contains(n.pointer, "placement") {
				return
			}
			n.set(3)
		default:
			return
		}
		data, err := json.Marshal(root)
		if err != nil {
			t.Fatal(err)
		}
		n.set(n.value)
		p, _ := decode(t, string(data))
		if p == nil {
			return // an id or the schema
		}
		changed++
		if same, wanted := PlanDigest(p) == PlanDigest(original), n.pointer == "/digest" || n.pointer == "/graph/digest"; same != wanted {
			t.Errorf("%s: same plan digest is %v", n.pointer, same)
		}
		inGraph := strings.HasPrefix(n.pointer, "/graph/") && n.pointer != "/graph/digest"
		if same := GraphDigest(p) == GraphDigest(original); same == inGraph {
			t.Errorf("%s: same graph digest is %v", n.pointer, same)
		}
		inAssignment := strings.HasPrefix(n.pointer, "/assignment/")
		if same := AssignmentDigest(p) == AssignmentDigest(original); same == inAssignment {
			t.Errorf("%s: same assignment digest is %v", n.pointer, same)
		}
	})
	return changed
}

// TestPresenceOfGivenSectionsIsInTheDigest: an empty list of stages, residents
// or places is judged, an absent one is not.
func TestPresenceOfGivenSectionsIsInTheDigest(t *testing.T) {
	const plan = `{"schema": "plancheck.concrete-plan/1", "graph": {"ops": []}`
	seen := map[string]string{}
	for _, more := range []string{"", `, "stages": []`, `, "assignment": {"residency": []}`, `, "assignment": {"placement": []}`, `, "target": {"cores": []}`} {
		digest := PlanDigest(mustDecode(t, plan+more+"}"))
		if other, taken := seen[digest]; taken {
			t.Errorf("%q and %q have one digest", other, more)
		}
		seen[digest] = more
	}
	same := PlanDigest(mustDecode(t, plan+`, "assignment": {}}`))
	if seen[same] != "" {
		t.Error("an empty assignment is not the same as none")
	}
}

func TestIsDigest(t *testing.T) {
	digits := strings.Repeat("0123456789abcdef", 4)
	for text, want := range map[string]bool{
		"sha256:" + digits: true, PlanDigest(bigPlan(1)): true,
		"": false, "sha256:": false, digits: false, "sha256:" + digits + "0": false, "sha256:" + digits[1:]: false,
		"sha256:" + strings.ToUpper(digits): false, "sha256:" + digits[1:] + "g": false, "sha512:" + digits: false,
		"sha256:" + digits[2:] + "é": false,
	} {
		if got := IsDigest(text); got != want {
			t.Errorf("%q is a digest: %v", text, got)
		}
	}
}

// TestLongPlansAreHashedWhole covers documents longer than one buffer.
func TestLongPlansAreHashedWhole(t *testing.T) {
	a, b := bigPlan(3000), bigPlan(3000)
	if PlanDigest(a) != PlanDigest(b) {
		t.Error("equal plans have different digests")
	}
	b.Graph.Ops[1500].Work++
	if PlanDigest(a) == PlanDigest(b) || GraphDigest(a) == GraphDigest(b) {
		t.Error("a change in the middle is not in the digest")
	}
	b = bigPlan(3000)
	w := newPlanWriter(b, &writer{canonical: true})
	w.document()
	sum := sha256.Sum256(append([]byte("ir:plancheck.concrete-plan/1\n"), w.buf...))
	if got, want := PlanDigest(b), "sha256:"+hex.EncodeToString(sum[:]); got != want {
		t.Errorf("digest in pieces %s, at once %s", got, want)
	}
}
