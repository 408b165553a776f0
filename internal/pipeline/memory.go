package pipeline

import (
	"fmt"
	"math"
)

// data is what a stage keeps of a microbatch.
type data struct {
	kind       dataKind
	stage      int64
	microbatch int64
}

type dataKind uint8

const (
	input      dataKind = iota // of a stage, made by the stage before
	saved                      // activations, for the backward
	output                     // of a stage, to be sent
	gradient                   // of the stage's output, made by the next stage
	inGradient                 // of its input, to be sent
	passed                     // gradients that a backward of the input leaves to that of the weights
)

var dataNames = [...]string{"x", "a", "y", "dy", "dx", "g"}

func (d data) String() string {
	return fmt.Sprintf("%s.s%d.m%d", dataNames[d.kind], d.stage, d.microbatch)
}

// touched lists what an action reads and what it writes.
func (sh *Shape) touched(a Action) (reads, writes []data) {
	of := func(k dataKind, stage int64) data { return data{k, stage, a.Microbatch} }
	s := a.Stage
	first, last := s == 0, s >= sh.last()
	switch a.Kind {
	case Forward:
		if !first {
			reads = append(reads, of(input, s))
		}
		if sh.Trains {
			writes = append(writes, of(saved, s))
		}
		if !last {
			writes = append(writes, sh.handed(of(output, s), of(input, s+1)))
		}
	case Backward, BackwardInput:
		reads = append(reads, of(saved, s))
		if !last {
			reads = append(reads, of(gradient, s))
		}
		if !first {
			writes = append(writes, sh.handed(of(inGradient, s), of(gradient, s-1)))
		}
		if a.Kind == BackwardInput {
			writes = append(writes, of(passed, s))
		}
	case BackwardWeights:
		reads = append(reads, of(saved, s), of(passed, s))
	case SendForward:
		reads = append(reads, of(output, s))
	case SendBackward:
		reads = append(reads, of(inGradient, s))
	case RecvForward:
		writes = append(writes, of(input, s))
	case RecvBackward:
		writes = append(writes, of(gradient, s))
	}
	return reads, writes
}

// handed returns what is written for a neighbour: its own data where it is on
// the same rank, otherwise what is sent.
func (sh *Shape) handed(sent, there data) data {
	if sh.apart(sent.stage, there.stage) {
		return sent
	}
	return there
}

// slot is a place for data of one size on one rank.
type slot struct {
	data  data
	large bool // activations; otherwise a message
	index int  // among the slots of its size on its rank
}

// slots gives everything that the actions of a rank touch a slot of its own for
// as long as they do, in the order of first use: the one that was freed last, or
// a new one. It returns how many there are of either size.
func (sh *Shape) slots(actions []Action) (list []slot, large, small int) {
	last := map[data]int{}
	for i, a := range actions {
		reads, writes := sh.touched(a)
		for _, d := range append(reads, writes...) {
			last[d] = i
		}
	}
	at := map[data]slot{}
	var larges, smalls pool
	poolOf := func(large bool) *pool {
		if large {
			return &larges
		}
		return &smalls
	}
	for i, a := range actions {
		reads, writes := sh.touched(a)
		both := append(reads, writes...)
		for _, d := range both {
			if _, ok := at[d]; ok {
				continue
			}
			large := d.kind == saved
			at[d] = slot{d, large, poolOf(large).take()}
			list = append(list, at[d])
		}
		for _, d := range both {
			if last[d] == i {
				poolOf(at[d].large).give(at[d].index)
			}
		}
	}
	return list, larges.count, smalls.count
}

// pool hands slots out.
type pool struct {
	count int
	free  []int
}

func (p *pool) take() int {
	if n := len(p.free); n > 0 {
		s := p.free[n-1]
		p.free = p.free[:n-1]
		return s
	}
	p.count++
	return p.count - 1
}

func (p *pool) give(s int) { p.free = append(p.free, s) }

// total adds up products of bytes and counts, each from 0, exactly.
func total(terms ...[2]int64) (int64, error) {
	var sum int64
	for _, t := range terms {
		if t[1] != 0 && t[0] > (math.MaxInt64-sum)/t[1] {
			return 0, fmt.Errorf("the memory of a rank is beyond 64 bits: %d bytes %d times", t[0], t[1])
		}
		sum += t[0] * t[1]
	}
	return sum, nil
}
