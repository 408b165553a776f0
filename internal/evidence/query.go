package evidence

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"plancheck/internal/costs"
	"plancheck/internal/poly"
	"plancheck/ir"
	"plancheck/ir/evidence"
	"plancheck/ir/portable"
)

// Error is a plan that cannot be bound at all.
type Error struct {
	Code    string // scalar-symbolic-unbound or scalar-out-of-range
	Subject string // the task or the buffer
	Message string
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Subject, e.Message) }

// reader reads numbers of a portable plan, after its symbols have their values.
type reader struct {
	plan    *portable.Plan
	values  map[string]int64
	buffers map[string]*portable.Buffer
}

func newReader(p *portable.Plan) *reader {
	r := &reader{p, p.Values(), map[string]*portable.Buffer{}}
	for i := range p.Buffers {
		r.buffers[p.Buffers[i].ID] = &p.Buffers[i]
	}
	return r
}

// number returns what a quantity of an entity is.
func (r *reader) number(subject, what string, p poly.Poly) (int64, error) {
	bound, err := p.Bind(r.values)
	if err != nil {
		return 0, &Error{"scalar-out-of-range", subject, fmt.Sprintf("%s is %s: %v", what, p, err)}
	}
	n, ok := bound.Int()
	if !ok {
		return 0, &Error{"scalar-symbolic-unbound", subject, fmt.Sprintf("%s is %s, and %s has no value", what, p, strings.Join(bound.Symbols(), ", "))}
	}
	if n < 0 {
		return 0, &Error{"scalar-out-of-range", subject, fmt.Sprintf("%s is %d", what, n)}
	}
	return n, nil
}

// query is what a task asks.
func (r *reader) query(t *portable.Task) (evidence.Query, error) {
	q := evidence.Query{Capabilities: t.Needs, DType: r.dtype(t), Participants: max(1, int64(len(t.Ranks)))}
	if len(q.Capabilities) == 0 {
		q.Capabilities = []string{t.Op}
	}
	var err error
	if q.Dims, err = r.dims(t); err != nil {
		return q, err
	}
	for _, x := range []struct {
		to   *int64
		what string
		from poly.Poly
	}{
		{&q.Operations, "operations", t.Work.Operations}, {&q.Read, "read_bytes", t.Work.Read},
		{&q.Write, "write_bytes", t.Work.Write}, {&q.Message, "message_bytes", t.Work.Message},
	} {
		if *x.to, err = r.number("task "+t.ID, x.what, x.from); err != nil {
			return q, err
		}
	}
	return q, nil
}

// dtype is the data type of what a task reads, or writes if it reads nothing.
func (r *reader) dtype(t *portable.Task) string {
	for _, id := range slices.Concat(t.Inputs, t.Outputs) {
		if b := r.buffers[id]; b != nil {
			return b.DType
		}
	}
	return ""
}

// dims are the sizes that the task is about.
func (r *reader) dims(t *portable.Task) ([]int64, error) {
	return costs.Dims(t, func(id string) ([]int64, error) {
		b := r.buffers[id]
		if b == nil {
			return nil, nil
		}
		var shape []int64
		for _, size := range b.Shape {
			n, err := r.number("buffer "+id, "a size", size)
			if err != nil {
				return nil, err
			}
			shape = append(shape, n)
		}
		return shape, nil
	})
}

// requirements are what the plan asks of a deployment of a family. On a device of a
// queue target is all of a rank; on a core of a spatial one at least a task at a time.
func (r *reader) requirements(family string) (evidence.Requirements, error) {
	req := evidence.Requirements{Devices: 1, Widest: 1}
	standing := map[int64]int64{} // bytes that live all the time, by rank
	most := map[int64]int64{}     // the most that one task needs beside them
	ranks, highest := map[int64]bool{}, int64(0)
	for i := range r.plan.Buffers {
		b := &r.plan.Buffers[i]
		ranks[b.Rank] = true
		if !stands(b) || family == ir.FamilySpatial {
			continue
		}
		n, err := r.number("buffer "+b.ID, "size_bytes", b.Size)
		if err != nil {
			return req, err
		}
		if standing[b.Rank] += n; standing[b.Rank] < 0 {
			return req, &Error{"scalar-out-of-range", "buffer " + b.ID, "the buffers of its rank have more bytes than 64 bits can count"}
		}
	}
	for i := range r.plan.Tasks {
		t := &r.plan.Tasks[i]
		req.Widest = max(req.Widest, int64(len(t.Ranks)))
		workspace, err := r.number("task "+t.ID, "temporary_bytes", t.Work.Workspace)
		if err != nil {
			return req, err
		}
		needs := map[int64]int64{}
		for _, rank := range t.Ranks {
			ranks[rank] = true
			needs[rank] = workspace
		}
		touched := slices.Concat(t.Inputs, t.Outputs)
		slices.Sort(touched)
		for _, id := range slices.Compact(touched) {
			b := r.buffers[id]
			if b == nil || stands(b) && family != ir.FamilySpatial {
				continue
			}
			n, err := r.number("buffer "+id, "size_bytes", b.Size)
			if err != nil {
				return req, err
			}
			if needs[b.Rank] += n; needs[b.Rank] < 0 {
				return req, &Error{"scalar-out-of-range", "task " + t.ID, "its buffers have more bytes than 64 bits can count"}
			}
		}
		for rank, n := range needs {
			most[rank] = max(most[rank], n)
		}
	}
	for rank := range ranks {
		highest = max(highest, rank)
	}
	if req.Devices = highest + 1; req.Devices < 1 {
		return req, &Error{"scalar-out-of-range", "the plan", "its highest rank leaves no number for how many there are"}
	}
	for _, rank := range slices.Sorted(maps.Keys(ranks)) {
		total := standing[rank] + most[rank]
		if total < 0 {
			return req, &Error{"scalar-out-of-range", "the plan", "its buffers have more bytes than 64 bits can count"}
		}
		req.Bytes = max(req.Bytes, total)
	}
	return req, nil
}

// stands says that a buffer lives from the first command to the last.
func stands(b *portable.Buffer) bool {
	return b.Role == "constant" || b.Role == "state" || b.Storage == "persistent"
}
