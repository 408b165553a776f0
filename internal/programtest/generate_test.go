package programtest

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"plancheck/ir"
)

// seeds is how many programs of a size a test draws.
func seeds(short, long uint64) uint64 {
	if testing.Short() {
		return short
	}
	return long
}

// Generated programs are legal as far as closure and trying all orders say.
func TestGenerateLegal(t *testing.T) {
	for seed := range seeds(50, 2000) {
		for _, size := range []Size{Small, Medium} {
			p := Generate(seed, size)
			if faults := Analyse(p.Program).Faults(); faults != nil {
				t.Fatalf("seed %d: %v\n%s", seed, faults, ir.Encode(p))
			}
		}
	}
}

// The same seed gives the same bytes.
func TestGenerateSame(t *testing.T) {
	for seed := range uint64(20) {
		a, b := ir.Encode(Generate(seed, Medium)), ir.Encode(Generate(seed, Medium))
		if !bytes.Equal(a, b) {
			t.Fatalf("seed %d: %s\n%s", seed, a, b)
		}
	}
}

// Everything that a program can have is in some generated one.
func TestGenerateEverything(t *testing.T) {
	const programs = 150
	count := map[string]int{}
	for seed := range uint64(programs) {
		has := map[string]bool{}
		features(Generate(seed, Medium).Program, func(format string, args ...any) { has[fmt.Sprintf(format, args...)] = true })
		for f := range has {
			count[f]++
		}
	}
	want := []string{"buffer aligned", "buffer empty", "buffer freed", "buffer initialised", "buffer kept", "bytes reused", "bytes shifted", "channel with slots",
		"command on an unordered queue", "depth 0", "depth 1", "depth 2", "device without rank", "group of 2", "group of 3", "in place", "large region",
		"listed in another order", "microbatch", "region aligned", "region with reserved bytes", "signals 2", "stage", "token consuming", "token waited twice", "waits 2"}
	for _, k := range ir.CommandKinds() {
		want = append(want, "kind "+k)
	}
	for k := range ir.QueueKinds() {
		want = append(want, "queue of kind "+k)
	}
	for k := range reason(byMeeting + 1) {
		want = append(want, fmt.Sprint("wait by ", k))
	}
	slices.Sort(want)
	for _, f := range want {
		if count[f] < 3 {
			t.Errorf("%s: %d of %d programs", f, count[f], programs)
		}
	}
	t.Log(count)
}

// features tells what a program has.
func features(p *ir.Program, has func(string, ...any)) {
	o := Analyse(p)
	for i := range p.Commands {
		c := &p.Commands[i]
		has("kind %s", c.Kind)
		has("signals %d", len(c.Signals))
		has("waits %d", len(c.Waits))
		for _, w := range o.waits[i] {
			has("wait by %d", w.why)
		}
		if len(o.mates[o.event[i]]) > 1 {
			has("wait by %d", byMeeting)
		}
		if len(c.InPlace) > 0 {
			has("in place")
		}
		if c.Stage != ir.None {
			has("stage")
		}
		if c.Microbatch != ir.None {
			has("microbatch")
		}
		if i > 0 && o.apart(i, i-1) {
			has("listed in another order")
		}
		for _, q := range p.Queues {
			if q.ID == c.Queue && q.Unordered {
				has("command on an unordered queue")
			}
		}
		for _, x := range p.Commands[:i] {
			if slices.ContainsFunc(c.Waits, func(t ir.ID) bool { return slices.Contains(x.Waits, t) }) {
				has("token waited twice")
			}
		}
	}
	for _, q := range p.Queues {
		has("queue of kind %s", q.Kind)
	}
	for _, d := range p.Devices {
		if d.Rank == ir.None {
			has("device without rank")
		}
	}
	for _, g := range p.Groups {
		has("group of %d", len(g.Ranks))
	}
	for _, x := range p.Channels {
		has("depth %d", x.Depth)
		if x.Region != ir.NoID {
			has("channel with slots")
		}
	}
	for _, x := range p.Tokens {
		if x.Consuming {
			has("token consuming")
		}
	}
	memoryFeatures(p, has)
}

func memoryFeatures(p *ir.Program, has func(string, ...any)) {
	for _, r := range p.Regions {
		if r.Alignment > 1 {
			has("region aligned")
		}
		if r.Reserved > 0 {
			has("region with reserved bytes")
		}
		if r.Capacity > 1<<40 {
			has("large region")
		}
	}
	for i, b := range p.Buffers {
		for word, is := range map[string]bool{"aligned": b.Alignment > 1, "empty": b.Size == 0, "freed": b.FreedBy != ir.NoID, "initialised": b.Initialised, "kept": b.Kept} {
			if is {
				has("buffer %s", word)
			}
		}
		for _, x := range p.Buffers[:i] {
			if x.Region == b.Region && x.Offset < b.Offset+b.Size && b.Offset < x.Offset+x.Size {
				has("bytes reused")
				if x.Offset != b.Offset {
					has("bytes shifted")
				}
			}
		}
	}
}
