package cli

import (
	"fmt"
	"io"
	"sync"
	"time"

	"plancheck/internal/diag"
	"plancheck/internal/report"
	"plancheck/internal/search/schedule"
)

// progress shows on a terminal what a search knows so far, in one line that is
// written over.
type progress struct {
	out   io.Writer // nil when nobody watches
	start time.Time
	stop  chan struct{}
	done  sync.WaitGroup

	mu   sync.Mutex
	last schedule.Progress
	note string // shown instead of it, when set
}

func newProgress(env Env, quiet bool) *progress {
	p := &progress{start: time.Now(), stop: make(chan struct{})}
	if quiet || !env.IsTerminal(env.Stderr) {
		return p
	}
	p.out = env.Stderr
	p.done.Go(func() {
		tick := time.NewTicker(200 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-tick.C:
				p.show()
			case <-p.stop:
				return
			}
		}
	})
	return p
}

// change notes what a search knows.
func (p *progress) change(now schedule.Progress) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last = now
}

// say shows a text instead.
func (p *progress) say(note string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.note = note
}

func (p *progress) show() {
	p.mu.Lock()
	text := p.note
	if text == "" {
		text = progressText(p.last)
	}
	p.mu.Unlock()
	fmt.Fprintf(p.out, "\r\x1b[K%s, %.0f s", text, time.Since(p.start).Seconds())
}

// progressText puts in words what is known of the interval.
func progressText(now schedule.Progress) string {
	if !now.Found {
		return fmt.Sprintf("no plan yet, interval at least %s", report.Thousands(now.Bound))
	}
	text := fmt.Sprintf("interval %s, at least %s%s", report.Thousands(now.Cost.Interval), report.Thousands(now.Bound), gap(now.Bound, now.Cost.Interval))
	if now.Cost.Forwards > 0 {
		text += fmt.Sprintf(", %s", diag.Counted(now.Cost.Forwards, "forward"))
	}
	return text
}

// gap says by how much a bound is below a value, in two digits.
func gap(bound, value int64) string {
	if bound >= value || value == 0 {
		return ""
	}
	percent := float64(value-bound) / float64(value) * 100
	switch {
	case percent < 0.01:
		return ", gap under 0.01 %"
	case percent >= 9.5: // %g would write 1e+02
		return fmt.Sprintf(", gap %.0f %%", percent)
	}
	return fmt.Sprintf(", gap %.2g %%", percent)
}

// end clears the line.
func (p *progress) end() {
	close(p.stop)
	p.done.Wait()
	if p.out != nil {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}
