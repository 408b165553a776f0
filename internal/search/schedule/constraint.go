package schedule

import "plancheck/solver"

// Kind is what a constraint of a problem is about.
type Kind int

const (
	// Follow: the reader of a value is not in an earlier stage than its op.
	Follow Kind = iota
	// Near: the reader of a value that must not be carried is at most one stage
	// later; of a value from outside, it is in stage 0.
	Near
	// StagePinned: the op is in a stage from Lo to Hi.
	StagePinned
	// CorePinned: the share is on the core that it is pinned to.
	CorePinned
	// InRange: the shares of the op, or the lanes of the forward, are on cores of
	// its stage.
	InRange
	// RangeGiven: the stage has the cores that are decided.
	RangeGiven
	// Placed: the logical core is on the machine core that it is pinned to.
	Placed
	// Capacity: the weights on machine cores of a class fit.
	Capacity
	// Filled: the stage has an op.
	Filled
	// Reading is Follow and Near of a read together: the edge, or the use of an
	// input, as a whole. Only conflicts are told by it.
	Reading
)

// Constraint is something that a solution has to keep to, by which conflicts are
// told and which can be left out.
type Constraint struct {
	Kind Kind
	// Of is the read for Follow, Near and Reading, the op for StagePinned,
	// CorePinned and InRange, the stage for RangeGiven and Filled, the logical
	// core for Placed, and the first machine core of the class for Capacity. It
	// is the value for InRange of forwards, which Value says. For Filled in a
	// conflict it is Free: all stages, since a plan asks for all at once.
	Of    int
	Value bool
	Share int // for CorePinned
}

// naming says how the clauses of constraints are kept apart.
type naming struct {
	// off: constraints of these kinds are left out.
	off map[Kind]bool
	// named: each constraint has a group of its own, which a question has to ask
	// for; else the clauses always hold.
	named bool
	// precise: every literal means what it says, so that clauses of claims can
	// be added.
	precise bool
}

// group is the group of a constraint's clauses, and whether it is not left out.
func (m *model) group(c Constraint) (solver.Group, bool) {
	if m.naming.off[c.Kind] {
		return 0, false
	}
	if !m.naming.named {
		return solver.Always, true
	}
	g, known := m.groups[c]
	if !known {
		g = m.Group("constraint")
		m.groups[c] = g
		m.constraints = append(m.constraints, c)
	}
	return g, true
}

// constrain adds a clause of a constraint.
func (m *model) constrain(c Constraint, lits ...solver.Lit) {
	if g, on := m.group(c); on {
		m.clause(g, lits...)
	}
}

// capacity is the constraint that weights fit cores of a class.
func (m *model) capacity(class int) Constraint {
	for c, of := range m.cl.of {
		if of == class {
			return Constraint{Kind: Capacity, Of: c}
		}
	}
	return Constraint{Kind: Capacity}
}
