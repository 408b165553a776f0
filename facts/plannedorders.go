package facts

import (
	"slices"

	"plancheck/ir"
	"plancheck/ir/level"
	"plancheck/ir/portable"
)

// plannedOrders goes through the pairs of commands of which the first must come
// before the second because their tasks depend on each other in the portable plan
// beside which the plan is judged: those of one rank, and all of them where no rank
// does both tasks.
func (e *exporter) plannedOrders(need func(first, second int32)) {
	if e.above == nil {
		return
	}
	plan, ok := e.above.document.Body().(*portable.Plan)
	s := e.waits()
	if _, order := e.commandOrder(); !ok || len(order) < len(s.chain) {
		return
	}
	tasks := map[string]*portable.Task{}
	for i := range plan.Tasks {
		tasks[plan.Tasks[i].ID] = &plan.Tasks[i]
	}
	done := e.loweredTasks(tasks)
	for i := range plan.Tasks {
		t := &plan.Tasks[i]
		for _, id := range t.After {
			other := tasks[id]
			if other == nil {
				continue
			}
			share := slices.ContainsFunc(t.Ranks, func(r int64) bool { return slices.Contains(other.Ranks, r) })
			for _, second := range done[t.ID] {
				for _, first := range done[id] {
					if !share || slices.ContainsFunc(second.ranks, func(r int64) bool { return slices.Contains(first.ranks, r) }) {
						need(first.command, second.command)
					}
				}
			}
		}
	}
}

// loweredCommand is a command that does a task, on its own, for some ranks.
type loweredCommand struct {
	command int32
	ranks   []int64
}

// loweredTasks are the commands that say of themselves that a task was lowered to
// them, by the task. A command of a collective or a barrier is for the rank of its
// device, others are for all ranks of their task.
func (e *exporter) loweredTasks(tasks map[string]*portable.Task) map[string][]loweredCommand {
	p := e.program()
	devices, queues := map[ir.ID]int64{}, map[ir.ID]ir.ID{}
	for _, d := range p.Devices {
		devices[d.ID] = d.Rank
	}
	for _, q := range p.Queues {
		queues[q.ID] = q.Device
	}
	done := map[string][]loweredCommand{}
	for i := range p.Commands {
		c := &p.Commands[i]
		if c.Lineage == nil || c.Lineage.Kind != level.Lowered {
			continue
		}
		for _, source := range c.Lineage.Sources {
			t := tasks[e.plan.Text(source)]
			if t == nil {
				continue
			}
			ranks := t.Ranks
			if t.Body == level.Collective || t.Body == level.Barrier {
				ranks = nil
				if rank, there := devices[queues[c.Queue]]; there && rank != ir.None {
					ranks = []int64{rank}
				}
			}
			done[t.ID] = append(done[t.ID], loweredCommand{int32(i), ranks})
		}
	}
	return done
}
