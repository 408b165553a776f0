package execute

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"slices"

	"plancheck/internal/tensor"
	"plancheck/ir/machine"
)

// Memory is the arenas of a program: each as long as it is used.
type Memory struct {
	arenas map[string][]byte
	ports  []machine.Port
}

// largestMemory bounds all arenas together, in bytes.
const largestMemory = 4 << 30

// newMemory makes the arenas of a program, filled with zeros and its data.
func newMemory(p *machine.Program) (*Memory, error) {
	m := &Memory{arenas: map[string][]byte{}, ports: p.Ports}
	size, used := map[string]int64{}, map[string]int64{}
	for _, a := range p.Arenas {
		size[a.ID] = a.Bytes
	}
	var total int64
	use := func(arena string, offset, n int64) error {
		bytes, known := size[arena]
		if !known {
			return fmt.Errorf("there is no arena %s", arena)
		}
		if offset < 0 || n < 0 || n > bytes || offset > bytes-n {
			return fmt.Errorf("%d bytes from byte %d on lie outside arena %s of %d bytes", n, offset, arena, bytes)
		}
		if grows := offset + n - used[arena]; grows > 0 {
			if grows > largestMemory-total {
				return fmt.Errorf("the program uses more than %d bytes of memory", int64(largestMemory))
			}
			used[arena], total = offset+n, total+grows
		}
		return nil
	}
	for _, x := range p.Ports {
		if err := use(x.Arena, x.Offset, x.Bytes); err != nil {
			return nil, fmt.Errorf("port of value %s: %w", x.Value, err)
		}
	}
	blobs := map[machine.Blob][]byte{}
	for _, s := range p.Sections {
		for _, b := range s.Blobs {
			data, err := hex.DecodeString(b.Hex)
			if err == nil {
				err = use(b.Arena, b.Offset, int64(len(data)))
			}
			if err != nil {
				return nil, fmt.Errorf("data of section %s: %w", s.ID, err)
			}
			blobs[b] = data
		}
		for i := range s.Instructions {
			x := &s.Instructions[i]
			for _, o := range x.Operands {
				if err := use(o.Arena, o.Offset, o.Bytes); err != nil {
					return nil, &Error{x.ID, x.Command, err}
				}
			}
		}
	}
	for arena, n := range used {
		m.arenas[arena] = make([]byte, n)
	}
	for _, s := range p.Sections {
		for _, b := range s.Blobs {
			copy(m.arenas[b.Arena][b.Offset:], blobs[b])
		}
	}
	return m, nil
}

// of is the memory of an operand.
func (m *Memory) of(o *machine.Operand) []byte {
	end := o.Offset + o.Bytes
	return m.arenas[o.Arena][o.Offset:end:end]
}

func (m *Memory) ofPort(p *machine.Port) []byte {
	end := p.Offset + p.Bytes
	return m.arenas[p.Arena][p.Offset:end:end]
}

// set writes the shards of the inputs where the ports say.
func (m *Memory) set(p *machine.Program, inputs map[string]*tensor.Tensor) error {
	for i := range p.Ports {
		x := &p.Ports[i]
		if x.Direction != machine.Input {
			continue
		}
		whole := inputs[x.Value]
		if whole == nil {
			return fmt.Errorf("the program reads value %s, which is not given", x.Value)
		}
		if !slices.Equal(whole.Shape, x.Whole) {
			return fmt.Errorf("value %s is given with shape %v, and the program reads it with shape %v", x.Value, whole.Shape, x.Whole)
		}
		part, err := whole.Part(x.First, x.Shape)
		if err == nil {
			err = tensor.Store(x.DType, m.ofPort(x), part.Data)
		}
		if err != nil {
			return fmt.Errorf("value %s on rank %d: %w", x.Value, x.Rank, err)
		}
	}
	return nil
}

// Outputs returns the values that the output ports of the program hold, and their
// ids in the order of the ports. Ranks that have the same shard must have the
// same bytes.
func (m *Memory) Outputs() (ids []string, of map[string]*tensor.Tensor, err error) {
	of = map[string]*tensor.Tensor{}
	held := map[string]int64{} // elements of each value
	for i := range m.ports {
		x := &m.ports[i]
		if x.Direction != machine.Output {
			continue
		}
		if of[x.Value] == nil {
			if of[x.Value], err = tensor.New(x.Whole); err != nil {
				return nil, nil, fmt.Errorf("value %s: %w", x.Value, err)
			}
			ids = append(ids, x.Value)
		}
		n, err := m.output(i, of[x.Value])
		if err != nil {
			return nil, nil, fmt.Errorf("value %s on rank %d: %w", x.Value, x.Rank, err)
		}
		held[x.Value] += n
	}
	for _, id := range ids {
		if n := int64(len(of[id].Data)); held[id] != n {
			return nil, nil, fmt.Errorf("value %s has %d elements, and the program holds %d of them", id, n, held[id])
		}
	}
	return ids, of, nil
}

// output puts the shard of a port in its place. It returns how many elements
// that are, or 0 where another port holds the same ones.
func (m *Memory) output(i int, whole *tensor.Tensor) (int64, error) {
	x := &m.ports[i]
	for _, before := range m.ports[:i] {
		if before.Direction != machine.Output || before.Value != x.Value || !slices.Equal(before.First, x.First) || !slices.Equal(before.Shape, x.Shape) {
			continue
		}
		if !bytes.Equal(m.ofPort(&before), m.ofPort(x)) {
			return 0, fmt.Errorf("its shard differs from that of rank %d, which is to be the same", before.Rank)
		}
		return 0, nil
	}
	part, err := tensor.New(x.Shape)
	if err != nil {
		return 0, err
	}
	n := int64(len(part.Data))
	if part.Data, err = tensor.Load(x.DType, m.ofPort(x), n); err != nil {
		return 0, err
	}
	return n, whole.SetPart(x.First, part)
}

// Bytes returns a copy of some bytes of an arena.
func (m *Memory) Bytes(arena string, offset, n int64) ([]byte, error) {
	a := m.arenas[arena]
	if offset < 0 || n < 0 || n > int64(len(a)) || offset > int64(len(a))-n {
		return nil, fmt.Errorf("the program does not use bytes %d to %d of arena %s", offset, offset+n, arena)
	}
	return bytes.Clone(a[offset : offset+n]), nil
}
