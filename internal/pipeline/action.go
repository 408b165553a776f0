package pipeline

import "fmt"

// Kind is what an action does.
type Kind uint8

// The kinds of actions. A backward has two parts: the gradient of the stage's
// input, for which the stage before waits, and that of its weights, for which
// nobody does. They are one action or two.
const (
	Forward         Kind = iota
	Backward             // of the input and of the weights
	BackwardInput        // of the input only
	BackwardWeights      // of the weights only
	SendForward          // sends the result of a forward to the next stage
	RecvForward          // receives it there
	SendBackward         // sends the gradient of the input to the stage before
	RecvBackward         // receives it there
)

var notation = [...]string{"F", "BW", "B", "W", "SEND_F", "RECV_F", "SEND_B", "RECV_B"}

// String is the notation of the kind in schedule files: F, BW, B, W, SEND_F,
// RECV_F, SEND_B, RECV_B.
func (k Kind) String() string { return notation[k] }

// Transfer says whether the action moves data between ranks.
func (k Kind) Transfer() bool { return k >= SendForward }

func (k Kind) sends() bool { return k == SendForward || k == SendBackward }

// Action is one step of a rank. The stage of a send is the one that has made
// the data, that of a receive the one that waits for it.
type Action struct {
	Kind       Kind
	Stage      int64 // from 0
	Microbatch int64 // from 0
}

// String is the action in the notation of schedule files: "2F3" is the forward
// of microbatch 3 in stage 2.
func (a Action) String() string { return fmt.Sprintf("%d%v%d", a.Stage, a.Kind, a.Microbatch) }

// parts are what an action gets done: itself, and both parts of a whole backward.
// They are what other actions need.
func (a Action) parts() []Action {
	if a.Kind == Backward {
		return []Action{{BackwardInput, a.Stage, a.Microbatch}, {BackwardWeights, a.Stage, a.Microbatch}}
	}
	return []Action{a}
}

// Peer is the stage at the other end of a transfer, and false for a computation.
func (a Action) Peer() (stage int64, transfer bool) {
	switch a.Kind {
	case SendForward, RecvBackward:
		return a.Stage + 1, true
	case SendBackward, RecvForward:
		return a.Stage - 1, true
	}
	return 0, false
}
