package simulate

import (
	"fmt"
	"math/bits"
)

const picosecondsPerSecond = 1_000_000_000_000

// instant returns the picosecond at which a number of cycles of a clock, the sum
// of some from 0, are over, rounded up: nothing begins before its cycle. As all
// times that a plan states are rounded alike, what does not come later than
// something else in exact time does not in picoseconds. It is false beyond 63
// bits.
func instant(hertz int64, cycles ...int64) (int64, bool) {
	sum := uint64(0)
	for _, c := range cycles {
		if sum += uint64(c); sum >= 1<<63 {
			return 0, false
		}
	}
	hi, lo := bits.Mul64(sum, picosecondsPerSecond)
	if hi >= uint64(hertz) {
		return 0, false
	}
	q, rest := bits.Div64(hi, lo, uint64(hertz))
	if rest > 0 {
		q++
	}
	return int64(q), q < 1<<63
}

// beyond is the error of a command with a time that is no number.
func beyond(command string) error {
	return fmt.Errorf("command %s has a time beyond 64 bits by the spatial extension", command)
}
