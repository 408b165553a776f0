package costs

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"plancheck/ir/evidence"
)

// Cost is what a formula gives.
type Cost struct {
	Formula    string
	Duration   *big.Rat // in picoseconds, before it is rounded
	Components []evidence.Component
}

// Formula gives a cost by the formulas of a target, or says why it does not.
//
//	compute    operations / (peak x efficiency(operations))
//	memory     bytes / (bandwidth x efficiency(bytes)), of bytes read and written
//	no_overlap compute + memory
//	roofline   the longer of the two
//	volume     latency + n x times x (1 + offset / P) / (bandwidth x efficiency)
//	ring       all-reduce 2(P-1)/P n / bandwidth + 2(P-1) latency, all-gather and
//	           reduce-scatter half of that; anything else n / bandwidth + latency
//
// A collective of one participant takes no time and moves nothing.
func Formula(target *evidence.Target, task *evidence.Bound) (f *Cost, why string) {
	a := formulas{target}
	switch task.Body {
	case "compute":
		return a.local(task)
	case "collective", "transfer":
		return a.network(task)
	}
	return nil, "the target has no formula for a task of body " + task.Body
}

type formulas struct{ target *evidence.Target }

// component adds a part of a cost, which is rounded by itself.
func (f *Cost) component(name string, x *big.Rat) error {
	n, err := Round(x)
	if err != nil {
		return err
	}
	f.Components = append(f.Components, evidence.Component{Name: name, Duration: n})
	return nil
}

// local is the cost of work on one device.
func (a formulas) local(task *evidence.Bound) (*Cost, string) {
	compute, why := a.compute(task)
	if why != "" {
		return nil, why
	}
	memory, why := a.memory(task.Query.Read, task.Query.Write)
	if why != "" {
		return nil, why
	}
	f := &Cost{Formula: a.target.Formula, Duration: Sum(compute, memory)}
	if a.target.Formula == "roofline" {
		f.Duration = compute
		if memory.Cmp(compute) > 0 {
			f.Duration = memory
		}
	}
	for _, c := range []struct {
		name string
		x    *big.Rat
	}{{"compute", compute}, {"memory", memory}} {
		if err := f.component(c.name, c.x); err != nil {
			return nil, "the time of " + c.name + " " + err.Error()
		}
	}
	return f, ""
}

func (a formulas) compute(task *evidence.Bound) (*big.Rat, string) {
	q := task.Query
	if q.Operations == 0 {
		return new(big.Rat), ""
	}
	i := slices.IndexFunc(a.target.Compute, func(r evidence.Rate) bool { return r.Engine == task.Engine && r.DType == q.DType })
	if i < 0 {
		return nil, fmt.Sprintf("the target states no rate of engine %s on %s", task.Engine, q.DType)
	}
	rate := a.target.Compute[i]
	return over(q.Operations, rate.PerSecond, rate.Curve, "operations")
}

func (a formulas) memory(read, write int64) (*big.Rat, string) {
	bytes := read + write
	switch {
	case bytes < 0:
		return nil, "bytes read and written are more than 64 bits can count"
	case bytes == 0:
		return new(big.Rat), ""
	case a.target.Bandwidth == nil:
		return nil, "the target states no bandwidth of memory"
	}
	return over(bytes, a.target.Bandwidth.PerSecond, a.target.Bandwidth.Curve, "bytes")
}

// over is an amount over a rate of which the curve has a share, in picoseconds.
func over(amount, perSecond int64, curve []evidence.Threshold, what string) (*big.Rat, string) {
	share := int64(Million)
	if len(curve) > 0 {
		i := slices.IndexFunc(curve, func(t evidence.Threshold) bool { return t.From <= amount })
		if i < 0 {
			return nil, fmt.Sprintf("the target states no efficiency for %d %s", amount, what)
		}
		share = curve[i].Millionth
	}
	return Quotient(Product(Whole(amount), Whole(Second), Whole(Million)), Product(Whole(perSecond), Whole(share))), ""
}

// network is the cost of what devices do together: on the smallest network that
// joins as many.
func (a formulas) network(task *evidence.Bound) (*Cost, string) {
	q := task.Query
	if q.Participants < 2 {
		return &Cost{Formula: "none", Duration: new(big.Rat)}, ""
	}
	var tier *evidence.Tier
	for i := range a.target.Tiers {
		if t := &a.target.Tiers[i]; t.Size >= q.Participants && (tier == nil || t.Size < tier.Size) {
			tier = t
		}
	}
	if tier == nil {
		return nil, fmt.Sprintf("no network of the target joins %d devices", q.Participants)
	}
	bytes, latency, why := tierVolume(tier, task)
	if why != "" {
		return nil, why
	}
	moving := Quotient(Product(bytes, Whole(Second), Whole(Million)), Product(Whole(tier.PerSecond), Whole(tier.Efficiency)))
	f := &Cost{Formula: tier.Formula, Duration: Sum(latency, moving)}
	for _, c := range []struct {
		name string
		x    *big.Rat
	}{{"latency", latency}, {"network", moving}} {
		if err := f.component(c.name, c.x); err != nil {
			return nil, "the time of " + c.name + " " + err.Error()
		}
	}
	return f, ""
}

// tierVolume returns the bytes that a participant moves, and the latency in
// picoseconds.
func tierVolume(tier *evidence.Tier, task *evidence.Bound) (bytes, latency *big.Rat, why string) {
	n, p := Whole(task.Query.Message), task.Query.Participants
	op := strings.ReplaceAll(task.Op, "_", "-") // all_reduce and all-reduce are one
	if tier.Formula == "ring" {
		steps := int64(0)
		switch op {
		case "all-reduce":
			steps = 2 * (p - 1)
		case "all-gather", "reduce-scatter", "all-to-all":
			steps = p - 1
		default:
			return n, Whole(tier.Latency), ""
		}
		return Product(n, Ratio(steps, p)), Product(Whole(tier.Latency), Whole(steps)), ""
	}
	i := slices.IndexFunc(tier.Collectives, func(m evidence.Multiplier) bool { return m.Op == op })
	if i < 0 {
		if task.Body == "transfer" { // its bytes go over the network once
			return n, Whole(tier.Latency), ""
		}
		return nil, nil, fmt.Sprintf("the target's network of %d devices states no volume of %s", tier.Size, task.Op)
	}
	m := tier.Collectives[i]
	share := Sum(Whole(1), Quotient(Ratio(m.Offset, Million), Whole(p)))
	if share.Sign() < 0 {
		return nil, nil, fmt.Sprintf("the target's network of %d devices states a negative volume of %s among %d", tier.Size, task.Op, p)
	}
	return Product(n, Ratio(m.Times, Million), share), Whole(tier.Latency), ""
}
