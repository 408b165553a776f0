package programtest

import (
	"fmt"
	"math/big"

	"plancheck/ir"
)

// layout tells which buffers, and slots of channels, do not lie as their regions
// ask for. It counts in big numbers, in which nothing overflows.
func layout(p *ir.Program) (faults []Fault) {
	n := big.NewInt
	for _, r := range p.Regions {
		left := n(0).Sub(n(r.Capacity), n(r.Reserved))
		for k, c := range p.Channels {
			if c.Region != r.ID {
				continue
			}
			slots := n(0).Mul(n(c.Depth), n(c.Slot))
			if slots.Cmp(n(r.Capacity)) > 0 {
				faults = append(faults, Fault{Code: "region-capacity-exceeded", Places: []string{fmt.Sprintf("/program/channels/%d", k)}})
				continue
			}
			left.Sub(left, slots)
		}
		for k, b := range p.Buffers {
			if b.Region != r.ID {
				continue
			}
			end := n(0).Add(n(b.Offset), n(b.Size))
			switch {
			case end.Cmp(n(r.Capacity)) > 0:
				faults = append(faults, Fault{Code: "buffer-out-of-bounds", Places: []string{bufferAt(k)}})
			case end.Cmp(left) > 0:
				faults = append(faults, Fault{Code: "region-capacity-exceeded", Places: []string{bufferAt(k)}})
			}
			if b.Offset%max(b.Alignment, r.Alignment) != 0 {
				faults = append(faults, Fault{Code: "buffer-misaligned", Places: []string{bufferAt(k)}})
			}
		}
	}
	return faults
}
