package diag

import (
	"bytes"
	"errors"
	"hash/crc32"
	"sort"
	"sync"
	"unicode/utf8"
)

// Source is the text of a file and the way from byte offsets to lines.
type Source struct {
	Name string // as the user wrote it; "-" is standard input
	// Start is the offset of the first character that counts: behind a byte-order mark.
	Start int

	origin *Source // of a document that stands in another form in the file; nil otherwise
	place  func(offset int) int

	data   []byte // nil while released
	reread func() ([]byte, error)
	sum    uint32 // of data, once released
	err    error

	once  sync.Once
	lines []int // offset of the first byte of each line

	countOnce sync.Once
	counts    []int // characters before the boundary at byte 0, countStep, 2*countStep, ... of Data
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
	s := &Source{Name: name, data: data}
	if bytes.HasPrefix(data, []byte("\xef\xbb\xbf")) {
		s.Start = 3
	}
	return s
}

// Derived is a document that the file says in another form. Offsets are those of
// the document; the lines and columns of what is said about it are those of the
// file, where place finds what is at an offset.
func (s *Source) Derived(document []byte, place func(offset int) int) *Source {
	return &Source{Name: s.Name, data: document, origin: s, place: place}
}

// Origin returns the file that says the document in another form; nil where the
// document is the file.
func (s *Source) Origin() *Source { return s.origin }

// Release gives the memory of the text back. Where the text is needed again,
// to show where a finding is, it is read once more by the given function and
// must be what it was.
func (s *Source) Release(reread func() ([]byte, error)) {
	if s.origin != nil {
		return // what would be read again is not the document
	}
	s.sum = crc32.Checksum(s.data, castagnoli)
	s.data, s.reread = nil, reread
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// Text returns the whole text. It is empty if the file could not be read again
// as it was; Err then says why.
func (s *Source) Text() []byte {
	if s.data == nil && s.reread != nil && s.err == nil {
		data, err := s.reread()
		switch {
		case err != nil:
			s.err = err
		case crc32.Checksum(data, castagnoli) != s.sum:
			s.err = errors.New("the file was changed while it was being judged")
		default:
			s.data = data
		}
	}
	return s.data
}

// Err says why the text could not be read again, if so.
func (s *Source) Err() error { return s.err }

func (s *Source) index() {
	s.lines = append(make([]int, 0, 1+bytes.Count(s.Text(), []byte{'\n'})), s.Start)
	for i := s.Start; ; {
		n := bytes.IndexByte(s.Text()[i:], '\n')
		if n < 0 {
			return
		}
		i += n + 1
		s.lines = append(s.lines, i)
	}
}

// Position returns the line and column of a byte offset; Pointer is left empty.
func (s *Source) Position(offset int) Position {
	if s.origin != nil {
		return s.origin.Position(s.place(offset))
	}
	offset, line := s.find(offset)
	return Position{
		File:   s.Name,
		Line:   line + 1,
		Column: 1 + s.characters(s.lines[line], offset),
	}
}

// LineAt returns the line of a byte offset, which is found faster than its column.
func (s *Source) LineAt(offset int) int {
	if s.origin != nil {
		return s.origin.LineAt(s.place(offset))
	}
	_, line := s.find(offset)
	return line + 1
}

// Line returns the text of a line, counted from 1, without its line end.
func (s *Source) Line(n int) string {
	if s.origin != nil {
		return s.origin.Line(n)
	}
	s.once.Do(s.index)
	if n < 1 || n > len(s.lines) {
		return ""
	}
	start, end := s.bounds(n - 1)
	return string(s.Text()[start:end])
}

// Excerpt returns the line at an offset without its line end, and 0. Of a long
// line it returns what stands near the offset, and the number of characters of
// the line that stand before that.
func (s *Source) Excerpt(offset int) (text string, skipped int) {
	if s.origin != nil {
		return s.origin.Excerpt(s.place(offset))
	}
	offset, line := s.find(offset)
	start, end := s.bounds(line)
	if end-start <= 2*excerptSide {
		return string(s.Text()[start:end]), 0
	}
	from, to := s.boundary(max(start, min(offset, end)-excerptSide)), s.boundary(min(end, offset+excerptSide))
	return string(s.Text()[from:to]), s.characters(start, from)
}

// find returns an offset within the text and the number of its line, from 0.
func (s *Source) find(offset int) (int, int) {
	s.once.Do(s.index)
	offset = max(s.Start, min(offset, len(s.Text())))
	return offset, sort.SearchInts(s.lines, offset+1) - 1
}

// bounds returns where a line, counted from 0, begins and ends.
func (s *Source) bounds(line int) (start, end int) {
	start, end = s.lines[line], len(s.Text())
	if line+1 < len(s.lines) {
		end = s.lines[line+1] - 1
	}
	if end > start && s.Text()[end-1] == '\r' {
		end--
	}
	return start, end
}

// characters counts the characters between two offsets.
func (s *Source) characters(from, to int) int {
	if to-from <= countStep {
		return utf8.RuneCount(s.Text()[from:to])
	}
	s.countOnce.Do(s.count)
	return s.before(to) - s.before(from)
}

func (s *Source) count() {
	s.counts = make([]int, 1+len(s.Text())/countStep)
	last := 0
	for i := 1; i < len(s.counts); i++ {
		next := s.boundary(i * countStep)
		s.counts[i] = s.counts[i-1] + utf8.RuneCount(s.Text()[last:next])
		last = next
	}
}

// before counts the characters of Data before an offset.
func (s *Source) before(offset int) int {
	step := offset / countStep
	return s.counts[step] + utf8.RuneCount(s.Text()[s.boundary(step*countStep):offset])
}

// boundary returns the offset, or the start of the character that it cuts in
// two. What is not valid UTF-8 can be cut anywhere.
func (s *Source) boundary(offset int) int {
	for i := offset - 1; i >= 0 && i > offset-utf8.UTFMax; i-- {
		if utf8.RuneStart(s.Text()[i]) {
			if _, n := utf8.DecodeRune(s.Text()[i:]); i+n > offset {
				return i
			}
			break
		}
	}
	return offset
}
