package lineage

import (
	"plancheck/ir"
	"plancheck/ir/evidence"
	"plancheck/ir/machine"
	"plancheck/ir/model"
	"plancheck/ir/observation"
	"plancheck/ir/portable"
	"plancheck/ir/task"
	"plancheck/ir/timeline"
)

// Level is a level that trails go through.
type Level struct {
	Name   string // as --level names it
	IR     string // ModelIR
	Schema string
	Noun   string // what messages call a document of it
}

// The levels, in reading order.
const (
	modelLevel = iota
	taskLevel
	portableLevel
	bindingLevel
	planLevel
	machineLevel
	timelineLevel
	observationLevel
	levelCount
)

// Levels lists the levels that trails go through, from the model to what was
// observed.
func Levels() []Level {
	return []Level{
		{"model", "ModelIR", model.Schema, "model"},
		{"tasks", "DistributedTaskIR", task.Schema, "distributed model"},
		{"portable", "PortablePlanIR", portable.Schema, "portable plan"},
		{"binding", "Binding", evidence.BindingSchema, "binding"},
		{"plan", "ConcretePlanIR", ir.PlanSchema, "concrete plan"},
		{"machine", "MachineIR", machine.Schema, "machine program"},
		{"timeline", "TimelineBundle", timeline.Schema, "timeline"},
		{"observations", "ObservationSet", observation.Schema, "set of observations"},
	}
}

// levelOf is the level of a schema, and false for documents that trails do not go
// through.
func levelOf(schema string) (int, bool) {
	for i, l := range Levels() {
		if l.Schema == schema {
			return i, true
		}
	}
	return 0, false
}

// Kind is a kind of entity of one level.
type Kind uint8

// The kinds, in the order in which a level shows them.
const (
	ModelOp Kind = iota
	ModelValue
	Task
	TaskValue
	PortableTask
	PortableBuffer
	BoundTask
	GraphOp
	Command
	Buffer
	Instruction
	Operand
	Port
	Interval
	Observed
)

// kinds has, for each kind, its level, what it is called, and whether it is work
// that is done; else it is something that work is done on.
var kinds = []struct {
	level int
	noun  string
	work  bool
}{
	ModelOp:        {modelLevel, "op", true},
	ModelValue:     {modelLevel, "value", false},
	Task:           {taskLevel, "task", true},
	TaskValue:      {taskLevel, "value", false},
	PortableTask:   {portableLevel, "task", true},
	PortableBuffer: {portableLevel, "buffer", false},
	BoundTask:      {bindingLevel, "bound task", true},
	GraphOp:        {planLevel, "graph op", true},
	Command:        {planLevel, "command", true},
	Buffer:         {planLevel, "buffer", false},
	Instruction:    {machineLevel, "instruction", true},
	Operand:        {machineLevel, "operand", false},
	Port:           {machineLevel, "port", false},
	Interval:       {timelineLevel, "interval", true},
	Observed:       {observationLevel, "observation", true},
}

func (k Kind) level() int { return kinds[k].level }

// String is what the kind is called within its level.
func (k Kind) String() string { return kinds[k].noun }
