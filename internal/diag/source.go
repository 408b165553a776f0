package diag

import (
	"bytes"
	"sort"
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

	countOnce sync.Once
	counts    []int // characters before byte 0, countStep, 2*countStep, ... of Data
}

// A document may stand on one line, so that the way from its start to a
// finding is long. Lines longer than countStep bytes are counted once, in
// steps, and excerpts of them are cut.
const (
	countStep   = 16 << 10
	excerptSide = 512 // bytes of a long line on each side of an offset
)

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
	offset, line := s.find(offset)
	return Position{
		File:   s.Name,
		Line:   line + 1,
		Column: 1 + s.characters(s.lines[line], offset),
	}
}

// LineAt returns the line of a byte offset.
func (s *Source) LineAt(offset int) int {
	_, line := s.find(offset)
	return line + 1
}

// Line returns the text of a line, counted from 1, without its line end.
func (s *Source) Line(n int) string {
	s.once.Do(s.index)
	if n < 1 || n > len(s.lines) {
		return ""
	}
	start, end := s.bounds(n - 1)
	return string(s.Data[start:end])
}

// Excerpt returns the line at an offset without its line end, and 0. Of a long
// line it returns what stands near the offset, and the number of characters of
// the line that stand before that.
func (s *Source) Excerpt(offset int) (text string, skipped int) {
	offset, line := s.find(offset)
	start, end := s.bounds(line)
	if end-start <= 2*excerptSide {
		return string(s.Data[start:end]), 0
	}
	from, to := max(start, min(offset, end)-excerptSide), min(end, offset+excerptSide)
	// To whole characters; a longer run of continuation bytes belongs to none.
	for n := 1; n < utf8.UTFMax && from > start && !utf8.RuneStart(s.Data[from]); n++ {
		from--
	}
	for n := 1; n < utf8.UTFMax && to < end && !utf8.RuneStart(s.Data[to]); n++ {
		to++
	}
	return string(s.Data[from:to]), s.characters(start, from)
}

// find returns an offset within the text and the number of its line, from 0.
func (s *Source) find(offset int) (int, int) {
	s.once.Do(s.index)
	offset = max(s.Start, min(offset, len(s.Data)))
	return offset, sort.SearchInts(s.lines, offset+1) - 1
}

// bounds returns where a line, counted from 0, begins and ends.
func (s *Source) bounds(line int) (start, end int) {
	start, end = s.lines[line], len(s.Data)
	if line+1 < len(s.lines) {
		end = s.lines[line+1] - 1
	}
	if end > start && s.Data[end-1] == '\r' {
		end--
	}
	return start, end
}

// characters counts the characters between two offsets.
func (s *Source) characters(from, to int) int {
	if to-from <= countStep {
		return utf8.RuneCount(s.Data[from:to])
	}
	s.countOnce.Do(s.count)
	return s.before(to) - s.before(from)
}

func (s *Source) count() {
	s.counts = make([]int, 1+len(s.Data)/countStep)
	for i := 1; i < len(s.counts); i++ {
		s.counts[i] = s.counts[i-1] + runeStarts(s.Data[(i-1)*countStep:i*countStep])
	}
}

// before counts the characters of Data before an offset.
func (s *Source) before(offset int) int {
	step := offset / countStep
	return s.counts[step] + runeStarts(s.Data[step*countStep:offset])
}

// runeStarts counts characters so that the counts of two halves add up, also
// where a character is cut in two.
func runeStarts(b []byte) int {
	n := 0
	for _, c := range b {
		if utf8.RuneStart(c) {
			n++
		}
	}
	return n
}
