package diag

import (
	"bytes"
	"sort"
	"strings"
	"sync"
	"unicode/utf8"
)

// Source is the text of a file and the way from byte offsets to lines.
type Source struct {
	Name string // as the user wrote it; "-" is standard input
	Data []byte
	// Start is the offset of the first character that counts: behind a byte-order mark.
	Start int

	once  sync.Once
	lines []int // offset of the first byte of each line
}

// NewSource wraps the bytes of a file and steps over a UTF-8 byte-order mark.
func NewSource(name string, data []byte) *Source {
	s := &Source{Name: name, Data: data}
	if bytes.HasPrefix(data, []byte("\xef\xbb\xbf")) {
		s.Start = 3
	}
	return s
}

func (s *Source) index() {
	s.lines = append(make([]int, 0, 1+bytes.Count(s.Data, []byte{'\n'})), s.Start)
	for i := s.Start; ; {
		n := bytes.IndexByte(s.Data[i:], '\n')
		if n < 0 {
			return
		}
		i += n + 1
		s.lines = append(s.lines, i)
	}
}

// Position returns the line and column of a byte offset; Pointer is left empty.
func (s *Source) Position(offset int) Position {
	line := s.LineAt(offset)
	offset = max(s.Start, min(offset, len(s.Data)))
	return Position{
		File:   s.Name,
		Line:   line,
		Column: 1 + utf8.RuneCount(s.Data[s.lines[line-1]:offset]),
	}
}

// LineAt returns the line of a byte offset, which is found faster than its column.
func (s *Source) LineAt(offset int) int {
	s.once.Do(s.index)
	return sort.SearchInts(s.lines, max(s.Start, min(offset, len(s.Data)))+1)
}

// Line returns the text of a line, counted from 1, without its line end.
func (s *Source) Line(n int) string {
	s.once.Do(s.index)
	if n < 1 || n > len(s.lines) {
		return ""
	}
	line := s.Data[s.lines[n-1]:]
	if i := bytes.IndexByte(line, '\n'); i >= 0 {
		line = line[:i]
	}
	return strings.TrimSuffix(string(line), "\r")
}
