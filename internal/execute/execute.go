package execute

import (
	"context"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"sync"
	"sync/atomic"
	"time"

	"plancheck/internal/tensor"
	"plancheck/ir/machine"
)

// Options are how a program is run.
type Options struct {
	// Inputs are the values of the model that the program's input ports take their
	// shards from. Each must be there.
	Inputs map[string]*tensor.Tensor
	// Delay is how long a section rests before it issues an instruction; nil for
	// not at all. It is called by all sections at once.
	Delay func(*machine.Instruction) time.Duration
}

// RandomDelays are delays below limit that the seed decides, the same in every
// run.
func RandomDelays(seed uint64, limit time.Duration) func(*machine.Instruction) time.Duration {
	return func(x *machine.Instruction) time.Duration {
		h := fnv.New64a()
		h.Write(binary.LittleEndian.AppendUint64(nil, seed)) // a hash never fails
		h.Write([]byte(x.ID))
		return time.Duration(h.Sum64() % uint64(max(limit, 1)))
	}
}

// Error is an instruction that cannot be done: it is not known, or its operands
// do not fit.
type Error struct {
	Instruction, Command string
	Err                  error
}

func (e *Error) Error() string {
	return fmt.Sprintf("instruction %s of command %s: %v", e.Instruction, e.Command, e.Err)
}

func (e *Error) Unwrap() error { return e.Err }

// Run runs a program to its end and returns the memory that it leaves behind.
// Errors are *Error; *Stuck, where all sections wait; what is wrong with the
// inputs; or that of ctx.
func Run(ctx context.Context, p *machine.Program, o Options) (*Memory, error) {
	memory, err := newMemory(p)
	if err != nil {
		return nil, err
	}
	if err := memory.set(p, o.Inputs); err != nil {
		return nil, err
	}
	r := &run{memory: memory, delay: o.Delay, stop: make(chan struct{})}
	if err := r.link(p); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	watched := make(chan error, 1)
	finished := make(chan struct{})
	go func() { watched <- r.watch(ctx, finished) }()
	var wg sync.WaitGroup
	for _, s := range r.sections {
		wg.Go(func() { s.run(r) })
	}
	wg.Wait()
	close(finished)
	err = <-watched
	for _, s := range r.sections { // what is wrong with a program comes before what followed from it
		if s.err != nil {
			return nil, s.err
		}
	}
	if err != nil {
		return nil, err
	}
	return memory, nil
}

// run is a program on its way.
type run struct {
	memory   *Memory
	delay    func(*machine.Instruction) time.Duration
	sections []*section
	// stop is closed when sections are not to go on, by halt.
	stop   chan struct{}
	halted sync.Once
}

func (r *run) halt() { r.halted.Do(func() { close(r.stop) }) }

// section is one of the program, issued by a goroutine.
type section struct {
	id    string
	steps []step
	// state is how far the section is: four times the place of its instruction, and
	// what it is at there. It only grows.
	state atomic.Int64
	err   error // what cannot be done; read when all have ended
}

// What a section is at with an instruction.
const (
	resting = iota
	waiting // for gates
	working
	stateCount
)

// step is an instruction and what it takes to do it, in this order.
type step struct {
	*machine.Instruction
	give    func() error // hands out what others wait for; nil for most
	arrived *gate        // opened then; nil for most
	gates   []*gate      // what it waits for before it works
	work    func() error // nil for those that only wait or signal
	done    *gate        // opened then; nil for most
	exits   []*gate      // what completes with it: all of these have their gates open
}

// gate is something that happens once: its channel is closed then.
type gate struct {
	open chan struct{}
	// The step that opens it; nil where none does. With early it surely does once
	// it is reached and so are all that wait for this gate, and else when it has
	// completed.
	opener *opener
	early  bool
	what   string // "token t"
}

// opener is a step, by its place.
type opener struct {
	section, place int
	*machine.Instruction
}

// run issues the instructions of a section.
func (s *section) run(r *run) {
	for i := range s.steps {
		x := &s.steps[i]
		if r.delay != nil && !r.rest(r.delay(x.Instruction)) {
			return
		}
		at := int64(i) * stateCount
		s.state.Store(at + resting)
		if !s.do(r, x, x.give) {
			return
		}
		x.arrived.pass()
		s.state.Store(at + waiting)
		if !r.wait(x.gates) {
			return
		}
		s.state.Store(at + working)
		if !s.do(r, x, x.work) {
			return
		}
		x.done.pass()
		if !r.wait(x.exits) {
			return
		}
	}
	s.state.Store(int64(len(s.steps)) * stateCount)
}

// do does a part of an instruction and says whether the section goes on. Where it
// cannot be done nothing does.
func (s *section) do(r *run, x *step, part func() error) bool {
	if part == nil {
		return true
	}
	if err := part(); err != nil {
		s.err = &Error{x.ID, x.Command, err}
		r.halt()
		return false
	}
	return true
}

// pass opens a gate; no gate is open.
func (g *gate) pass() {
	if g != nil {
		close(g.open)
	}
}

// wait waits for gates, and says whether the section goes on.
func (r *run) wait(gates []*gate) bool {
	for _, g := range gates {
		select {
		case <-g.open:
		case <-r.stop:
			return false
		}
	}
	select {
	case <-r.stop:
		return false
	default:
		return true
	}
}

// rest sleeps, and says whether the section goes on. It sleeps by the clock, not
// for a timer's channel: to the race detector all timers are one goroutine, so
// that what a section did before the watcher's timer would be known to each that
// a timer wakes.
func (r *run) rest(d time.Duration) bool {
	for ; d > 0; d -= nap {
		time.Sleep(min(d, nap))
		if !r.wait(nil) {
			return false
		}
	}
	return true
}

// nap is how long a section sleeps before it looks whether it is to stop.
const nap = 5 * time.Millisecond
