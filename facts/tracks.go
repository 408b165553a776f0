package facts

// tracks put every command on one track, each behind one that it waits for: a
// queue with an order is a track, and other commands follow each other where they
// can. Along a track each command has completed when the next one begins.
type tracks struct {
	of, place []int32 // by command; places count from 0 on
	count     int     // of tracks; those of queues come first
}

// tracks finds the tracks of all commands. Commands without a rank that are on no
// ordered queue have a track of their own.
func (e *exporter) tracks() *tracks {
	if e.trackOf != nil {
		return e.trackOf
	}
	s := e.waits()
	_, order := e.commandOrder()
	n := len(s.chain)
	t := &tracks{of: make([]int32, n), place: make([]int32, n), count: s.queues}
	e.trackOf = t
	followed := make([]bool, n)
	for i := range int32(n) {
		t.of[i] = -1
		if s.ordered(int(i)) {
			t.of[i], t.place[i] = s.chain[i], s.place[i]
		}
	}
	follow := func(i int32) bool {
		for _, w := range s.real(i) {
			if !s.ordered(int(w.on)) && !followed[w.on] && w.on != i {
				followed[w.on] = true
				t.of[i], t.place[i] = t.of[w.on], t.place[w.on]+1
				return true
			}
		}
		return false
	}
	begin := func(i int32) {
		t.of[i] = int32(t.count)
		t.count++
	}
	for _, i := range order {
		if t.of[i] < 0 && !follow(i) {
			begin(i)
		}
	}
	for i := range int32(n) {
		if t.of[i] < 0 {
			begin(i)
		}
	}
	return t
}

func (e *exporter) trackPlaces(w *writer) {
	t := e.tracks()
	commands := e.program().Commands
	w.grow(len(commands))
	for i := range commands {
		c := &commands[i]
		w.row(c.At, c.ID, e.num(int64(t.of[i])), e.num(int64(t.place[i])))
	}
}
