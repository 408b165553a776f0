package derive

import "plancheck/ir"

// clocks say which commands of a program have completed when another one begins.
type clocks struct {
	queue, turn []int   // of each command: its queue, and how many that has before it
	begin       [][]int // of each command: how many of each queue have completed when it begins
}

// clocksOf reads the order of a program. Its commands wait for those before them on
// their queue and for those that they depend on, which are listed before them.
// Commands that complete together are listed one behind the other: meets has, for
// each command, the place of the first of those, which is its own where there are
// no others.
func clocksOf(p *ir.Program, meets []int) *clocks {
	c := &clocks{begin: make([][]int, len(p.Commands))}
	queues, index := map[ir.ID]int{}, map[ir.ID]int{}
	for i := range p.Queues {
		queues[p.Queues[i].ID] = i
	}
	issued, last := make([]int, len(queues)), make([]int, len(queues))
	end := make([][]int, len(p.Commands)) // as begin, when it has completed
	join := func(clock, other []int) {
		for q, n := range other {
			clock[q] = max(clock[q], n)
		}
	}
	for first := 0; first < len(p.Commands); {
		next := first + 1
		for next < len(p.Commands) && meets[next] == first {
			next++
		}
		all := make([]int, len(queues))
		for i := first; i < next; i++ {
			command := &p.Commands[i]
			queue := queues[command.Queue]
			begin := make([]int, len(queues))
			if issued[queue] > 0 {
				join(begin, end[last[queue]])
			}
			for _, before := range command.After {
				join(begin, end[index[before]])
			}
			c.begin[i] = begin
			c.queue, c.turn = append(c.queue, queue), append(c.turn, issued[queue])
			issued[queue]++
			last[queue], index[command.ID] = i, i
			join(all, begin)
			all[queue] = max(all[queue], issued[queue])
			end[i] = all // which is that of all that meet
		}
		first = next
	}
	return c
}

// before says whether a command has completed when another one begins.
func (c *clocks) before(first, second int) bool {
	return c.turn[first] < c.begin[second][c.queue[first]]
}
