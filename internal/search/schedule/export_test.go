package schedule

import "context"

func SolveExact(p *Problem) (Cost, bool, error) {
	b := newBoard(p, nil)
	e := newExact(b)
	e.turn(context.Background(), never)
	return b.cost, b.best != nil, b.fault
}

func SolveLayers(p *Problem) (cost Cost, found bool, bound int64, infeasible bool, err error) {
	b := newBoard(p, nil)
	newLayers(b, Options{}).run(context.Background(), never)
	return b.cost, b.best != nil, b.bound, b.infeasible, b.fault
}
