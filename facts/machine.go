package facts

import (
	"plancheck/internal/symbol"
	"plancheck/ir/machine"
	"plancheck/ir/portable"
	"plancheck/ir/task"
)

// machineRelations are what ports and operands of machine programs say besides
// where they lie. Neither has an id: a port is named by its place in the list, an
// operand by its instruction and its place there.
func machineRelations() []Relation {
	port := func(name string, more []Column, doc, says string, field string, entry bool, write func(w *writer, i int, p *machine.Port)) Relation {
		return Relation{
			Name: name, Cols: append([]Column{num("Index")}, more...), Section: "/ports", Doc: doc, Says: says, Distinct: true,
			rows: rows{field: field, entry: entry, schema: machine.Schema, write: func(e *exporter, w *writer) {
				m, ok := e.document.Body().(*machine.Program)
				if !ok {
					return
				}
				for i := range m.Ports {
					write(w, i, &m.Ports[i])
				}
			}},
		}
	}
	of := func(name, column, doc, says, field string, text func(p *machine.Port) string) Relation {
		return port(name, []Column{str(column)}, doc, says, field, false, func(w *writer, i int, p *machine.Port) {
			w.row(p.At, w.exporter.num(int64(i)), w.str(text(p)))
		})
	}
	sizes := func(name, column, doc, says, field string, list func(p *machine.Port) []int64) Relation {
		return port(name, []Column{num("Axis"), num(column)}, doc, says, field, true, func(w *writer, i int, p *machine.Port) {
			for axis, n := range list(p) {
				w.entry = int64(axis)
				w.row(p.At, w.exporter.num(int64(i)), w.exporter.num(int64(axis)), w.exporter.num(n))
			}
		})
	}
	return []Relation{
		of("machine_port_buffer", "Buffer", "The buffer of the plan that the port is.", "port {Index} is buffer {Buffer}", "source_buffer",
			func(p *machine.Port) string { return p.Buffer }),
		of("machine_port_source", "Value", "The value of the distributed model whose shard lies in the port.", "port {Index} has a shard of value {Value} of the tasks", "source_value",
			func(p *machine.Port) string { return p.Source }),
		of("machine_port_dtype", "DType", "The data type of the port's elements.", "port {Index} has elements of type {DType}", "dtype",
			func(p *machine.Port) string { return p.DType }),
		port("machine_port_rank", []Column{num("Rank")}, "The rank whose shard lies in the port.", "port {Index} is of rank {Rank}", "rank", false,
			func(w *writer, i int, p *machine.Port) {
				w.row(p.At, w.exporter.num(int64(i)), w.exporter.num(p.Rank))
			}),
		sizes("machine_port_dim", "Size", "The size of the port's shard along an axis.", "port {Index} has size {Size} along axis {Axis}", "shape",
			func(p *machine.Port) []int64 { return p.Shape }),
		sizes("machine_port_first", "First", "The index of the whole value along an axis at which the shard begins.", "port {Index} begins at index {First} along axis {Axis}", "first",
			func(p *machine.Port) []int64 { return p.First }),
		sizes("machine_port_whole", "Size", "The size of the whole value along an axis, as the port says.", "the value of port {Index} has size {Size} along axis {Axis}", "whole",
			func(p *machine.Port) []int64 { return p.Whole }),
		operands("machine_operand_dtype", []Column{str("DType")}, "The data type of an operand, where it is known.", "operand {Index} of instruction {Instruction} has elements of type {DType}", "dtype", false,
			func(w *writer, o *machine.Operand, id, index symbol.Value) {
				if o.DType != "" {
					w.row(o.At, id, index, w.str(o.DType))
				}
			}),
		operands("machine_operand_dim", []Column{num("Axis"), num("Size")}, "The size of an operand along an axis, where it is known.", "operand {Index} of instruction {Instruction} has size {Size} along axis {Axis}", "shape", true,
			func(w *writer, o *machine.Operand, id, index symbol.Value) {
				for axis, n := range o.Shape {
					w.entry = int64(axis)
					w.row(o.At, id, index, w.exporter.num(int64(axis)), w.exporter.num(n))
				}
			}),
		operands("machine_operand_workspace", nil, "The operand is neither an argument nor a result.", "operand {Index} of instruction {Instruction} is workspace", "workspace", false,
			func(w *writer, o *machine.Operand, id, index symbol.Value) {
				if o.Workspace {
					w.row(o.At, id, index)
				}
			}),
	}
}

// operands is a relation of the operands of instructions.
func operands(name string, more []Column, doc, says, field string, entry bool, write func(w *writer, o *machine.Operand, id, index symbol.Value)) Relation {
	return Relation{
		Name: name, Cols: append([]Column{str("Instruction"), num("Index")}, more...), Section: "/sections", Doc: doc, Says: says, Distinct: true,
		rows: rows{field: field, entry: entry, schema: machine.Schema, write: func(e *exporter, w *writer) {
			m, ok := e.document.Body().(*machine.Program)
			if !ok {
				return
			}
			for i := range m.Sections {
				for j := range m.Sections[i].Instructions {
					x := &m.Sections[i].Instructions[j]
					for k := range x.Operands {
						write(w, &x.Operands[k], w.str(x.ID), e.num(int64(k)))
					}
				}
			}
		}},
	}
}

// shapeRelations are what shapes are as numbers, and what buffers were made from,
// so that programs, which know numbers only, can be held against them.
func shapeRelations() []Relation {
	return []Relation{
		{"portable_buffer_source", []Column{str("Buffer"), str("Source")}, "/buffers", "The buffer of the portable plan was made from this entity of the tasks.",
			"buffer {Buffer} was made from {Source}", true, rows{schema: portable.Schema, write: func(e *exporter, w *writer) {
				p, ok := e.document.Body().(*portable.Plan)
				if !ok {
					return
				}
				for i := range p.Buffers {
					b := &p.Buffers[i]
					if b.Lineage == nil {
						continue
					}
					for _, source := range b.Lineage.Sources {
						w.row(b.At, w.str(b.ID), w.str(source))
					}
				}
			}}},
		{"portable_buffer_length", []Column{str("Buffer"), num("Axis"), num("Length")}, "/buffers", "How long a buffer is along an axis, where symbols that are in its size have values.",
			"buffer {Buffer} has length {Length} along axis {Axis}", true, rows{field: "shape", entry: true, schema: portable.Schema, write: func(e *exporter, w *writer) {
				p, ok := e.document.Body().(*portable.Plan)
				if !ok {
					return
				}
				values := p.Values()
				for i := range p.Buffers {
					b := &p.Buffers[i]
					for axis, size := range b.Shape {
						bound, err := size.Bind(values)
						if n, whole := bound.Int(); err == nil && whole {
							w.entry = int64(axis)
							w.row(b.At, w.str(b.ID), e.num(int64(axis)), e.num(n))
						}
					}
				}
			}}},
		{"task_value_local_length", []Column{str("Value"), num("Axis"), num("Length")}, "/values", "How long a shard of the value is along an axis, where no symbol is in that.",
			"a shard of value {Value} has length {Length} along axis {Axis}", true, rows{field: "local", entry: true, schema: task.Schema, write: func(e *exporter, w *writer) {
				d, ok := e.document.Body().(*task.Distributed)
				if !ok {
					return
				}
				for i := range d.Values {
					v := &d.Values[i]
					for axis, size := range v.Local {
						if n, whole := size.Int(); whole {
							w.entry = int64(axis)
							w.row(v.At, w.str(v.ID), e.num(int64(axis)), e.num(n))
						}
					}
				}
			}}},
	}
}
