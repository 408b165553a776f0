package evidence

import (
	"errors"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"plancheck/ir/evidence"
	"plancheck/ir/level"
	"plancheck/ir/levels"
	"plancheck/ir/observation"
	"plancheck/ir/timeline"
)

// predicted is a timeline of commands that follow each other, each with the cost of
// a record of the evidence that has its id.
func predicted(e *evidence.Evidence, commands ...string) *timeline.Bundle {
	b := &timeline.Bundle{Header: level.Header{Schema: timeline.Schema}, Evidence: levels.Digest(e)}
	for _, id := range commands {
		for _, r := range e.Records {
			if r.ID == id {
				b.Costs = append(b.Costs, timeline.Cost{ID: "cost " + id, Duration: r.Duration, Source: b.Evidence, Records: []string{id}, Numerator: 1, Denominator: 1})
				b.Intervals = append(b.Intervals, timeline.Interval{Command: id, Start: b.Makespan, End: b.Makespan + r.Duration, Cost: "cost " + id})
				b.Makespan += r.Duration
			}
		}
	}
	return b
}

func stated(id, op string, duration int64) evidence.Sample {
	return evidence.Sample{ID: id, Op: op, Bytes: -1, Participants: -1, Duration: duration, Method: "measured"}
}

func run(records ...observation.Observed) *observation.Set {
	return &observation.Set{Header: level.Header{Schema: observation.Schema}, Run: "run", Clock: "device", Repeats: 1, Records: records}
}

func took(command string, duration int64) observation.Observed {
	return observation.Observed{Command: command, Start: -1, Duration: duration}
}

// The worked derivation: ratios 1.087097 and 1.143939, exactly.
func TestCalibration(t *testing.T) {
	e := &evidence.Evidence{Header: level.Header{Schema: evidence.EvidenceSchema}, Provider: "lab", Records: []evidence.Sample{stated("c0", "linear", 310_000_000), stated("c1", "all-reduce", 132_000_000)}}
	b := predicted(e, "c0", "c1")
	old := levels.Digest(e)
	set := run(took("c0", 337_000_000), took("c1", 151_000_000))
	made, err := Calibrate(Observations{Evidence: e, Timeline: b, Training: []*observation.Set{set}})
	if err != nil {
		t.Fatal(err)
	}
	want := []evidence.Factor{
		{Group: "linear", Bucket: -1, Participants: -1, Numerator: 337, Denominator: 310, Samples: 1, Before: 27_000_000},
		{Group: "all-reduce", Bucket: -1, Participants: -1, Numerator: 151, Denominator: 132, Samples: 1, Before: 19_000_000},
	}
	if diff := cmp.Diff(want, made.Factors); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]level.Parent{{Schema: evidence.EvidenceSchema, Digest: old}, {Schema: timeline.Schema, Digest: levels.Digest(b)}, {Schema: observation.Schema, Digest: levels.Digest(set)}}, made.Parents); diff != "" {
		t.Error(diff)
	}
	if levels.Digest(e) != old || e.Factors != nil {
		t.Error("the old revision was changed")
	}
	if codes := judged(t, made, e); codes != nil {
		t.Error(codes)
	}
}

func TestCalibrationGroups(t *testing.T) {
	e := &evidence.Evidence{Header: level.Header{Schema: evidence.EvidenceSchema}, Provider: "lab", Records: []evidence.Sample{
		stated("a", "linear", 100), stated("b", "linear", 1000), {ID: "s", Op: "all-reduce", Implementation: "ring", DType: "f16", Bytes: 64, Participants: 8, Duration: 10, Method: "measured"},
		stated("zero", "none", 0), stated("big", "big", 1<<61+1),
	}, Factors: []evidence.Factor{{Group: "gelu", Bucket: -1, Participants: -1, Numerator: 2, Denominator: 1, Samples: 3}}}
	commands := []string{"a", "b", "s", "zero", "big"}
	gelu := e.Factors[0]
	for _, c := range []struct {
		name           string
		training, held []observation.Observed
		want           []evidence.Factor
		err            *Error
	}{
		{name: "of an even number the mean of the middle two", training: []observation.Observed{took("a", 110), took("a", 130), took("b", 1100), took("b", 5000)},
			want: []evidence.Factor{gelu, {Group: "linear", Bucket: -1, Participants: -1, Numerator: 6, Denominator: 5, Samples: 4, Before: 10 + 30 + 100 + 4000, After: 10 + 10 + 100 + 3800}}},
		{name: "what records say of what they are about", training: []observation.Observed{took("s", 15)},
			want: []evidence.Factor{gelu, {Group: "ring", DType: "f16", Bucket: 7, Participants: 8, Numerator: 3, Denominator: 2, Samples: 1, Before: 5}}},
		{name: "held out", training: []observation.Observed{took("a", 200)}, held: []observation.Observed{took("b", 1500), took("s", 1)},
			want: []evidence.Factor{gelu, {Group: "linear", Bucket: -1, Participants: -1, Numerator: 2, Denominator: 1, Samples: 1, Before: 100, Held: 1, HeldBefore: 500, HeldAfter: 500}}},
		{name: "what takes no time", training: []observation.Observed{took("zero", 3)}, err: &Error{"calibration-no-samples", "the observations", "nothing was observed of a command that takes time"}},
		{name: "nothing", err: &Error{"calibration-no-samples", "the observations", "nothing was observed of a command that takes time"}},
		{name: "no time at all", training: []observation.Observed{took("a", 0)}, err: &Error{"calibration-no-samples", "group linear", "half of its commands were observed to take no time, which no factor makes of a prediction"}},
		{name: "a strange command", training: []observation.Observed{took("x", 1)}, err: &Error{"observation-command-unknown", "command x", "was observed, and the timeline does not have it"}},
		{name: "residuals that no number holds", training: []observation.Observed{took("big", 1<<63-1), took("big", 1<<63-1), took("big", 1)}, err: &Error{"scalar-out-of-range", "group big", "its residuals are beyond 64 bits"}},
	} {
		in := Observations{Evidence: e, Timeline: predicted(e, commands...), Training: []*observation.Set{run(c.training...)}}
		if c.held != nil {
			in.HeldOut = []*observation.Set{run(c.held...)}
		}
		made, err := Calibrate(in)
		var got *Error
		errors.As(err, &got)
		if diff := cmp.Diff(c.err, got); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
		if made == nil {
			continue
		}
		if diff := cmp.Diff(c.want, made.Factors); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
	// A timeline of other evidence.
	other := &evidence.Evidence{Header: level.Header{Schema: evidence.EvidenceSchema}, Provider: "other"}
	if _, err := Calibrate(Observations{Evidence: other, Timeline: predicted(e, commands...), Training: []*observation.Set{run(took("a", 1))}}); err == nil {
		t.Error("a timeline of other evidence was taken")
	}
}

// What was observed once of every task is what the next binding says, to the
// picosecond where numbers are not huge; and calibrating by what is predicted
// changes nothing.
func TestBindingAfterCalibration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := A100Deployment()
		plan := rowParallel(2048, 49152, 12288, 8, "bf16")
		e := NoRecords(d)
		in := Input{plan, A100(), d, e, DefaultPolicy("measurements")}
		bound, err := Bind(in)
		if err != nil {
			t.Fatal(err)
		}
		var records []observation.Observed
		var same []observation.Observed
		want := []int64{}
		for range 2 { // twice: the second factors are from the first
			b := &timeline.Bundle{Header: level.Header{Schema: timeline.Schema}, Evidence: levels.Digest(bound)}
			records, same, want = nil, nil, nil
			for _, task := range []string{"mm", "ar"} {
				cost := costOf(t, bound, task)
				b.Costs = append(b.Costs, cost)
				b.Intervals = append(b.Intervals, timeline.Interval{Command: task, End: cost.Duration, Cost: cost.ID})
				want = append(want, rapid.Int64Range(1, 10_000_000_000).Draw(t, task))
				records, same = append(records, took(task, want[len(want)-1])), append(same, took(task, cost.Duration))
			}
			kept, err := Calibrate(Observations{Evidence: in.Evidence, Binding: bound, Timeline: b, Training: []*observation.Set{run(same...)}})
			if err != nil {
				t.Fatal(err)
			}
			made, err := Calibrate(Observations{Evidence: in.Evidence, Binding: bound, Timeline: b, Training: []*observation.Set{run(records...)}})
			if err != nil {
				t.Fatal(err)
			}
			if codes := judged(t, made, in.Evidence); codes != nil {
				t.Fatal(codes)
			}
			for _, next := range []struct {
				e     *evidence.Evidence
				wants []int64
			}{{kept, []int64{bound.Tasks[0].Cost.Duration, bound.Tasks[1].Cost.Duration}}, {made, want}} {
				after := in
				after.Evidence = next.e
				again, err := Bind(after)
				if err != nil {
					t.Fatal(err)
				}
				got := []int64{again.Tasks[0].Cost.Duration, again.Tasks[1].Cost.Duration}
				for i := range got {
					// Predictions are rounded before they are compared, and huge factors too.
					if apart(got[i], next.wants[i]) > 1+next.wants[i]/100_000_000 {
						t.Fatalf("after calibration %v, want %v", got, next.wants)
					}
				}
				if next.e == made {
					bound, in = again, after
				}
			}
		}
	})
}

// costOf is the cost of a bound task as timelines tell it.
func costOf(t *rapid.T, b *evidence.Binding, task string) timeline.Cost {
	i := slices.IndexFunc(b.Tasks, func(t evidence.Bound) bool { return t.ID == task })
	if i < 0 || b.Tasks[i].Cost == nil {
		t.Fatal("no cost of", task)
	}
	found := b.Tasks[i].Cost
	cost := timeline.Cost{ID: "cost " + task, Duration: found.Duration, Records: append([]string{task}, found.Records...), Numerator: 1, Denominator: 1}
	if f := found.Factor; f != nil {
		cost.Numerator, cost.Denominator = f.Numerator, f.Denominator
	}
	return cost
}
