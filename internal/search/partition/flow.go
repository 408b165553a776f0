package partition

import "math"

// flow is a network on which a greatest flow, and with it a least cut, is
// found by Dinic's method. Node 0 is the source, node 1 the sink.
type flow struct {
	head  []int32 // first arc of each node, -1 for none
	next  []int32
	to    []int32
	room  []int64 // arc i's reverse is i^1
	level []int32
	iter  []int32
	queue []int32
	steps int64
}

const (
	source    = 0
	sink      = 1
	unlimited = math.MaxInt64 / 4 // above every sum that check lets pass
)

func (f *flow) reset() {
	f.head = append(f.head[:0], -1, -1)
	f.next, f.to, f.room = f.next[:0], f.to[:0], f.room[:0]
}

func (f *flow) node() int32 {
	f.head = append(f.head, -1)
	return int32(len(f.head) - 1)
}

// arc adds an arc with a capacity and one back without, and returns its number.
func (f *flow) arc(from, to int32, capacity int64) int32 {
	i := int32(len(f.to))
	f.to = append(f.to, to, from)
	f.room = append(f.room, capacity, 0)
	f.next = append(f.next, f.head[from], f.head[to])
	f.head[from], f.head[to] = i, i+1
	return i
}

// push sends an amount along an arc that has the room.
func (f *flow) push(arc int32, amount int64) {
	f.room[arc] -= amount
	f.room[arc^1] += amount
}

// greatest adds the flow that is still possible and returns how much it is.
func (f *flow) greatest() int64 {
	total := int64(0)
	for f.levels() {
		f.iter = append(f.iter[:0], f.head...)
		for {
			sent := f.augment(source, unlimited)
			if sent == 0 {
				break
			}
			total += sent
		}
	}
	return total
}

// levels numbers the nodes by distance from the source, and says whether the
// sink is reached. After greatest, the nodes with a level are the source's side
// of a least cut.
func (f *flow) levels() bool {
	f.level = f.level[:0]
	for range f.head {
		f.level = append(f.level, -1)
	}
	f.level[source] = 0
	f.queue = append(f.queue[:0], source)
	for i := 0; i < len(f.queue); i++ {
		v := f.queue[i]
		for a := f.head[v]; a >= 0; a = f.next[a] {
			f.steps++
			if f.room[a] > 0 && f.level[f.to[a]] < 0 {
				f.level[f.to[a]] = f.level[v] + 1
				f.queue = append(f.queue, f.to[a])
			}
		}
	}
	return f.level[sink] >= 0
}

// augment sends up to limit from v to the sink along rising levels.
func (f *flow) augment(v int32, limit int64) int64 {
	if v == sink {
		return limit
	}
	sent := int64(0)
	for ; f.iter[v] >= 0; f.iter[v] = f.next[f.iter[v]] {
		a := f.iter[v]
		f.steps++
		if f.room[a] == 0 || f.level[f.to[a]] != f.level[v]+1 {
			continue
		}
		got := f.augment(f.to[a], min(limit-sent, f.room[a]))
		if got > 0 {
			f.push(a, got)
			sent += got
			if sent == limit {
				return sent
			}
		}
	}
	return sent
}
