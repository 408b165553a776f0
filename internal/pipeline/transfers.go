package pipeline

import "slices"

// WithTransfers returns the schedule with a send right behind each computation
// whose result a stage on another rank needs, and a receive right before each
// that needs one. A schedule that has transfers is returned as it is.
func (s Schedule) WithTransfers() Schedule {
	sh := s.Shape()
	if sh.Transfers {
		return s
	}
	full := Schedule{Ranks: make([][]Action, len(s.Ranks))}
	for r, actions := range s.Ranks {
		var out []Action
		for _, a := range actions {
			ahead, behind := sh.apart(a.Stage, a.Stage-1), sh.apart(a.Stage, a.Stage+1)
			switch a.Kind {
			case Forward:
				out = add(out, ahead, Action{RecvForward, a.Stage, a.Microbatch})
				out = append(out, a)
				out = add(out, behind, Action{SendForward, a.Stage, a.Microbatch})
			case Backward, BackwardInput:
				out = add(out, behind, Action{RecvBackward, a.Stage, a.Microbatch})
				out = append(out, a)
				out = add(out, ahead, Action{SendBackward, a.Stage, a.Microbatch})
			default:
				out = append(out, a)
			}
		}
		full.Ranks[r] = out
	}
	return full
}

func add(actions []Action, needed bool, a Action) []Action {
	if needed {
		return append(actions, a)
	}
	return actions
}

// linkKey names a link by its direction and the lower one of its two stages.
type linkKey struct {
	back  bool // gradients, from stage + 1 to stage; otherwise from stage to stage + 1
	stage int64
}

// link is what messages of one kind take from one stage to a neighbour.
type link struct {
	linkKey
	sent     []int64 // microbatches, in the order of the sender
	received []int64 // in that of the receiver
	inOrder  bool    // the n-th message received is the n-th one sent
	most     int     // messages under way at once, in Run.Order
}

// linkOf returns the link that a transfer uses.
func linkOf(a Action) linkKey {
	switch a.Kind {
	case RecvForward:
		return linkKey{false, a.Stage - 1}
	case SendBackward:
		return linkKey{true, a.Stage - 1}
	}
	return linkKey{a.Kind == RecvBackward, a.Stage}
}

// links lists the links of a schedule with transfers, in the order of their
// first use by rank.
func (s Schedule) links(run Run) (list []*link, by map[linkKey]*link) {
	by = map[linkKey]*link{}
	s.each(func(_ Place, a Action) {
		if !a.Kind.Transfer() {
			return
		}
		key := linkOf(a)
		l := by[key]
		if l == nil {
			l = &link{linkKey: key}
			by[key] = l
			list = append(list, l)
		}
		if a.Kind.sends() {
			l.sent = append(l.sent, a.Microbatch)
		} else {
			l.received = append(l.received, a.Microbatch)
		}
	})
	for _, l := range list {
		l.inOrder = slices.Equal(l.sent, l.received)
	}
	now := map[*link]int{}
	for _, p := range run.Order {
		a := s.Action(p)
		if !a.Kind.Transfer() {
			continue
		}
		l := by[linkOf(a)]
		if a.Kind.sends() {
			now[l]++
			l.most = max(l.most, now[l])
		} else {
			now[l]--
		}
	}
	return list, by
}

// Way is where messages go: from one stage to a neighbour.
type Way struct{ From, To int64 }

// Disordered lists the ways on which a schedule with transfers does not receive
// in the order of sending.
func (s Schedule) Disordered() (ways []Way) {
	list, _ := s.links(Run{})
	for _, l := range list {
		if l.disordered() {
			ways = append(ways, l.way())
		}
	}
	return ways
}

// disordered says whether messages that have both ends are received in another
// order than they are sent in.
func (l *link) disordered() bool {
	turn := make(map[int64]int, len(l.sent))
	for i, m := range l.sent {
		turn[m] = i
	}
	last := -1
	for _, m := range l.received {
		if i, ok := turn[m]; ok {
			if i < last {
				return true
			}
			last = i
		}
	}
	return false
}

func (l *link) way() Way {
	if l.back {
		return Way{l.stage + 1, l.stage}
	}
	return Way{l.stage, l.stage + 1}
}
