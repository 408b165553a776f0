package timeline

import (
	"fmt"
	"strings"
)

// Units of time, in picoseconds.
const (
	Microsecond = 1_000_000
	Millisecond = 1_000_000_000
)

// In writes picoseconds from 0 in a unit, which has a power of ten of them, exactly.
func In(unit, ps int64) string {
	whole, part := ps/unit, ps%unit
	if part == 0 {
		return fmt.Sprint(whole)
	}
	digits := len(fmt.Sprint(unit)) - 1
	return fmt.Sprintf("%d.%s", whole, strings.TrimRight(fmt.Sprintf("%0*d", digits, part), "0"))
}
