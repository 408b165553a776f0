package importer

import (
	"fmt"
	"slices"
	"strings"

	"plancheck/internal/diag"
	"plancheck/internal/pipeline"
)

// check reports what no program can be made of.
func (f *pytorchFile) check() {
	cell := func(p pipeline.Place) pytorchCell { return f.cells[p.Rank][p.Index] }
	for _, r := range f.schedule.Repeats() {
		first, again := cell(r[0]), cell(r[1])
		f.report(again.at, "action-repeated", fmt.Sprintf("%s is done already, by %s on line %d", again.text, first.text, f.src.LineAt(first.at)), "")
	}
	sh := f.schedule.Shape()
	for _, p := range f.schedule.Strays() {
		stage := f.schedule.Action(p).Stage
		message := fmt.Sprintf("%s is for stage %d, which no rank computes", cell(p).text, stage)
		if home, computed := sh.Home[stage]; computed {
			message = fmt.Sprintf("%s is on rank %d, but stage %d is computed on rank %d", cell(p).text, p.Rank, stage, home)
		}
		f.report(cell(p).at, "stage-on-other-rank", message, "")
	}
	for r, actions := range f.schedule.Ranks {
		for i, a := range actions {
			peer, transfer := a.Peer()
			if !transfer {
				continue
			}
			why := ""
			if home, computed := sh.Home[peer]; !computed {
				why = "which no rank computes"
			} else if home == sh.Home[a.Stage] {
				why = "which is on the same rank"
			}
			if why != "" {
				c := f.cells[r][i]
				f.report(c.at, "transfer-without-peer", fmt.Sprintf("the other end of %s is stage %d, %s", c.text, peer, why), "")
			}
		}
	}
}

// notes says what was read, and what it cannot come to.
func (f *pytorchFile) notes() []diag.Diagnostic {
	s := f.schedule
	sh := s.Shape()
	var ds []diag.Diagnostic
	run := s.DoInUnits()
	total := s.Computations()
	size := fmt.Sprintf("%s in %s of %s, %s", diag.Counted(total, "computation"), diag.Counted(len(sh.Stages), "stage"),
		diag.Counted(len(s.Ranks), "rank"), microbatches(len(sh.Microbatches)))
	if len(run.Stuck) == 0 {
		ds = append(ds, note(f.src, "schedule-read", "%s; %s if a forward and each half of a backward take one%s", size, diag.Counted(run.Length, "step"), held(s, sh)))
	} else {
		done := 0
		for _, p := range run.Order {
			if !s.Action(p).Kind.Transfer() {
				done++
			}
		}
		ds = append(ds, note(f.src, "schedule-read", "%s%s", size, held(s, sh)))
		for _, stuck := range run.Stuck {
			why := fmt.Sprintf("%s, which is never reached", f.name(stuck.For))
			if !stuck.Exists {
				why = fmt.Sprintf("%s, which is missing", f.name(stuck.For))
			}
			ds = append(ds, f.said(f.cells[stuck.At.Rank][stuck.At.Index].at, "schedule-stuck", diag.Warning,
				fmt.Sprintf("after %d of %s rank %d waits at %s for %s", done, diag.Counted(total, "computation"), stuck.At.Rank, f.name(stuck.Waiting), why), ""))
		}
	}
	if missing := s.Missing(); len(missing) > 0 {
		const few = 8
		var names []string
		for _, a := range missing[:min(few, len(missing))] {
			names = append(names, f.name(a))
		}
		list := strings.Join(names, ", ")
		if len(missing) > few {
			list += ", ..."
		}
		ds = append(ds, diag.Diagnostic{Code: "actions-missing", Severity: diag.Warning, Pos: diag.Position{File: f.src.Name},
			Message: fmt.Sprintf("the schedule lacks %s: %s", diag.Counted(len(missing), "computation"), list)})
	}
	for _, l := range s.WithTransfers().Disordered() {
		ds = append(ds, diag.Diagnostic{Code: "messages-out-of-order", Severity: diag.Warning, Pos: diag.Position{File: f.src.Name},
			Message: fmt.Sprintf("stage %d does not receive from stage %d in the order of sending: each message has a channel of its own", l.To, l.From)})
	}
	if f.plain > 0 {
		kind := "the whole backward"
		if f.plainBackward() == pipeline.BackwardInput {
			kind = "the backward of the input, because there are W and no I"
		}
		ds = append(ds, note(f.src, "backward-read", "B is read as %s", kind))
	}
	if !sh.Transfers && len(s.Ranks) > 1 {
		ds = append(ds, note(f.src, "transfers-added", "the file has no transfers: sends come right behind what they send, receives right before what reads them"))
	}
	if f.sharding > 0 {
		ds = append(ds, note(f.src, "sharding-ignored", "%s that gather or scatter weights or gradients: left out", diag.Counted(f.sharding, "action")))
	}
	return ds
}

// held says what is in flight in each stage.
func held(s pipeline.Schedule, sh pipeline.Shape) string {
	peaks := s.InFlight()
	if len(peaks) == 0 {
		return ""
	}
	var counts []int
	for _, stage := range sh.Stages {
		counts = append(counts, peaks[stage])
	}
	if len(counts) > 8 {
		return fmt.Sprintf("; up to %s in flight in a stage", microbatches(slices.Max(counts)))
	}
	return fmt.Sprintf("; microbatches in flight in each stage: %s", strings.Trim(fmt.Sprint(counts), "[]"))
}

func microbatches(n int) string {
	if n == 1 {
		return "1 microbatch"
	}
	return fmt.Sprintf("%d microbatches", n)
}
