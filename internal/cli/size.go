package cli

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// size is a number of bytes as a flag: 512MiB, 4GiB, 1000000.
type size int64

// units are the suffixes, the longest first.
func units() []struct {
	suffix string
	bytes  int64
} {
	return []struct {
		suffix string
		bytes  int64
	}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}, {"", 1}}
}

func (s *size) Set(text string) error {
	for _, u := range units() {
		digits, ok := strings.CutSuffix(text, u.suffix)
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(digits, 10, 64)
		if err != nil || n < 0 {
			break
		}
		if n > math.MaxInt64/u.bytes {
			return errors.New("is too large")
		}
		*s = size(n * u.bytes)
		return nil
	}
	return errors.New("want a size such as 512MiB or 4GiB")
}

func (s *size) String() string {
	for _, u := range units() {
		if n := int64(*s); n != 0 && n%u.bytes == 0 {
			return fmt.Sprintf("%d%s", n/u.bytes, u.suffix)
		}
	}
	return "0"
}

func (s *size) Type() string { return "size" }
