package execute

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"plancheck/internal/tensor"
	"plancheck/ir/level"
	"plancheck/ir/machine"
)

// function is what a call computes: from tensors, a tensor.
type function struct {
	reads int // how many tensors; 0 for one or more
	// check says whether shapes fit: of what is read, and of what is written.
	check func(reads [][]int64, write []int64) error
	do    func(reads []*tensor.Tensor) []float64
}

// functions are those that calls name. Sums are made in 64 bits and rounded when
// they are stored.
func functions() map[string]function {
	return map[string]function{
		"model.linear": {2, linearShapes, linear},
		"model.relu":   {1, sameShapes, elementwise(func(x float64) float64 { return max(x, 0) })},
		"sum":          {0, sameShapes, sum},
		"model.gelu":   {1, sameShapes, elementwise(func(x float64) float64 { return x / 2 * (1 + math.Erf(x/math.Sqrt2)) })},
	}
}

func linearShapes(reads [][]int64, write []int64) error {
	x, w := reads[0], reads[1]
	if len(x) != 2 || len(w) != 2 || x[1] != w[0] || !slices.Equal(write, []int64{x[0], w[1]}) || min(x[0], x[1], w[1]) < 1 {
		return fmt.Errorf("no product of shapes %v and %v has shape %v", x, w, write)
	}
	return nil
}

func linear(reads []*tensor.Tensor) []float64 {
	x, w := reads[0], reads[1]
	var y mat.Dense
	y.Mul(mat.NewDense(int(x.Shape[0]), int(x.Shape[1]), x.Data), mat.NewDense(int(w.Shape[0]), int(w.Shape[1]), w.Data))
	return y.RawMatrix().Data // fresh, so that its rows follow each other
}

func sameShapes(reads [][]int64, write []int64) error {
	for _, read := range reads {
		if !slices.Equal(read, write) {
			return fmt.Errorf("shape %v does not become shape %v", read, write)
		}
	}
	return nil
}

// sum adds tensors up, in the order in which they are read.
func sum(reads []*tensor.Tensor) []float64 {
	out := slices.Clone(reads[0].Data)
	for _, t := range reads[1:] {
		for i, x := range t.Data {
			out[i] += x
		}
	}
	return out
}

func elementwise(f func(float64) float64) func([]*tensor.Tensor) []float64 {
	return func(reads []*tensor.Tensor) []float64 {
		out := make([]float64, len(reads[0].Data))
		for i, x := range reads[0].Data {
			out[i] = f(x)
		}
		return out
	}
}

// function is the work of a call.
func (l *linker) function(x *machine.Instruction) (func() error, error) {
	f, known := functions()[x.Function]
	if !known {
		var names []string
		for name := range functions() {
			names = append(names, name)
		}
		slices.Sort(names)
		return nil, fmt.Errorf("function %q is not known; there are %s, and collectives of groups", x.Function, strings.Join(names, ", "))
	}
	reads, writes := split(x)
	if f.reads == 0 && len(reads) > 0 {
		f.reads = len(reads)
	}
	if len(reads) != max(1, f.reads) || len(writes) != 1 {
		return nil, fmt.Errorf("%s reads %d operands and writes 1, not %d and %d", x.Function, max(1, f.reads), len(reads), len(writes))
	}
	var shapes [][]int64
	for _, o := range reads {
		if err := tensorOperand(o); err != nil {
			return nil, err
		}
		shapes = append(shapes, o.Shape)
	}
	if err := tensorOperand(writes[0]); err != nil {
		return nil, err
	}
	if err := f.check(shapes, writes[0].Shape); err != nil {
		return nil, fmt.Errorf("%s: %w", x.Function, err)
	}
	return func() error {
		var args []*tensor.Tensor
		for _, o := range reads {
			t, err := l.load(o)
			if err != nil {
				return err
			}
			args = append(args, t)
		}
		return tensor.Store(writes[0].DType, l.memory.of(writes[0]), f.do(args))
	}, nil
}

// tensorOperand says why an operand is no tensor of numbers.
func tensorOperand(o *machine.Operand) error {
	if o.DType == "" || o.Shape == nil {
		return fmt.Errorf("buffer %s has no shape or no type: lower the plan with its portable plan", o.Buffer)
	}
	if _, err := tensor.Unit(o.DType); err != nil {
		return fmt.Errorf("buffer %s: %w", o.Buffer, err)
	}
	n, err := tensor.Count(o.Shape)
	if err != nil {
		return fmt.Errorf("buffer %s: %w", o.Buffer, err)
	}
	if size, _ := level.Bytes(o.DType); n > o.Bytes/size {
		return fmt.Errorf("buffer %s has %d bytes, too few for shape %v of %s", o.Buffer, o.Bytes, o.Shape, o.DType)
	}
	return nil
}

// load reads an operand that tensorOperand has passed.
func (r *run) load(o *machine.Operand) (*tensor.Tensor, error) {
	n, err := tensor.Count(o.Shape)
	if err != nil {
		return nil, err
	}
	data, err := tensor.Load(o.DType, r.memory.of(o), n)
	return &tensor.Tensor{Shape: o.Shape, Data: data}, err
}
