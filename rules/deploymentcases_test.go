package rules

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// deployed is a program on two devices that says all about what it is made for.
var deployed = strings.NewReplacer("PORTABLE", digits("a"), "TARGET", digits("b"), "DEPLOYMENT", digits("c")).Replace(`{"schema": "plancheck.concrete-plan/1", "program": {
 "identity": {"source_portable_digest": "PORTABLE", "target_fingerprint": "TARGET", "deployment_fingerprint": "DEPLOYMENT",
  "abi_revision": "abi-3", "planning_evidence_revision": "e7", "planner_revision": "p1"},
 "deployment": {"family": "queue", "fingerprint": "DEPLOYMENT", "target_fingerprint": "TARGET", "abi_revision": "abi-3", "devices": ["G0", "G1"],
  "libraries": [{"name": "blas", "version": "12.4"}, {"name": "ccl", "version": "2.19"}],
  "compatible": [{"library": "blas", "version": "12.4", "abi": "abi-3"}, {"library": "blas", "version": "11.8", "abi": "abi-2"},
   {"library": "ccl", "version": "2.19", "abi": "abi-3"}]},
 "world_size": 2,
 "devices": [{"id": "d0", "rank": 0, "target_device": "G0"}, {"id": "d1", "rank": 1, "target_device": "G1"}],
 "queues": [{"id": "q0", "device": "d0"}, {"id": "q1", "device": "d1"}],
 "groups": [{"id": "tp", "ranks": [0, 1]}],
 "implementations": [{"id": "mm", "namespace": "blas", "name": "gemm", "version": "12.4", "abi": "abi-3"},
  {"id": "ring", "namespace": "ccl", "name": "all_reduce", "version": "2.19", "abi": "abi-3"}],
 "commands": [
  {"id": "m0", "kind": "launch", "queue": "q0", "implementation": "mm"}, {"id": "m1", "kind": "launch", "queue": "q1", "implementation": "mm"},
  {"id": "a0", "kind": "collective", "queue": "q0", "group": "tp", "implementation": "ring"},
  {"id": "a1", "kind": "collective", "queue": "q1", "group": "tp", "implementation": "ring"}]}}`)

func digits(digit string) string { return "sha256:" + strings.Repeat(digit, 64) }

// One cause makes one finding, be it at many places.
func TestDeploymentCases(t *testing.T) {
	s := builtin(t)
	const (
		identity   = "/program/identity/"
		deployment = "/program/deployment/"
		binding    = "concrete-binding-fingerprint-invalid"
		abi        = "implementation-abi-mismatch"
		revision   = "library-revision-incompatible"
	)
	from := func(text, start, end string) string {
		_, rest, _ := strings.Cut(text, start)
		inner, _, _ := strings.Cut(rest, end)
		return start + inner + end
	}
	identitySection := from(deployed, ` "identity": {`, "},\n")
	identityABI := `"abi_revision": "abi-3", "planning`
	deploymentABI := `"abi_revision": "abi-3", "devices"`
	libraries := from(deployed, `  "libraries": [`, "],\n")
	for _, c := range []struct {
		name    string
		replace []string // pairs of old and new
		want    []told
	}{
		{"legal", nil, nil},

		// Rank 99: the device has it, its collective is not blamed, nor the rank missed.
		{"a rank too high", []string{`"rank": 1`, `"rank": 99`},
			[]told{{"rank-unknown", "/program/devices/1/rank", "device d1 has rank 99, but the world has 2 ranks, counted from 0"}}},
		{"a world too small", []string{`"world_size": 2`, `"world_size": 1`},
			[]told{{"rank-unknown", "/program/devices/1/rank", "device d1 has rank 1, but the world has 1 rank, counted from 0"}}},
		{"a world of many ranks", []string{`"world_size": 2`, `"world_size": 9223372036854775807`},
			[]told{{"rank-unplaced", "/program/world_size", "no device has rank 2, but the world has 9223372036854775807 ranks, counted from 0"}}},
		{"two gaps", []string{`"world_size": 2`, `"world_size": 7`, `"rank": 1`, `"rank": 3`, "[0, 1]", "[0, 3]"},
			[]told{{"rank-unplaced", "/program/world_size", "no device has rank 1, but the world has 7 ranks, counted from 0"},
				{"rank-unplaced", "/program/world_size", "no device has rank 4, but the world has 7 ranks, counted from 0"}}},
		{"a group of ranks that nobody has", []string{`"world_size": 2`, `"world_size": 3`, "[0, 1]", "[0, 1, 2, 3]"},
			[]told{{"rank-unplaced", "/program/world_size", "no device has rank 2, but the world has 3 ranks, counted from 0"},
				{"rank-unknown", "/program/groups/0/ranks/3", "group tp has rank 3, but the world has 3 ranks, counted from 0"}}},
		{"a rank twice", []string{`"rank": 1`, `"rank": 0`},
			[]told{{"device-duplicate-rank", "/program/devices/0/rank", "devices d0 and d1 all have rank 0"}}},

		{"one physical device for both, which is not there", []string{`"target_device": "G0"`, `"target_device": "G7"`, `"target_device": "G1"`, `"target_device": "G7"`},
			[]told{{"device-not-in-deployment", "/program/devices/0/target_device", "device d0 is physical device G7, which the deployment does not have"},
				{"device-not-in-deployment", "/program/devices/1/target_device", "device d1 is physical device G7, which the deployment does not have"}}},
		{"no list of physical devices", []string{`, "devices": ["G0", "G1"]`, ""}, nil},

		{"another target", []string{`"fingerprint": "` + digits("c"), `"fingerprint": "` + digits("d"),
			`"target_fingerprint": "` + digits("b") + `", "abi_revision": "abi-3"`, `"target_fingerprint": "` + digits("e") + `", "abi_revision": "abi-4"`},
			[]told{{binding, identity + "target_fingerprint", "the program was made for target " + digits("b") + ", but its deployment is one of target " + digits("e")}}},
		{"a fingerprint that is none", []string{`"deployment_fingerprint": "` + digits("c"), `"deployment_fingerprint": "node0`},
			[]told{{binding, identity + "deployment_fingerprint", "the deployment_fingerprint of the identity is node0, which is no digest"}}},
		{"an identity without anything", []string{identitySection, ` "identity": {},` + "\n"},
			[]told{{"concrete-identity-empty", "/program/identity", "the identity of the program does not say abi_revision, deployment_fingerprint, " +
				"planner_revision, planning_evidence_revision, source_portable_digest and target_fingerprint"}}},
		{"no identity", []string{identitySection, ""}, nil},

		{"another ABI of the deployment", []string{deploymentABI, `"abi_revision": "abi-2", "devices"`},
			[]told{{abi, identity + "abi_revision", "the program uses abi-3, but its deployment offers abi-2"}}},
		{"another ABI of the program", []string{identityABI, `"abi_revision": "abi-2", "planning`},
			[]told{{abi, identity + "abi_revision", "the program uses abi-2, but its deployment offers abi-3"}}},
		{"another ABI of the deployment, and no identity", []string{identitySection, "", deploymentABI, `"abi_revision": "abi-2", "devices"`},
			[]told{{abi, "/program/implementations/0/abi", "implementation mm is built for abi-3, but the deployment has abi-2"},
				{abi, "/program/implementations/1/abi", "implementation ring is built for abi-3, but the deployment has abi-2"}}},
		{"three ABIs", []string{identityABI, `"abi_revision": "abi-1", "planning`, deploymentABI, `"abi_revision": "abi-2", "devices"`},
			[]told{{abi, identity + "abi_revision", "the program uses abi-1, but its deployment offers abi-2"},
				{abi, "/program/implementations/0/abi", "implementation mm is built for abi-3, but the identity has abi-1"},
				{abi, "/program/implementations/1/abi", "implementation ring is built for abi-3, but the identity has abi-1"}}},

		{"another library than was meant", []string{`"name": "blas", "version": "12.4"`, `"name": "blas", "version": "11.8"`},
			[]told{{revision, "/program/implementations/0/version", "implementation mm is built for blas 12.4, but the deployment has 11.8"}}},
		{"a library for another ABI", []string{`"name": "blas", "version": "12.4"`, `"name": "blas", "version": "11.8"`, `"gemm", "version": "12.4"`, `"gemm", "version": "11.8"`},
			[]told{{revision, deployment + "libraries/0", "blas 11.8 is installed, but the table does not say that it works with abi-3"}}},
		{"two versions side by side", []string{`"name": "blas", "version": "12.4"`, `"name": "blas", "version": "12.4"}, {"name": "blas", "version": "12.5"`,
			`"compatible": [`, `"compatible": [{"library": "blas", "version": "12.5", "abi": "abi-3"}, `}, nil},
		{"a table and nothing installed", []string{libraries, "", `"gemm", "version": "12.4"`, `"gemm", "version": "11.8"`},
			[]told{{revision, "/program/implementations/0/version", "implementation mm is built for blas 11.8, but the table does not say that it works with abi-3"}}},
		{"a table and no ABI but that of implementations", []string{identitySection, "", deploymentABI, `"devices"`, `"gemm", "version": "12.4"`, `"gemm", "version": "11.8"`,
			`"name": "blas", "version": "12.4"`, `"name": "blas", "version": "11.8"`},
			[]told{{revision, "/program/implementations/0/version", "implementation mm is built for blas 11.8, but the table does not say that it works with abi-3"}}},
		{"a library that nothing knows", []string{`"namespace": "ccl"`, `"namespace": "acme"`},
			[]told{{revision, "/program/implementations/1/version", "implementation ring is built for acme 2.19, but the deployment has no acme"}}},
		{"code of one's own", []string{`"namespace": "ccl", "name": "all_reduce", "version": "2.19"`, `"namespace": "acme", "name": "all_reduce"`}, nil},

		{"launches without implementation", []string{`, "implementation": "mm"`, ""},
			[]told{{"command-missing-implementation", "/program/commands/0", "m0 is a launch, but nothing says which implementation does it"},
				{"command-missing-implementation", "/program/commands/1", "m1 is a launch, but nothing says which implementation does it"}}},
		{"no commands", []string{from(deployed, ` "commands": [`, "]}}"), ` "commands": []}}`},
			[]told{{"concrete-empty", "/program", "the program has no commands"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := deployed
			for i := 0; i < len(c.replace); i += 2 {
				if !strings.Contains(text, c.replace[i]) {
					t.Fatalf("%q is not in the program", c.replace[i])
				}
				text = strings.ReplaceAll(text, c.replace[i], c.replace[i+1])
			}
			v := judge(t, s, plan(t, "plan.json", []byte(text)), Options{})
			if diff := cmp.Diff(c.want, tell(v.Findings)); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}
