// Package tensor holds tensors of floating-point numbers: in memory as 64-bit
// numbers, in arenas of bytes in the data type of a document, and in files of
// inputs and outputs.
package tensor
