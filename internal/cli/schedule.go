package cli

import (
	"fmt"
	"strconv"

	"plancheck/ir"
)

// scheduleFlag is a flag for what the schedule of a pipeline does not say.
type scheduleFlag struct{ name, doc string }

func scheduleFlags() []scheduleFlag {
	return []scheduleFlag{
		{"activation-bytes", "of a schedule: `N` bytes that a stage keeps of a microbatch until its backward"},
		{"message-bytes", "of a schedule: `N` bytes that a stage hands to a neighbour"},
		{"capacity-bytes", "of a schedule: `N` bytes of memory of a rank; by default what it needs"},
		{"depth", "of a schedule: `N` messages may be under way between two stages; by default as many as it needs"},
	}
}

// optionalNumber is a flag for a number from 0 that may be absent, ir.None.
type optionalNumber struct{ to *int64 }

func (o optionalNumber) Set(value string) error {
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil || n < 0 {
		return fmt.Errorf("must be a number of at least 0, not %q", value)
	}
	*o.to = n
	return nil
}

func (o optionalNumber) Type() string { return "number" }

// String is the default, which pflag shows.
func (o optionalNumber) String() string {
	if o.to == nil || *o.to == ir.None {
		return ""
	}
	return strconv.FormatInt(*o.to, 10)
}
