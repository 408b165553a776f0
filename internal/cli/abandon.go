package cli

import "context"

// orAbandon does work and returns what it makes, or the error of ctx as soon as that is
// done: parts of the work, such as a large product, do not stop by themselves. They
// go on for nothing until the process ends, so that work must write nothing.
func orAbandon[T any](ctx context.Context, work func() T) (T, error) {
	done := make(chan T, 1)
	go func() { done <- work() }()
	select {
	case made := <-done:
		return made, nil
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}
