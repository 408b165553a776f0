// Package machine is MachineIR: the calls, copies, signals and waits of each
// queue, in the order in which it issues them. An executor needs nothing else.
//
// A section of code is issued in its order, each instruction when the one before
// has completed; what orders sections among each other is only what instructions
// wait for:
//
//	wait     its token has been signalled, once and for all
//	send     message n of its channel, of depth d: message n - d has been
//	         received; with d = 0 message n itself, together with its receive
//	recv     the message of its round has been sent
//	call     with a group: together with the calls of its round of all ranks
//	barrier  together with the arrivals of its round of all sections
package machine

import "plancheck/ir/level"

// Schema names the documents of this level.
const Schema = "plancheck.machine/1"

// Program is what the queues of a target issue.
type Program struct {
	_  struct{} `noun:"a machine program"`
	At uint32

	level.Header
	Target string `json:"target_fingerprint,optional" rel:"machine_target(Target)" doc:"The digest of the target." says:"the target has digest {Target}"`
	// Plugin is the dialect of the target, whose opcodes the program may use
	// beside those of Dialect.
	Plugin  string `json:"target_plugin" rel:"machine_plugin(Plugin)" doc:"The dialect of the target." says:"the target has dialect {Plugin}"`
	ABI     string `json:"target_abi" rel:"machine_abi(ABI)" doc:"The ABI of the program." says:"the program is for ABI {ABI}"`
	Emitter string `json:"emitter_revision" rel:"machine_emitter(Emitter)" doc:"What made the program." says:"the program was made by {Emitter}"`
	Format  string `json:"program_format" rel:"machine_format(Format)" doc:"The format of the program." says:"the program has format {Format}"`
	// Arenas are the memory regions of the plan: an arena has the id of its region,
	// and channels, groups and barriers have their ids of the plan too.
	Arenas   []Arena   `json:"arenas" defines:"arena" rel:"machine_arena(Arena, Bytes)" doc:"A range of memory." says:"arena {Arena} has {Bytes bytes}"`
	Channels []Channel `json:"channels,optional" defines:"channel" rel:"machine_channel(Channel, Depth)" doc:"A channel, and how many messages fit in it." says:"channel {Channel} has a depth of {Depth}"`
	Groups   []Group   `json:"groups,optional" defines:"group"`
	Barriers []Barrier `json:"barriers,optional" defines:"barrier"`
	Ports    []Port    `json:"ports,optional" rel:"machine_port(Index#, Value, Direction, Arena, Offset, Bytes)" doc:"Where a shard of an input or an output of the model lies." says:"a shard of {Direction} {Value} lies at byte {Offset} of arena {Arena}"`
	Sections []Section `json:"sections" defines:"section" rel:"machine_section(Section, Place#, Kind)" doc:"A section of the program, and its place among them." says:"section {Section} is of kind {Kind}"`
	Entries  []Entry   `json:"entry_points" rel:"machine_entry(Index#, Name, Section)" doc:"Where an executor begins to issue a section." says:"entry point {Name} is section {Section}"`
}

// Refused are the fields that no document of this level has, wherever they are.
func (Program) Refused() (code, help string, names []string) {
	_, help, names = level.Timings()
	return "machine-timing-present", help, names
}

// Arena is a range of memory with addresses of its own, from 0 on.
type Arena struct {
	_  struct{} `noun:"an arena" key:"Arena"`
	At uint32

	ID    string `json:"id"`
	Bytes int64  `json:"size_bytes" min:"0"`
}

// Channel carries messages.
type Channel struct {
	_  struct{} `noun:"a channel" key:"Channel"`
	At uint32

	ID    string `json:"id"`
	Depth int64  `json:"depth" min:"0"`
}

// Group is the ranks that meet in collectives.
type Group struct {
	_  struct{} `noun:"a group" key:"Group"`
	At uint32

	ID    string  `json:"id"`
	Ranks []int64 `json:"ranks" min:"0" rel:"machine_group_rank(Group, Rank)" doc:"The rank meets others in the collectives of the group." says:"group {Group} has rank {Rank}"`
}

// Barrier is the queues that meet there.
type Barrier struct {
	_  struct{} `noun:"a barrier" key:"Barrier"`
	At uint32

	ID     string   `json:"id"`
	Queues []string `json:"source_queues" rel:"machine_barrier_queue(Barrier, Queue)" doc:"The queue arrives at the barrier." says:"barrier {Barrier} has queue {Queue}"`
}

// The directions of ports.
const (
	Input  = "input"
	Output = "output"
)

// Port is where a shard of an input, a parameter or an output of the model lies.
type Port struct {
	_  struct{} `noun:"a port"`
	At uint32

	Value string `json:"value"` // of the model
	// Source is the value of the distributed model that is a distribution of Value,
	// and Buffer the buffer of the plan in which the rank has its shard.
	Source    string `json:"source_value"`
	Buffer    string `json:"source_buffer"`
	Direction string `json:"direction" enum:"input output"`
	Rank      int64  `json:"rank" min:"0"`
	Arena     string `json:"arena" ref:"arena"`
	Offset    int64  `json:"offset_bytes" min:"0"`
	Bytes     int64  `json:"size_bytes" min:"0"`
	DType     string `json:"dtype" enum:"bf16 f16 f32 f64 i8 i32 i64"`
	// Shape is that of the shard, First the index of the value at which it begins,
	// and Whole the shape of the value.
	Shape []int64 `json:"shape" min:"1"`
	First []int64 `json:"first" min:"0"`
	Whole []int64 `json:"whole" min:"1"`
}

// The kinds of sections.
const (
	Code = "code"
	Data = "data"
)

// Section is what one queue issues, in this order, or data. A queue that is not
// ordered has a section for each of its commands.
type Section struct {
	_  struct{} `noun:"a section" key:"Section"`
	At uint32

	ID           string        `json:"id"`
	Kind         string        `json:"kind" enum:"code data"`
	Queue        string        `json:"source_queue,optional" rel:"machine_section_queue(Section, Queue)" doc:"The queue that issues the section." says:"section {Section} is issued by queue {Queue}"`
	Instructions []Instruction `json:"instructions,optional" defines:"instruction" rel:"machine_instruction(Instruction, Section, Place#)" doc:"An instruction, and its place in its section, from 0 on." says:"instruction {Instruction} has place {Place} in section {Section}"`
	Blobs        []Blob        `json:"data,optional" rel:"machine_blob(Section, Index#, Arena, Offset)" doc:"Bytes that lie in an arena before the first instruction." says:"section {Section} has bytes for arena {Arena} from byte {Offset} on"`
}

// Blob is bytes that lie in an arena before the first instruction.
type Blob struct {
	_  struct{} `noun:"data"`
	At uint32

	Arena  string `json:"arena" ref:"arena"`
	Offset int64  `json:"offset_bytes" min:"0"`
	Hex    string `json:"hex"` // two digits a byte
}

// Entry names a section that is issued from its first instruction on.
type Entry struct {
	_  struct{} `noun:"an entry point"`
	At uint32

	Name    string `json:"name"`
	Section string `json:"section" ref:"section"`
}

// Dialect is that of the opcodes below.
const Dialect = "machine"

// The opcodes of Dialect.
const (
	Call   = "call"
	Copy   = "copy"
	Send   = "send"
	Recv   = "recv"
	Signal = "signal"
	Wait   = "wait"
	Arrive = "barrier"
)

// Instruction is one thing that a queue issues.
type Instruction struct {
	_  struct{} `noun:"an instruction" key:"Instruction"`
	At uint32

	ID     string `json:"id"`
	Opcode Opcode `json:"opcode" rel:"machine_opcode(Instruction, Dialect, Name)" doc:"What the instruction is." says:"instruction {Instruction} is a {Dialect}.{Name}"`
	// Function is what a call does: model.linear, all-reduce.
	Function string `json:"function,optional" rel:"machine_function(Instruction, Function)" doc:"What a call does." says:"instruction {Instruction} calls {Function}"`
	// Operands are the memory that it reads and writes, each in the order of the
	// function's arguments and results.
	Operands []Operand `json:"operands,optional" rel:"machine_operand(Instruction, Index#, Access, Buffer, Arena, Offset, Bytes)" doc:"Memory that the instruction uses, and the buffer of the plan that it is." says:"instruction {Instruction} {Access}s {Bytes bytes} of arena {Arena} from byte {Offset} on, buffer {Buffer}"`
	// Token is what a signal signals and a wait waits for.
	Token   string   `json:"token,optional" rel:"machine_token(Instruction, Token)" doc:"The token of a signal or a wait." says:"instruction {Instruction} names token {Token}"`
	Message *Message `json:"message,optional" rel:"machine_message(Instruction, Channel, Round)" doc:"The channel of a send or a receive, and which of its messages is meant, from 0 on." says:"instruction {Instruction} is about message {Round} of channel {Channel}"`
	Meeting *Meeting `json:"meeting,optional" rel:"machine_meeting(Instruction, Group, Rank, Round)" doc:"With whom a call meets, as which rank, and which of the meetings is meant, from 0 on." says:"instruction {Instruction} is rank {Rank} in meeting {Round} of group {Group}"`
	Arrival *Arrival `json:"arrival,optional" rel:"machine_arrival(Instruction, Barrier, Round)" doc:"Where queues meet, and which of the meetings is meant, from 0 on." says:"instruction {Instruction} is an arrival of round {Round} at barrier {Barrier}"`
	// Command is the command of the plan that it was made for.
	Command string         `json:"source_command" rel:"machine_command(Instruction, Command)" doc:"The command that the instruction was made for." says:"instruction {Instruction} was made for command {Command}"`
	Lineage *level.Lineage `json:"lineage,optional"`
}

// Opcode is what an instruction is, in a dialect.
type Opcode struct {
	_  struct{} `noun:"an opcode"`
	At uint32

	Dialect string `json:"dialect"`
	Name    string `json:"name"`
}

// Message is one of those that go through a channel.
type Message struct {
	_  struct{} `noun:"a message"`
	At uint32

	Channel string `json:"channel" ref:"channel"`
	Round   int64  `json:"round" min:"0"`
}

// Meeting is a collective of a group, in which a call takes part as a rank.
type Meeting struct {
	_  struct{} `noun:"a meeting"`
	At uint32

	Group string `json:"group" ref:"group"`
	Rank  int64  `json:"rank" min:"0"`
	Round int64  `json:"round" min:"0"`
	// Reduction is what the collective reduces by.
	Reduction string `json:"reduction,optional" enum:"sum max min product" rel:"machine_reduction(Instruction, Reduction)" doc:"What the call reduces by." says:"instruction {Instruction} reduces by {Reduction}"`
}

// Arrival is that of a queue at a barrier.
type Arrival struct {
	_  struct{} `noun:"an arrival"`
	At uint32

	Barrier string `json:"barrier" ref:"barrier"`
	Round   int64  `json:"round" min:"0"`
}

// The accesses of operands.
const (
	Read  = "read"
	Write = "write"
)

// Operand is memory that an instruction uses, as a tensor where its shape and
// type are known.
type Operand struct {
	_  struct{} `noun:"an operand"`
	At uint32

	Access string  `json:"access" enum:"read write"`
	Buffer string  `json:"source_buffer"`
	Arena  string  `json:"arena" ref:"arena"`
	Offset int64   `json:"offset_bytes" min:"0"`
	Bytes  int64   `json:"size_bytes" min:"0"`
	Shape  []int64 `json:"shape,optional" min:"1"`
	DType  string  `json:"dtype,optional" enum:"bf16 f16 f32 f64 i8 i32 i64"`
	// Workspace is memory that the instruction only uses while it works: it is
	// neither an argument nor a result.
	Workspace bool `json:"workspace,optional"`
}
