package ir

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// deployed has every field that says what a program was made for.
const deployed = `{"schema": "plancheck.concrete-plan/1",
 "program": {
  "identity": {
   "source_portable_digest": "sha256:p",
   "target_fingerprint": "sha256:t",
   "deployment_fingerprint": "sha256:d",
   "abi_revision": "abi-3",
   "planning_evidence_revision": "e7",
   "planner_revision": "planner 1.2"
  },
  "deployment": {"family": "queue",
   "fingerprint": "sha256:d",
   "target_fingerprint": "sha256:t",
   "abi_revision": "abi-3",
   "devices": ["gpu-0", "gpu-1"],
   "libraries": [
    {"name": "blas", "version": "12.4"},
    {"name": "blas", "version": "11.8"}
   ],
   "compatible": [
    {"library": "blas", "version": "12.4", "abi": "abi-3"},
    {"library": "blas", "version": "12.4", "abi": "abi-4"}
   ]
  },
  "world_size": 2,
  "devices": [
   {"id": "a", "rank": 1, "target_device": "gpu-0"},
   {"id": "b"}
  ],
  "implementations": [
   {"id": "mm", "namespace": "blas", "name": "gemm", "version": "12.4", "abi": "abi-3", "variant": "128x64"},
   {"id": "own", "namespace": "acme", "name": "add"}
  ],
  "commands": [
   {"id": "m", "kind": "launch", "op": "matmul", "implementation": "mm"},
   {"id": "n", "kind": "launch"}
  ]
 }
}
`

// wholes are documents that have every field between them.
func wholes() []string { return []string{everything, deployed} }

func TestDeploymentIsRead(t *testing.T) {
	p := mustDecode(t, deployed)
	id := p.Symbols.String
	want := &Plan{Symbols: p.Symbols, LogicalCores: None, Program: &Program{
		Identity: &Identity{SourcePortable: "sha256:p", Target: "sha256:t", Deployment: "sha256:d", ABI: "abi-3",
			PlanningEvidence: "e7", Planner: "planner 1.2"},
		Deployment: &Deployment{Family: FamilyQueue, Fingerprint: "sha256:d", Target: "sha256:t", ABI: "abi-3",
			Devices:   []ID{id("gpu-0"), id("gpu-1")},
			Libraries: []Library{{Name: "blas", Version: "12.4"}, {Name: "blas", Version: "11.8"}},
			Compatible: []Compatibility{{Library: "blas", Version: "12.4", ABI: "abi-3"},
				{Library: "blas", Version: "12.4", ABI: "abi-4"}}},
		WorldSize: 2,
		Devices:   []Device{{ID: id("a"), Rank: 1, Target: id("gpu-0")}, {ID: id("b"), Rank: None}},
		Implementations: []Implementation{
			{ID: id("mm"), Namespace: "blas", Name: "gemm", Version: "12.4", ABI: "abi-3", Variant: "128x64"},
			{ID: id("own"), Namespace: "acme", Name: "add"}},
		Commands: []Command{
			{ID: id("m"), Kind: KindLaunch, Op: "matmul", Implementation: id("mm"), Bytes: None, Stage: None, Microbatch: None},
			{ID: id("n"), Kind: KindLaunch, Bytes: None, Stage: None, Microbatch: None}},
	}}
	if diff := cmp.Diff(view(want), view(p)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(deployed, string(Encode(p))); diff != "" {
		t.Errorf("written (-want +got):\n%s", diff)
	}
}

// TestDigestOfADeploymentIsFrozen spells out what the digest is of, and pins it.
func TestDigestOfADeploymentIsFrozen(t *testing.T) {
	const text = `{"program":{"commands":[{"id":"m","implementation":"mm","kind":"launch","op":"matmul"},{"id":"n","kind":"launch"}],` +
		`"deployment":{"abi_revision":"abi-3","compatible":[{"abi":"abi-3","library":"blas","version":"12.4"},{"abi":"abi-4","library":"blas","version":"12.4"}],` +
		`"devices":["gpu-0","gpu-1"],"family":"queue","fingerprint":"sha256:d","libraries":[{"name":"blas","version":"12.4"},{"name":"blas","version":"11.8"}],` +
		`"target_fingerprint":"sha256:t"},"devices":[{"id":"a","rank":1,"target_device":"gpu-0"},{"id":"b"}],` +
		`"identity":{"abi_revision":"abi-3","deployment_fingerprint":"sha256:d","planner_revision":"planner 1.2","planning_evidence_revision":"e7",` +
		`"source_portable_digest":"sha256:p","target_fingerprint":"sha256:t"},` +
		`"implementations":[{"abi":"abi-3","id":"mm","name":"gemm","namespace":"blas","variant":"128x64","version":"12.4"},{"id":"own","name":"add","namespace":"acme"}],` +
		`"world_size":2},"schema":"plancheck.concrete-plan/1"}`
	sum := sha256.Sum256([]byte("ir:plancheck.concrete-plan/1\n" + text))
	if got, want := PlanDigest(mustDecode(t, deployed)), "sha256:"+hex.EncodeToString(sum[:]); got != want {
		t.Errorf("digest %s, of the canonical text %s", got, want)
	}
	if got, want := PlanDigest(mustDecode(t, deployed)), "sha256:d3ae30feb73d38c5b9edfac19a649b4de4eb33785162b438d78882ecc4cfd869"; got != want {
		t.Errorf("digest %s, want %s", got, want)
	}
}

// TestEmptyDeploymentsInDigests: lists that are empty and texts that are say what
// their absence says, but an identity without anything in it is judged.
func TestEmptyDeploymentsInDigests(t *testing.T) {
	digest := func(program string) string {
		return PlanDigest(mustDecode(t, `{"schema": "plancheck.concrete-plan/1", "program": {`+program+`"commands": []}}`))
	}
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{``, `"implementations": [], `, true},
		{`"deployment": {}, `, `"deployment": {"devices": [], "libraries": [], "compatible": [], "abi_revision": "", "fingerprint": ""}, `, true},
		{`"identity": {}, `, `"identity": {"abi_revision": ""}, `, true},
		{``, `"identity": {}, `, false},
		{``, `"deployment": {}, `, false},
		{``, `"world_size": 1, `, false},
	} {
		if same := digest(c.a) == digest(c.b); same != c.same {
			t.Errorf("%q and %q have one digest: %v", c.a, c.b, same)
		}
	}
}

func TestErrorsOfDeployments(t *testing.T) {
	for _, c := range []struct {
		name, data string
		want       []string
	}{
		{"what is not there", in(`"program": {"implementations": [{"id": "gemm", "namespace": "blas", "name": "gemm"}],`,
			`"commands": [{"id": "a", "kind": "launch", "implementation": "gemn"}]}`), []string{
			`3:62 /program/commands/0/implementation reference-unknown: "implementation" names the implementation "gemn", which does not exist (did you mean "gemm"?)`}},
		{"a physical device is for rules to judge", in(`"program": {"devices": [{"id": "a", "target_device": "gpu-9"}], "deployment": {"devices": ["gpu-0"]}, "commands": []}`), nil},
		{"what is given twice", in(`"program": {"implementations": [{"id": "i", "namespace": "n", "name": "a"}, {"id": "i", "namespace": "n", "name": "b"}],`,
			`"deployment": {"devices": ["d", "e", "d"], "libraries": [{"name": "l", "version": "1"}, {"name": "l", "version": "2"}, {"name": "l", "version": "1"}],`,
			`"compatible": [{"library": "l", "version": "1", "abi": "x"}, {"library": "l", "version": "1", "abi": "y"},`,
			`{"library": "l", "version": "1", "abi": "x"}]}, "commands": []}`), []string{
			`2:84 /program/implementations/1/id id-duplicate: the implementation id "i" is already used on line 2`,
			`3:38 /program/deployment/devices/2 id-duplicate: the physical device "d" is already given on line 3`,
			`3:120 /program/deployment/libraries/2 id-duplicate: version "1" of library "l" is already given on line 3`,
			`5:1 /program/deployment/compatible/2 id-duplicate: that version "1" of library "l" works with ABI "x" is already given on line 4`}},
		{"what is empty", in(`"program": {"implementations": [{"id": "", "namespace": "", "name": ""}], "devices": [{"id": "d", "target_device": ""}],`,
			`"deployment": {"devices": ["", ""], "libraries": [{"name": "", "version": ""}, {"name": "", "version": ""}],`,
			`"compatible": [{"library": "", "version": "", "abi": ""}]}, "commands": [{"id": "a", "kind": "launch", "implementation": "x"}]}`), []string{
			`2:40 /program/implementations/0/id id-empty: "id" must not be empty`,
			`2:57 /program/implementations/0/namespace id-empty: "namespace" must not be empty`,
			`2:69 /program/implementations/0/name id-empty: "name" must not be empty`,
			`2:116 /program/devices/0/target_device id-empty: "target_device" must not be empty`,
			`3:28 /program/deployment/devices/0 id-empty: an entry of "devices" must not be empty`,
			`3:32 /program/deployment/devices/1 id-empty: an entry of "devices" must not be empty`,
			`3:60 /program/deployment/libraries/0/name id-empty: "name" must not be empty`,
			`3:75 /program/deployment/libraries/0/version id-empty: "version" must not be empty`,
			`3:89 /program/deployment/libraries/1/name id-empty: "name" must not be empty`,
			`3:104 /program/deployment/libraries/1/version id-empty: "version" must not be empty`,
			`4:28 /program/deployment/compatible/0/library id-empty: "library" must not be empty`,
			`4:43 /program/deployment/compatible/0/version id-empty: "version" must not be empty`,
			`4:54 /program/deployment/compatible/0/abi id-empty: "abi" must not be empty`}},
		{"a world without ranks", in(`"program": {"world_size": 0, "commands": []}`), []string{
			`2:27 /program/world_size integer-out-of-range: "world_size" must be at least 1, found 0`}},
		{"another family", in(`"program": {"deployment": {"family": "gpu"}, "commands": []}`), []string{
			`2:38 /program/deployment/family unknown-type-tag: "family" is "gpu", which is not known (known are queue, spatial)`}},
		{"time", in(`"program": {"identity": {"latency_ps": 1}, "deployment": {"start": 1}, "commands": []}`), []string{
			`2:26 /program/identity/latency_ps attribute-reserved: an identity has no field "latency_ps" (a plan holds no time, predicted or measured: leave it out)`,
			`2:59 /program/deployment/start attribute-reserved: a deployment has no field "start" (a plan holds no time, predicted or measured: leave it out)`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, ds := decode(t, c.data)
			if diff := cmp.Diff(c.want, brief(ds)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// deployment draws what a program was made for.
func (r random) deployment(p *Program) {
	if r.coin("identity") {
		p.Identity = &Identity{SourcePortable: r.text("portable"), Target: r.text("target"), Deployment: r.text("deployment"),
			ABI: r.text("abi"), PlanningEvidence: r.text("evidence"), Planner: r.text("planner")}
	}
	if r.coin("deployment") {
		d := &Deployment{Family: rapid.SampledFrom(append(Families(), "")).Draw(r.T, "family"),
			Fingerprint: r.text("fingerprint"), Target: r.text("target"), ABI: r.text("abi")}
		d.Devices = each(r, "physical devices", r.ids("gpu", 3), func(_ int, id ID) ID { return id })
		d.Libraries = listOf(r, "libraries", 3, func(i int) Library {
			return Library{Name: "l" + r.text("library"), Version: fmt.Sprint(i)}
		})
		d.Compatible = listOf(r, "compatible", 3, func(i int) Compatibility {
			return Compatibility{Library: "l" + r.text("library"), Version: fmt.Sprint(i), ABI: "a" + r.text("abi")}
		})
		p.Deployment = d
	}
	if r.coin("world") {
		p.WorldSize = r.number("world size", 1)
	}
	p.Implementations = each(r, "implementations", r.ids("implementation", 2), func(_ int, id ID) Implementation {
		return Implementation{ID: id, Namespace: "n" + r.text("namespace"), Name: "f" + r.text("function"),
			Version: r.text("version"), ABI: r.text("abi"), Variant: r.text("variant")}
	})
}
