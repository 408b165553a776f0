package evidence

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"plancheck/internal/costs"
	"plancheck/ir/evidence"
)

const ms = 1_000_000_000

// gemm is a bound matrix product of these dimensions.
func gemm(dims ...int64) *evidence.Bound {
	return &evidence.Bound{Body: "compute", Op: "gemm", Implementation: "lib.gemm", Engine: "matrix",
		Query: evidence.Query{DType: "f16", Dims: dims, Participants: 1, Operations: 2 * dims[0] * dims[1] * dims[2], Read: 1}}
}

func measured(id, source string, duration int64, dims ...int64) evidence.Sample {
	return evidence.Sample{ID: id, Op: "gemm", DType: "f16", Dims: dims, Bytes: -1, Participants: -1, Duration: duration, Method: "measured", Source: source}
}

// resolved asks for the cost of a task by records alone, or by the formulas too.
func resolved(task *evidence.Bound, policy evidence.Policy, records []evidence.Sample, factors ...evidence.Factor) *evidence.Bound {
	target := A100()
	r := &resolver{target, &evidence.Evidence{Provider: "lab", Environment: "e1", Records: records, Factors: factors}, policy}
	r.resolve(task)
	return task
}

func TestResolution(t *testing.T) {
	fallback := DefaultPolicy("lab")
	records := func(change func(*evidence.Policy)) evidence.Policy {
		p := fallback
		p.Providers = []string{"lab"}
		if change != nil {
			change(&p)
		}
		return p
	}
	attempt := func(match, status, reason string) evidence.Attempt {
		return evidence.Attempt{Provider: "lab", Match: match, Status: status, Reason: reason}
	}
	none := attempt("exact", "unavailable", "no record is about this")
	apart := attempt("interpolated", "unavailable", "no two records are around this on one axis")
	collective := func(bytes, ranks int64) *evidence.Bound {
		return &evidence.Bound{Body: "collective", Op: "all-reduce", Implementation: "lib.ar", Query: evidence.Query{Message: bytes, Participants: ranks}}
	}
	for _, c := range []struct {
		name     string
		task     *evidence.Bound
		policy   evidence.Policy
		records  []evidence.Sample
		factors  []evidence.Factor
		cost     *evidence.Resolution
		attempts []evidence.Attempt
	}{
		{
			name: "repetitions of one source: the median", task: gemm(8, 16, 32), policy: records(nil),
			records: []evidence.Sample{measured("a", "s", 1*ms, 8, 16, 32), measured("b", "s", 3*ms, 8, 16, 32)},
			cost: &evidence.Resolution{Duration: 2 * ms, Match: "exact", Provider: "lab", Method: "measured", Records: []string{"a", "b"},
				Spread: &evidence.Spread{Samples: 2, Lower: 1 * ms, Upper: 3 * ms, Deviation: 1 * ms}},
			attempts: []evidence.Attempt{attempt("exact", "available", "")},
		},
		{
			name: "two sources contradict each other, and nothing hides it", task: gemm(8, 16, 32), policy: fallback,
			records:  []evidence.Sample{measured("a", "s", 1*ms, 8, 16, 32), measured("b", "t", 2*ms, 8, 16, 32)},
			attempts: []evidence.Attempt{attempt("exact", "invalid", "records a and b are about the same and from different sources")},
		},
		{
			name: "the record that says most", task: gemm(8, 16, 32), policy: records(nil),
			records: []evidence.Sample{measured("any", "s", 9*ms), measured("this", "t", 1*ms, 8, 16, 32)},
			cost: &evidence.Resolution{Duration: 1 * ms, Match: "exact", Provider: "lab", Method: "measured", Records: []string{"this"},
				Spread: &evidence.Spread{Samples: 1, Lower: 1 * ms, Upper: 1 * ms}},
			attempts: []evidence.Attempt{attempt("exact", "available", "")},
		},
		{
			name: "a record says nothing of another size", task: gemm(8, 16, 33), policy: records(func(p *evidence.Policy) { p.Matches = []string{"exact"} }),
			records:  []evidence.Sample{measured("a", "s", 1*ms, 8, 16, 32)},
			attempts: []evidence.Attempt{none},
		},
		{
			name: "between two records", task: gemm(8192, 8192, 4608), policy: records(nil),
			records: []evidence.Sample{measured("hi", "s", 9*ms, 8192, 8192, 5120), measured("far", "s", 1*ms, 8192, 8192, 1024), measured("lo", "s", 6*ms+1, 8192, 8192, 4096)},
			cost: &evidence.Resolution{Duration: 7*ms + ms/2 + 1, Match: "interpolated", Provider: "lab", Method: "measured", Records: []string{"lo", "hi"},
				Axis: "2", Weight: &evidence.Ratio{Numerator: 512, Denominator: 1024}},
			attempts: []evidence.Attempt{none, attempt("interpolated", "available", "")},
		},
		{
			name: "not between records that differ in two dimensions", task: gemm(8, 8, 8), policy: records(func(p *evidence.Policy) { p.MaxDistance = 0 }),
			records:  []evidence.Sample{measured("a", "s", 1*ms, 4, 4, 8), measured("b", "s", 2*ms, 16, 16, 8)},
			attempts: []evidence.Attempt{none, apart, attempt("extrapolated", "unavailable", "no record differs from this on one axis only")},
		},
		{
			name: "twice as far", task: gemm(8, 16, 64), policy: records(nil), records: []evidence.Sample{measured("a", "s", 3*ms, 8, 16, 32)},
			cost:     &evidence.Resolution{Duration: 6 * ms, Match: "extrapolated", Provider: "lab", Method: "measured", Records: []string{"a"}, Axis: "2", Distance: costs.Million},
			attempts: []evidence.Attempt{none, apart, attempt("extrapolated", "available", "")},
		},
		{
			name: "smaller takes no less", task: gemm(8, 16, 16), policy: records(nil), records: []evidence.Sample{measured("a", "s", 3*ms, 8, 16, 32)},
			cost:     &evidence.Resolution{Duration: 3 * ms, Match: "extrapolated", Provider: "lab", Method: "measured", Records: []string{"a"}, Axis: "2", Distance: costs.Million},
			attempts: []evidence.Attempt{none, apart, attempt("extrapolated", "available", "")},
		},
		{
			name: "too far", task: gemm(8, 16, 65), policy: records(nil), records: []evidence.Sample{measured("a", "s", 3*ms, 8, 16, 32)},
			attempts: []evidence.Attempt{none, apart, {Provider: "lab", Match: "extrapolated", Status: "unavailable", Distance: 1_022_368,
				Reason: "record a, the nearest, is farther away than the policy allows"}},
		},
		{
			name: "two records as near", task: gemm(8, 16, 32), policy: records(nil),
			records:  []evidence.Sample{measured("a", "s", 3*ms, 4, 16, 32), measured("b", "s", 5*ms, 8, 32, 32)},
			attempts: []evidence.Attempt{none, apart, attempt("extrapolated", "invalid", "records a and b are as near, and neither says more")},
		},
		{
			name: "fewer records than the policy asks for", task: gemm(8, 16, 32), policy: records(func(p *evidence.Policy) { p.MinSamples, p.Matches = 2, []string{"exact"} }),
			records:  []evidence.Sample{measured("a", "s", 3*ms, 8, 16, 32)},
			attempts: []evidence.Attempt{attempt("exact", "unavailable", "there are 1 records of this, and the policy asks for 2")},
		},
		{
			name: "a factor", task: gemm(8, 16, 32), policy: records(nil), records: []evidence.Sample{measured("a", "s", 310, 8, 16, 32)},
			factors: []evidence.Factor{{Group: "lib.gemm", Bucket: 14, Participants: -1, Numerator: 337, Denominator: 310}, {Group: "gemm", Bucket: 14, Participants: -1, Numerator: 9, Denominator: 1}},
			cost: &evidence.Resolution{Duration: 337, Match: "exact", Provider: "lab", Method: "calibrated", Records: []string{"a"},
				Factor: &evidence.Ratio{Numerator: 337, Denominator: 310}, Spread: &evidence.Spread{Samples: 1, Lower: 310, Upper: 310}},
			attempts: []evidence.Attempt{attempt("exact", "available", "")},
		},
		{
			name: "a zero that was measured", task: gemm(8, 16, 32), policy: records(nil), records: []evidence.Sample{measured("a", "s", 0, 8, 16, 32)},
			cost:     &evidence.Resolution{Match: "exact", Provider: "lab", Method: "measured", Records: []string{"a"}, Spread: &evidence.Spread{Samples: 1}},
			attempts: []evidence.Attempt{attempt("exact", "available", "")},
		},
		{
			name: "bytes of a collective, with the participants that were measured", task: collective(96, 8), policy: records(nil),
			records: []evidence.Sample{
				{ID: "a", Op: "all-reduce", Bytes: 64, Participants: 8, Duration: 100, Method: "measured"}, {ID: "b", Op: "all-reduce", Bytes: 128, Participants: 8, Duration: 200, Method: "simulated"},
				{ID: "c", Op: "all-reduce", Bytes: 128, Participants: 4, Duration: 1, Method: "measured"},
			},
			cost:     &evidence.Resolution{Duration: 150, Match: "interpolated", Provider: "lab", Method: "simulated", Records: []string{"a", "b"}, Axis: "bytes", Weight: &evidence.Ratio{Numerator: 32, Denominator: 64}},
			attempts: []evidence.Attempt{none, attempt("interpolated", "available", "")},
		},
		{
			name: "nobody knows", task: collective(64, 16), policy: fallback,
			attempts: []evidence.Attempt{none, apart, attempt("extrapolated", "unavailable", "no record differs from this on one axis only"),
				{Provider: "analytical", Match: "analytical", Status: "unavailable", Reason: "no network of the target joins 16 devices"}},
		},
		{
			name: "a provider that is not there", task: collective(64, 1), policy: func() evidence.Policy { p := fallback; p.Providers = []string{"other", "analytical"}; return p }(),
			cost: &evidence.Resolution{Match: "analytical", Provider: "analytical", Method: "analytical", Formula: "none"},
			attempts: []evidence.Attempt{{Provider: "other", Match: "any", Status: "unavailable", Reason: "there is no evidence of this provider"},
				{Provider: "analytical", Match: "analytical", Status: "available"}},
		},
	} {
		got := resolved(c.task, c.policy, c.records, c.factors...)
		if diff := cmp.Diff(c.cost, got.Cost); diff != "" {
			t.Errorf("%s: the cost (-want +got):\n%s", c.name, diff)
		}
		if diff := cmp.Diff(c.attempts, got.Attempts); diff != "" {
			t.Errorf("%s: the attempts (-want +got):\n%s", c.name, diff)
		}
	}
}

// Distances are those of floating point, to its accuracy, and never below.
func TestDistance(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.Int64Range(1, 1<<62).Draw(t, "a"), rapid.Int64Range(1, 1<<62).Draw(t, "b")
		exact := math.Abs(math.Log2(float64(a)) - math.Log2(float64(b)))
		got := float64(distance(a, b)) / costs.Million
		if got < exact-1e-9 || got > exact+1e-6+1e-9 {
			t.Fatalf("|log2(%d / %d)| is %v, want %v", a, b, got, exact)
		}
		if distance(a, b) != distance(b, a) {
			t.Fatal("the distance depends on the order")
		}
	})
	for _, c := range []struct{ a, b, want int64 }{{1, 1, 0}, {1 << 62, 1, 62 * costs.Million}, {3, 12, 2 * costs.Million}, {3, 2, 584_963}} {
		if got := distance(c.a, c.b); got != c.want {
			t.Errorf("|log2(%d / %d)| is %d millionths, want %d", c.a, c.b, got, c.want)
		}
	}
}
