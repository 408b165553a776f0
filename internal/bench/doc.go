// Package bench makes large plans for benchmarks: legal ones of any size, and
// the same with one fault. Its commands are genplan, which writes such a plan,
// verifier, a hand-written checker to measure against, and compare, which
// times both as whole processes; and for plans with programs genprogram, which
// writes one, and program, which times plancheck on them.
package bench
