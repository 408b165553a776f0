package schedule

import "context"

func SolveExact(p *Problem) (Cost, bool, error) {
	b := newBoard(p, nil)
	e := newExact(b)
	e.turn(context.Background(), never)
	return b.cost, b.best != nil, b.fault
}

