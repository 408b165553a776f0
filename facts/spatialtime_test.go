package facts

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"plancheck/internal/diag"
	"plancheck/internal/symbol"
	"plancheck/ir"
)

// clockDomains is a plan with clock domains of these frequencies.
func clockDomains(frequencies ...int64) *ir.Plan {
	p := &ir.Plan{Symbols: symbol.NewTable(), LogicalCores: ir.None}
	x := &ir.SpatialExtension{}
	for i, f := range frequencies {
		x.ClockDomains = append(x.ClockDomains, ir.ClockDomain{ID: p.Symbols.String(string(rune('a' + i))), Frequency: f})
	}
	p.Program = &ir.Program{Extension: &ir.Extension{Spatial: x}}
	return p
}

func onlyTicks(name string) bool { return name == "clock_tick" }

// A cycle of a clock has as few ticks as it can so that every cycle of every
// clock is a whole number of them.
func TestTicks(t *testing.T) {
	for _, c := range []struct{ frequencies, want []int64 }{
		{[]int64{7}, []int64{1}},
		{[]int64{900, 600}, []int64{2, 3}},
		{[]int64{1_000_000_000, 750_000_000, 250_000_000}, []int64{3, 4, 12}},
		{[]int64{1 << 62, 1}, []int64{1, 1 << 62}},
		{[]int64{1_000_000_007, 999_999_937}, []int64{999_999_937, 1_000_000_007}},
	} {
		f, err := Export(clockDomains(c.frequencies...), onlyTicks)
		if err != nil {
			t.Fatal(err)
		}
		var got []int64
		for _, v := range f.Table("clock_tick").Cols[1] {
			n, _ := f.exporter.plan.Symbols.Number(v)
			got = append(got, n)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%v (-want +got):\n%s", c.frequencies, diff)
		}
	}
}

// Clocks without a common tick that can be counted are an error, not a guess.
func TestClocksThatCannotBeCompared(t *testing.T) {
	_, err := Export(clockDomains(1_000_000_007, 999_999_937, 999_999_929), onlyTicks)
	var e *Error
	if !errors.As(err, &e) {
		t.Fatalf("the error is %v", err)
	}
	want := diag.Diagnostic{
		Code: "clocks-not-comparable", Severity: diag.Error,
		Message: "the clock domains have no common tick: a second would have more than 2^63 of them",
		Help:    "round the frequencies, or give related clocks frequencies with a common divisor",
	}
	if diff := cmp.Diff(want, e.Diagnostic); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
