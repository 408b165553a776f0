package cli

import (
	"context"
	"errors"
	"testing"
	"time"
)

// What does not stop is not waited for.
func TestOrAbandon(t *testing.T) {
	for _, c := range []struct {
		name string
		ctx  func() (context.Context, context.CancelFunc)
		want error
	}{
		{"a time", func() (context.Context, context.CancelFunc) {
			return context.WithTimeout(context.Background(), time.Millisecond)
		}, context.DeadlineExceeded},
		{"an interrupt", func() (context.Context, context.CancelFunc) {
			ctx, cancel := context.WithCancel(context.Background())
			cancel()
			return ctx, cancel
		}, context.Canceled},
	} {
		ctx, cancel := c.ctx()
		ever := make(chan int)
		if _, err := orAbandon(ctx, func() int { return <-ever }); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", c.name, err)
		}
		close(ever) // lets the work end
		cancel()
	}
	if made, err := orAbandon(context.Background(), func() int { return 7 }); made != 7 || err != nil {
		t.Error(made, err)
	}
}
