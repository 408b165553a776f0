package programtest

import (
	"fmt"
	"slices"

	"plancheck/ir"
)

// ofMeetings are the ways in which ranks and queues do not meet.
func ofMeetings() []Mutation {
	return []Mutation{
		{"a rank given twice", "device-duplicate-rank", func(c *Case) (edits []Edit) {
			for k, d := range c.Program.Devices {
				if d.Rank == ir.None {
					edits = append(edits, Edit{
						Do:     func(p *ir.Program) { p.Devices[k].Rank = p.Devices[0].Rank },
						Places: []string{"/program/devices/0/rank", fmt.Sprintf("/program/devices/%d/rank", k)},
					})
				}
			}
			return edits
		}},
		{"a rank in a group that no device has", "rank-unplaced", func(c *Case) (edits []Edit) {
			for k, g := range c.Program.Groups {
				edits = append(edits, Edit{
					Do:     func(p *ir.Program) { p.Groups[k].Ranks = append(p.Groups[k].Ranks, 99) },
					Places: []string{rankAt(k, len(g.Ranks))},
				})
			}
			return edits
		}},
		{"a collective of a rank that its group has not", "collective-participants-mismatch", outsiderAtCollective},
		{"a rank taken out of a group", "collective-participants-mismatch", func(c *Case) (edits []Edit) {
			for k, g := range c.Program.Groups {
				for _, rank := range g.Ranks {
					e := Edit{Do: func(p *ir.Program) { p.Groups[k].Ranks = without(p.Groups[k].Ranks, rank) }, Every: true}
					for _, i := range c.collectives(g.ID, rank) {
						e.Places = append(e.Places, commandAt(i)+"/group")
					}
					if e.Places != nil {
						edits = append(edits, e)
					}
				}
			}
			return edits
		}},
		{"a collective dropped", "collective-rank-missing", func(c *Case) (edits []Edit) {
			for k, g := range c.Program.Groups {
				for r, rank := range g.Ranks {
					if own := c.collectives(g.ID, rank); len(own) > 0 && c.loose(own[len(own)-1]) {
						edits = append(edits, remove(own[len(own)-1], rankAt(k, r)))
					}
				}
			}
			return edits
		}},
		{"a collective too many", "collective-rank-missing", func(c *Case) (edits []Edit) {
			for k, g := range c.Program.Groups {
				for r, rank := range g.Ranks {
					own := c.collectives(g.ID, rank)
					if len(own) == 0 {
						continue
					}
					e := c.insert(len(c.Program.Commands), ir.Command{Kind: ir.KindCollective, Group: g.ID, Queue: c.Program.Commands[own[0]].Queue})
					for s := range g.Ranks {
						if s != r {
							e.Places = append(e.Places, rankAt(k, s))
						}
					}
					e.Every = true
					edits = append(edits, e)
				}
			}
			return edits
		}},
		{"bytes of a collective changed on one rank", "collective-bytes-disagree", func(c *Case) []Edit {
			return c.followers(func(first, other int) []Edit {
				if c.Program.Commands[first].Bytes == ir.None {
					return nil
				}
				return []Edit{change(other, func(x *ir.Command) { x.Bytes = c.Program.Commands[first].Bytes + 1 }, commandAt(other)+"/bytes")}
			})
		}},
		{"another collective on one rank", "collective-order-diverges", func(c *Case) []Edit {
			return c.followers(func(_, other int) []Edit {
				return []Edit{change(other, func(x *ir.Command) { x.Op = "broadcast" }, commandAt(other)+"/op")}
			})
		}},
		{"two collectives the other way round on one rank", "collective-order-diverges", collectivesReversed},
		{"an arrival of a queue that its barrier has not", "barrier-participants-mismatch", func(c *Case) (edits []Edit) {
			for _, b := range c.Program.Barriers {
				for at := range len(c.Program.Commands) + 1 {
					if q := c.Program.Queues[at%len(c.Program.Queues)]; !slices.Contains(b.Queues, q.ID) {
						edits = append(edits, c.insert(at, ir.Command{Kind: ir.KindBarrier, Barrier: b.ID, Queue: q.ID}, commandAt(at)+"/barrier"))
					}
				}
			}
			return edits
		}},
		{"an arrival dropped", "barrier-participants-mismatch", func(c *Case) (edits []Edit) {
			for k, b := range c.Program.Barriers {
				for n, q := range b.Queues {
					if own := c.arrivals(b.ID, q); len(own) > 0 && c.loose(own[len(own)-1]) {
						edits = append(edits, remove(own[len(own)-1], arrivalAt(k, n)))
					}
				}
			}
			return edits
		}},
		{"an arrival too many", "barrier-participants-mismatch", func(c *Case) (edits []Edit) {
			for k, b := range c.Program.Barriers {
				for n, q := range b.Queues {
					e := c.insert(len(c.Program.Commands), ir.Command{Kind: ir.KindBarrier, Barrier: b.ID, Queue: q})
					for other := range b.Queues {
						if other != n {
							e.Places = append(e.Places, arrivalAt(k, other))
						}
					}
					e.Every = true
					edits = append(edits, e)
				}
			}
			return edits
		}},
		{"a barrier with a queue that does not come", "barrier-participants-mismatch", func(c *Case) (edits []Edit) {
			for k, b := range c.Program.Barriers {
				for _, q := range c.Program.Queues {
					if !slices.Contains(b.Queues, q.ID) && len(c.arrivals(b.ID, b.Queues[0])) > 0 {
						edits = append(edits, Edit{
							Do:     func(p *ir.Program) { p.Barriers[k].Queues = append(p.Barriers[k].Queues, q.ID) },
							Places: []string{arrivalAt(k, len(b.Queues))},
						})
					}
				}
			}
			return edits
		}},
	}
}

func rankAt(group, rank int) string { return fmt.Sprintf("/program/groups/%d/ranks/%d", group, rank) }

func arrivalAt(barrier, queue int) string {
	return fmt.Sprintf("/program/barriers/%d/queues/%d", barrier, queue)
}

// rankOf returns the rank of the device that has a queue.
func (c *Case) rankOf(q *ir.Queue) int64 {
	return c.Program.Devices[slices.IndexFunc(c.Program.Devices, func(d ir.Device) bool { return d.ID == q.Device })].Rank
}

// collectives are those of a group on a rank.
func (c *Case) collectives(group ir.ID, rank int64) []int {
	return c.those(func(x *ir.Command) bool {
		return x.Kind == ir.KindCollective && x.Group == group && c.rankOf(c.queueOf(x)) == rank
	})
}

// arrivals are those of a queue at a barrier.
func (c *Case) arrivals(barrier, queue ir.ID) []int {
	return c.those(func(x *ir.Command) bool { return x.Kind == ir.KindBarrier && x.Barrier == barrier && x.Queue == queue })
}

// followers goes through the collectives of the first rank of each group, with
// those that meet them.
func (c *Case) followers(edit func(first, other int) []Edit) (edits []Edit) {
	for _, g := range c.Program.Groups {
		firsts := c.collectives(g.ID, g.Ranks[0])
		for _, rank := range g.Ranks[1:] {
			for k, other := range c.collectives(g.ID, rank) {
				edits = append(edits, edit(firsts[k], other)...)
			}
		}
	}
	return edits
}

func outsiderAtCollective(c *Case) (edits []Edit) {
	for _, g := range c.Program.Groups {
		for at := range len(c.Program.Commands) + 1 {
			q := &c.Program.Queues[at%len(c.Program.Queues)]
			if rank := c.rankOf(q); takes(q, ir.KindCollective) && !slices.Contains(g.Ranks, rank) {
				edits = append(edits, c.insert(at, ir.Command{Kind: ir.KindCollective, Group: g.ID, Queue: q.ID}, commandAt(at)+"/group"))
			}
		}
	}
	return edits
}

// collectivesReversed lets a rank do what it does in two collectives of a group,
// which differ, the other way round.
func collectivesReversed(c *Case) (edits []Edit) {
	for _, g := range c.Program.Groups {
		for _, rank := range g.Ranks[1:] {
			own := c.collectives(g.ID, rank)
			for k := range own[:max(len(own)-1, 0)] {
				a, b := own[k], own[k+1]
				if c.Program.Commands[a].Op == c.Program.Commands[b].Op {
					continue
				}
				edits = append(edits, Edit{Do: func(p *ir.Program) {
					x, y := &p.Commands[a], &p.Commands[b]
					x.Op, y.Op, x.Bytes, y.Bytes = y.Op, x.Op, y.Bytes, x.Bytes
				}, Places: []string{commandAt(a) + "/op", commandAt(b) + "/op"}, Every: true})
			}
		}
	}
	return edits
}
