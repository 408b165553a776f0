package datalog

// Cut makes workers take n rows at a time and hold back no more, so that small
// tests go the ways of large ones.
func (p *Program) Cut(n int) { p.chunk, p.maxPending = n, n }
