package evidence

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"plancheck/facts"
	"plancheck/internal/costs"
	"plancheck/internal/diag"
	"plancheck/internal/poly"
	"plancheck/ir/evidence"
	"plancheck/ir/level"
	"plancheck/ir/levels"
	"plancheck/ir/portable"
	"plancheck/rules"
)

// The rules that tests ask, loaded once.
var (
	bindingRules  = sync.OnceValue(func() *rules.Set { s, _ := rules.LoadFor(evidence.BindingSchema, nil); return s })
	evidenceRules = sync.OnceValue(func() *rules.Set { s, _ := rules.LoadFor(evidence.EvidenceSchema, nil); return s })
)

// judged lists what the rules find in a document beside a parent.
func judged(t interface{ Fatal(...any) }, b level.Body, parent level.Body) (codes []string) {
	d, diags := facts.Decode(diag.NewSource("made.json", levels.Encode(b)))
	if d == nil {
		t.Fatal(diags)
	}
	var beside *facts.Document
	if parent != nil {
		beside = facts.OfLevel(parent, nil)
	}
	set := bindingRules()
	if d.Schema != evidence.BindingSchema {
		set = evidenceRules()
	}
	v, err := set.JudgeDocument(context.Background(), d, rules.Options{Parent: beside})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range v.Findings {
		codes = append(codes, f.Code+": "+f.Message)
	}
	return codes
}

// What is bound passes the rules beside everything that it was bound on, whatever
// the sizes; it is made again to the byte, and nothing that it is made from
// changes.
func TestRandomBindings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		target, d := A100(), A100Deployment()
		types := []string{"bf16", "f16", "f32"}
		if rapid.Bool().Draw(t, "chip") {
			target, d = Chip(), ChipDeployment()
		}
		p := rapid.SampledFrom([]int64{1, 2, 4, 8}).Draw(t, "ranks")
		m, n, k := rapid.Int64Range(1, 64).Draw(t, "m"), p*rapid.Int64Range(1, 64).Draw(t, "n"), rapid.Int64Range(1, 64).Draw(t, "k")
		plan := rowParallel(m, n, k, p, rapid.SampledFrom(types).Draw(t, "dtype"))
		e := NoRecords(d)
		for i := range rapid.IntRange(0, 3).Draw(t, "records") {
			e.Records = append(e.Records, evidence.Sample{ID: fmt.Sprint("r", i), Op: "linear", Dims: []int64{m, rapid.Int64Range(1, 64).Draw(t, "other n"), k},
				Bytes: -1, Participants: -1, Duration: rapid.Int64Range(1, 1<<40).Draw(t, "takes"), Method: "measured", Source: "s"})
		}
		if rapid.Bool().Draw(t, "factor") {
			e.Factors = []evidence.Factor{{Group: "linear", Bucket: -1, Participants: -1, Numerator: rapid.Int64Range(1, 1<<40).Draw(t, "by"), Denominator: 1 << 39, Samples: 1}}
		}
		policy := DefaultPolicy("measurements")
		policy.MaxDistance = 6 * costs.Million
		in := Input{plan, target, d, e, policy}
		parents := []level.Body{plan, target, d, e}
		before := []string{}
		for _, b := range parents {
			before = append(before, levels.Digest(b))
		}
		bound, err := Bind(in)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Bind(in)
		if err != nil || string(levels.Encode(again)) != string(levels.Encode(bound)) {
			t.Fatal("the costs.Second binding is another one", err)
		}
		for i, b := range parents {
			if levels.Digest(b) != before[i] {
				t.Fatalf("binding changed the %s", b.Head().Schema)
			}
			if codes := judged(t, bound, b); codes != nil {
				t.Fatalf("beside the %s: %v\n%s", b.Head().Schema, codes, levels.Encode(bound))
			}
		}
		if codes := judged(t, bound, nil); codes != nil {
			t.Fatal(codes)
		}
	})
}

// What cannot be bound is in the binding, and the rules find it there.
func TestUnbindable(t *testing.T) {
	d := A100Deployment()
	for _, c := range []struct {
		name   string
		change func(*Input)
		parent func(Input) level.Body
		want   []string
	}{
		{"an op that nothing can do", func(in *Input) { in.Plan.Tasks[0].Op = "fft" }, nil,
			[]string{"capability-unsupported: no implementation of the target can do task mm, which is a fft"}},
		{"a collective that nothing can do", func(in *Input) { in.Plan.Tasks[1].Op = "scan" }, nil,
			[]string{"collective-unsupported: no implementation of the target can do the collective scan of task ar"}},
		{"a type that nothing works on", func(in *Input) {
			for i := range in.Target.Kernels[:2] {
				in.Target.Kernels[i].DTypes = []string{"f64"}
			}
		}, nil, []string{"dtype-unsupported: what can do task mm on the target does not work on bf16"}},
		{"an axis that is too long", func(in *Input) { in.Target.Kernels[0].MaxDim = 12287 }, nil,
			[]string{"shape-limit-exceeded: what can do task mm on the target takes no axis of 12288"}},
		{"another ABI", func(in *Input) { in.Target.Kernels[0].ABI = "cuda-11" }, nil,
			[]string{"abi-mismatch: what can do task mm on the target is not called by ABI cuda-12"}},
		{"more ranks than a network joins", func(in *Input) { in.Target.Tiers[0].Size = 4 }, func(in Input) level.Body { return in.Target },
			[]string{"collective-exceeds-tier: a collective has 8 participants, but no network of the target joins more than 4 devices", "evidence-missing: nobody knows the cost of task ar"}},
		{"fewer devices than ranks", func(in *Input) { in.Deployment.Devices = in.Deployment.Devices[:4] }, func(in Input) level.Body { return in.Deployment },
			[]string{"device-count-out-of-range: the plan needs 8 devices, but the deployment has 4"}},
		{"too little memory", func(in *Input) { in.Deployment.Memory = 1 << 27 }, func(in Input) level.Body { return in.Deployment },
			[]string{"memory-below-minimum: the plan needs 251658240 bytes on each device, but 134217728 are free there, of which 0 are reserved"}},
		{"no formulas and no records", func(in *Input) { in.Policy.Providers = []string{"measurements"} }, nil,
			[]string{"evidence-missing: nobody knows the cost of task mm", "evidence-missing: nobody knows the cost of task ar"}},
		{"records that contradict each other", func(in *Input) {
			for _, id := range []string{"a", "b"} {
				in.Evidence.Records = append(in.Evidence.Records, evidence.Sample{ID: id, Op: "linear", Bytes: -1, Participants: -1, Duration: 5, Method: "measured", Source: id})
			}
		}, nil, []string{"evidence-ambiguous: what measurements knows of the cost of task mm contradicts itself"}},
		{"records from another environment", func(in *Input) {
			in.Evidence.Environment = "11"
			in.Evidence.Records = append(in.Evidence.Records, evidence.Sample{ID: "a", Op: "linear", Bytes: -1, Participants: -1, Duration: 5, Method: "measured"})
		}, func(in Input) level.Body { return in.Evidence }, []string{"evidence-stale: costs are of times from environment 11, but the plan is bound for 12.4"}},
		{"factors from another environment", func(in *Input) {
			in.Evidence.Environment = "11"
			in.Evidence.Factors = []evidence.Factor{{Group: "linear", Bucket: -1, Participants: -1, Numerator: 3, Denominator: 2, Samples: 1}, {Group: "cublas.gemm", Bucket: -1, Participants: -1, Numerator: 3, Denominator: 2, Samples: 1}}
		}, func(in Input) level.Body { return in.Evidence }, []string{"evidence-stale: costs are of times from environment 11, but the plan is bound for 12.4"}},
		{"an environment that nobody states", func(in *Input) {
			in.Evidence.Environment = ""
			in.Evidence.Records = append(in.Evidence.Records, evidence.Sample{ID: "a", Op: "linear", Bytes: -1, Participants: -1, Duration: 5, Method: "measured"})
		}, func(in Input) level.Body { return in.Evidence }, nil},
		{"an environment that the policy does not mind", func(in *Input) {
			in.Evidence.Environment, in.Policy.Fresh = "11", false
			in.Evidence.Records = append(in.Evidence.Records, evidence.Sample{ID: "a", Op: "linear", Bytes: -1, Participants: -1, Duration: 5, Method: "measured"})
		}, func(in Input) level.Body { return in.Evidence }, nil},
		{"records that are too far away", func(in *Input) {
			in.Policy.Providers = []string{"measurements"}
			in.Plan.Tasks = in.Plan.Tasks[:1]
			in.Evidence.Records = append(in.Evidence.Records, evidence.Sample{ID: "a", Op: "linear", Dims: []int64{8, 6144, 12288}, Bytes: -1, Participants: -1, Duration: 5, Method: "measured"})
		}, nil, []string{"evidence-out-of-domain: what is known of task mm is 8000000 millionths of a doubling away, which is farther than the policy allows"}},
	} {
		in := Input{rowParallel(2048, 49152, 12288, 8, "bf16"), A100(), A100Deployment(), NoRecords(d), DefaultPolicy("measurements")}
		c.change(&in)
		b, err := Bind(in)
		if err != nil {
			t.Fatal(err)
		}
		var parent level.Body
		if c.parent != nil {
			parent = c.parent(in)
		}
		if diff := cmp.Diff(c.want, judged(t, b, parent)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// A plan may have few ranks with high numbers.
func TestHighRanks(t *testing.T) {
	d := A100Deployment()
	in := Input{rowParallel(4, 8, 8, 2, "f16"), A100(), d, NoRecords(d), DefaultPolicy("measurements")}
	in.Plan.Buffers[0].Rank = 1 << 60
	b, err := Bind(in)
	if err != nil || b.Requires.Devices != 1<<60+1 || len(b.Ranks) != 8 {
		t.Fatal(b, err)
	}
	in.Plan.Buffers[0].Rank = 1<<63 - 1
	var wrong *Error
	if _, err = Bind(in); !errors.As(err, &wrong) || wrong.Code != "scalar-out-of-range" {
		t.Error(err)
	}
}

// Quantities without a value cannot be bound, nor those beyond 64 bits.
func TestUnboundQuantities(t *testing.T) {
	d := A100Deployment()
	in := Input{rowParallel(4, 8, 8, 2, "f16"), A100(), d, NoRecords(d), DefaultPolicy("measurements")}
	operations, err := poly.Parse("64*M")
	if err != nil {
		t.Fatal(err)
	}
	in.Plan.Tasks[0].Work.Operations = operations
	for _, c := range []struct {
		value int64
		want  *Error
	}{
		{0, &Error{"scalar-symbolic-unbound", "task mm", "operations is 64*M, and M has no value"}},
		{1 << 60, &Error{"scalar-out-of-range", "task mm", "operations is 64*M: a coefficient does not fit in 64 bits"}},
		{4, nil},
	} {
		in.Plan.Bindings = nil
		if c.value > 0 {
			in.Plan.Bindings = append(in.Plan.Bindings, portable.Binding{Symbol: "M", Value: c.value})
		}
		_, err := Bind(in)
		var got *Error
		errors.As(err, &got)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("M = %d: %s", c.value, diff)
		}
	}
}
