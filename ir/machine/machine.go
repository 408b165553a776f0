// Package machine is MachineIR: the calls, copies, signals and waits of each
// queue, in the order in which it issues them. An executor needs nothing else.
package machine

import "plancheck/ir/level"

// Schema names the documents of this level.
const Schema = "plancheck.machine/1"

// Program is what the queues of a target issue.
type Program struct {
	_  struct{} `noun:"a machine program"`
	At uint32

	level.Header
	Target  string `json:"target_fingerprint,optional" rel:"machine_target(Fingerprint)" doc:"The digest of the target." says:"the target has digest {Fingerprint}"`
	ABI     string `json:"target_abi" rel:"machine_abi(ABI)" doc:"The ABI of the program." says:"the program is for ABI {ABI}"`
	Emitter string `json:"emitter_revision" rel:"machine_emitter(Revision)" doc:"What made the program." says:"the program was made by {Revision}"`
	Format  string `json:"program_format" rel:"machine_format(Format)" doc:"The format of the program." says:"the program has format {Format}"`
	// Arenas are the memory regions in which buffers lie.
	Arenas   []Arena   `json:"arenas" defines:"arena" rel:"machine_arena(Arena, Bytes)" doc:"A range of memory." says:"arena {Arena} has {Bytes bytes}"`
	Sections []Section `json:"sections" defines:"section" rel:"machine_section(Section, Kind)" doc:"A section of the program." says:"section {Section} is of kind {Kind}"`
	Entries  []Entry   `json:"entry_points" rel:"machine_entry(Name, Section)" doc:"Where a queue begins." says:"entry point {Name} is section {Section}"`
}

// Refused are the fields that no document of this level has, wherever they are.
func (Program) Refused() (code, help string, names []string) { return level.Timings() }

// Arena is a range of memory with addresses of its own.
type Arena struct {
	_  struct{} `noun:"an arena" key:"Arena"`
	At uint32

	ID    string `json:"id"`
	Bytes int64  `json:"size_bytes" min:"0"`
}

// Section is what one queue issues.
type Section struct {
	_  struct{} `noun:"a section" key:"Section"`
	At uint32

	ID           string        `json:"id"`
	Kind         string        `json:"kind" enum:"code data descriptor metadata"`
	Instructions []Instruction `json:"instructions,optional" defines:"instruction" rel:"machine_instruction(Instruction, Section, Place#, Opcode)" doc:"An instruction, its place in its section, and its opcode." says:"instruction {Instruction} of section {Section} is a {Opcode}"`
}

// Entry names where a queue begins.
type Entry struct {
	_  struct{} `noun:"an entry point"`
	At uint32

	Name    string `json:"name"`
	Section string `json:"section" ref:"section"`
}

// The opcodes.
const (
	Call    = "machine.call"
	Copy    = "machine.copy"
	Send    = "machine.send"
	Recv    = "machine.recv"
	Signal  = "machine.signal"
	Wait    = "machine.wait"
	Barrier = "machine.barrier"
)

// Instruction is one thing that a queue issues.
type Instruction struct {
	_  struct{} `noun:"an instruction" key:"Instruction"`
	At uint32

	ID     string `json:"id"`
	Opcode string `json:"opcode"`
	// Function is what a call does: model.linear, all-reduce.
	Function string `json:"function,optional" rel:"machine_function(Instruction, Function)" doc:"What a call does." says:"instruction {Instruction} calls {Function}"`
	// Operands are the memory that it reads and writes, in order.
	Operands []Operand `json:"operands,optional" rel:"machine_operand(Instruction, Index#, Access, Arena, Offset, Bytes)" doc:"Memory that the instruction uses." says:"instruction {Instruction} {Access}s {Bytes bytes} of arena {Arena} from byte {Offset} on"`
	// Token is what a signal signals and a wait waits for; Channel what a send
	// and a receive go through; Group with whom a collective meets; Reduction what
	// it reduces by.
	Token     string `json:"token,optional" rel:"machine_token(Instruction, Token)" doc:"The token of a signal or a wait." says:"instruction {Instruction} names token {Token}"`
	Channel   string `json:"channel,optional" rel:"machine_channel(Instruction, Channel)" doc:"The channel of a send or a receive." says:"instruction {Instruction} names channel {Channel}"`
	Depth     int64  `json:"depth,optional" min:"0" absent:"-1"`
	Group     string `json:"group,optional" rel:"machine_group(Instruction, Group)" doc:"With whom a collective or a barrier meets." says:"instruction {Instruction} meets group {Group}"`
	Members   int64  `json:"members,optional" min:"1" absent:"-1"`
	Reduction string `json:"reduction,optional" enum:"sum max min product"`
	// Command is the command of the plan that it was made for.
	Command string         `json:"source_command" rel:"machine_command(Instruction, Command)" doc:"The command that the instruction was made for." says:"instruction {Instruction} was made for command {Command}"`
	Lineage *level.Lineage `json:"lineage,optional"`
}

// Operand is memory that an instruction uses, as a tensor.
type Operand struct {
	_  struct{} `noun:"an operand"`
	At uint32

	Access string  `json:"access" enum:"read write read_write"`
	Arena  string  `json:"arena" ref:"arena"`
	Offset int64   `json:"offset_bytes" min:"0"`
	Bytes  int64   `json:"size_bytes" min:"0"`
	Shape  []int64 `json:"shape,optional" min:"1"`
	DType  string  `json:"dtype,optional" enum:"bf16 f16 f32 f64 i8 i32 i64"`
}
