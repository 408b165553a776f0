package costs

import (
	"strings"

	"plancheck/ir/portable"
)

// Dims are m, n and k of a task that multiplies x[m,n] by w[n,k], and the shape of
// the first input of any other; shape gives that of a buffer, nil where there is
// no such buffer. Sizes of 0 are left out: they have no place in a record.
func Dims(t *portable.Task, shape func(buffer string) ([]int64, error)) ([]int64, error) {
	var dims []int64
	for i, id := range t.Inputs {
		if i > 0 && (!multiplies(t.Op) || i > 1) {
			break
		}
		sizes, err := shape(id)
		if err != nil {
			return nil, err
		}
		if i == 1 {
			if len(dims) != 2 || len(sizes) != 2 {
				break
			}
			sizes = sizes[1:]
		}
		for _, n := range sizes {
			if n > 0 {
				dims = append(dims, n)
			}
		}
	}
	return dims, nil
}

// multiplies says whether an op is a matrix product, by the name behind its
// dialect.
func multiplies(op string) bool {
	_, name, found := strings.Cut(op, ".")
	if !found {
		name = op
	}
	return name == "linear" || name == "matmul" || name == "gemm"
}
