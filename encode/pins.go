package encode

import (
	"fmt"

	"plancheck/internal/diag"
	"plancheck/internal/search/schedule"
	"plancheck/ir"
)

// readSplits takes over the parts into which the plan splits lanes.
func (b *builder) readSplits() {
	for _, s := range b.plan.Assignment.Splits {
		i := b.ops[s.Op]
		o := &b.problem.Ops[i]
		if s.Parts > mostShares/int64(o.Lanes) {
			b.reports.add(s.At, "number-too-large", fmt.Sprintf("op %s has %s of %s, more than %d",
				b.show(s.Op), diag.Counted(o.Lanes, "lane"), diag.Counted(s.Parts, "part"), mostShares), "")
			continue
		}
		o.Parts = int(s.Parts)
		b.model.split[i] = true
	}
}

// readInstances takes over stages and cores.
func (b *builder) readInstances() {
	for i := range b.plan.Assignment.Instances {
		in := &b.plan.Assignment.Instances[i]
		op := b.ops[in.Op]
		if in.Stage != ir.None && !b.options.Free.Stage {
			b.pinStage(op, in)
		}
		if !b.options.Free.Core {
			b.pinCores(op, in)
		}
	}
}

func (b *builder) pinStage(op int, in *ir.Instance) {
	o := &b.problem.Ops[op]
	switch {
	case in.Stage >= int64(b.problem.Stages):
		b.reports.add(in.At, "instance-without-core-or-stage", fmt.Sprintf("op %s is in stage %d, but there shall be %s, counted from 0",
			b.show(in.Op), in.Stage, diag.Counted(b.problem.Stages, "stage")),
			"choose a stage that exists, or give the stages of ops up with --free stage")
	case b.staged[op] && int64(o.Lo) != in.Stage:
		b.reports.add(in.At, "lane-stage-disagree", fmt.Sprintf("op %s is in stage %d here and in stage %d%s",
			b.show(in.Op), in.Stage, o.Lo, b.reports.line(b.stageAt[op])),
			"move all lanes and parts of the op to one stage")
	default:
		o.Lo, o.Hi = int(in.Stage), int(in.Stage)
		b.staged[op], b.stageAt[op] = true, in.At
	}
}

func (b *builder) pinCores(op int, in *ir.Instance) {
	o := &b.problem.Ops[op]
	for i, core := range in.Cores {
		if core == ir.None {
			continue
		}
		lane := int64(i)
		if in.Lanes != nil {
			lane = in.Lanes[i]
		}
		part := int64(0)
		if b.model.split[op] {
			part = in.Part
		}
		switch message := b.misnamed(op, in, lane, core); {
		case message != "":
			b.reports.add(in.At, "instance-without-core-or-stage", message, "")
			return
		case o.Pins == nil:
			o.Pins = make([]int, o.Shares())
			for j := range o.Pins {
				o.Pins[j] = schedule.Free
			}
		}
		share := int(lane)*o.Parts + int(part)
		if o.Pins[share] != schedule.Free {
			b.reports.add(in.At, "instance-without-core-or-stage", fmt.Sprintf("lane %d of op %s has a core already", lane, b.show(in.Op)),
				"keep one instance of the lane, or of each part of it")
			return
		}
		o.Pins[share] = int(core)
	}
}

// misnamed says what is wrong with the numbers of an instance; "" if nothing is.
func (b *builder) misnamed(op int, in *ir.Instance, lane, core int64) string {
	o := &b.problem.Ops[op]
	split := b.model.split[op]
	switch {
	case lane >= int64(o.Lanes):
		return fmt.Sprintf("an instance names lane %d of op %s, which has %s, counted from 0", lane, b.show(in.Op), diag.Counted(o.Lanes, "lane"))
	case core >= int64(b.problem.Cores):
		return fmt.Sprintf("lane %d of op %s is on core %d, but there shall be %s, counted from 0", lane, b.show(in.Op), core, diag.Counted(b.problem.Cores, "logical core"))
	case split && in.Part == ir.None:
		return fmt.Sprintf("an instance lists lane %d of op %s as a whole, but its lanes are split into %s", lane, b.show(in.Op), diag.Counted(o.Parts, "part"))
	case split && in.Part >= int64(o.Parts):
		return fmt.Sprintf("an instance names part %d of op %s, whose lanes are split into %s, counted from 0", in.Part, b.show(in.Op), diag.Counted(o.Parts, "part"))
	case !split && in.Part != ir.None:
		return fmt.Sprintf("an instance names part %d of op %s, which is not split", in.Part, b.show(in.Op))
	}
	return ""
}

// splitLarge splits ops whose lanes fit no core as they are.
func (b *builder) splitLarge() {
	if b.largest == schedule.Unknown {
		return
	}
	shares := int64(0)
	for i := range b.problem.Ops {
		o, op := &b.problem.Ops[i], &b.plan.Graph.Ops[i]
		if parts := b.fewestParts(i); parts > 1 {
			if parts > mostShares/int64(o.Lanes) {
				b.reports.add(op.At, "number-too-large", fmt.Sprintf("op %s would need %s of %s to fit, more than %d",
					b.show(op.ID), diag.Counted(o.Lanes, "lane"), diag.Counted(parts, "part"), mostShares), "")
				return
			}
			o.Parts = int(parts)
			b.model.split[i] = true
		}
		if shares += int64(o.Shares()); shares > mostShares {
			b.reports.add(op.At, "number-too-large", fmt.Sprintf("there are more than %d lanes and parts of lanes", mostShares), "")
			return
		}
	}
}

// fewestParts returns into how many parts lanes of an op are to be split: 1 where
// they fit, may not be split, are split already or are on cores as a whole, or
// where no number of parts helps.
func (b *builder) fewestParts(op int) int64 {
	most := b.plan.Graph.Ops[op].MaxParts
	if b.model.split[op] || b.problem.Ops[op].Pins != nil || most == ir.None ||
		b.need(op, 1) <= b.largest || b.need(op, most) > b.largest {
		return 1
	}
	low, high := int64(1), most // too few, and enough
	for high-low > 1 {
		if middle := low + (high-low)/2; b.need(op, middle) <= b.largest {
			high = middle
		} else {
			low = middle
		}
	}
	parts := min(high+int64(b.options.MoreParts), most)
	if parts < most {
		b.model.finer = true
	}
	return parts
}

// need is how many bytes the largest part of a lane of an op takes, up to the
// largest number.
func (b *builder) need(op int, parts int64) int64 {
	bytes := int64(0)
	for _, w := range b.problem.Ops[op].Weights {
		bytes = plus(bytes, ceil(b.problem.Slices[w], parts))
	}
	return bytes
}
