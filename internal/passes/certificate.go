package passes

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"plancheck/encode"
	"plancheck/internal/search/partition"
	"plancheck/internal/search/schedule"
)

// CertificateSchema names the document of a certificate.
const CertificateSchema = "plancheck.certificate/1"

// Files of a certificate.
const (
	CertificateFile = "certificate.json"
	FormulaFile     = "bound.cnf"
)

// certificate says in the words of the plan why no plan has an interval of Limit
// or less. Every clause of the formula that is not about stages, edges and
// ranges alone is listed with its members and their sum.
type certificate struct {
	Schema string `json:"schema"`
	Plan   string `json:"plan,omitempty"`
	Claim  string `json:"claim"`
	Limit  int64  `json:"limit_cycles"`
	// Kind is sum, stages or schedule.
	Kind    string `json:"kind"`
	Sum     *sum   `json:"sum,omitempty"`
	Formula string `json:"formula,omitempty"`
	Clauses []any  `json:"clauses,omitempty"`
}

type sum struct {
	Ops      []amount  `json:"ops"`
	Forwards []carried `json:"forwards,omitempty"`
	Cycles   int64     `json:"cycles"`
	Cores    int64     `json:"cores"`
}

// amount is an op, or a lane or part of one, and what it counts.
type amount struct {
	Op     string `json:"op"`
	Lane   *int   `json:"lane,omitempty"`
	Part   *int   `json:"part,omitempty"`
	Cycles *int64 `json:"cycles,omitempty"`
}

type carried struct {
	Value  string `json:"value"`
	Stages int    `json:"stages,omitempty"`
	Stage  *int   `json:"stage,omitempty"`
	Lane   *int   `json:"lane,omitempty"`
	Cycles int64  `json:"cycles"`
}

// stageClause is a partition.Cover in the words of the plan.
type stageClause struct {
	FirstStage int       `json:"first_stage"`
	LastStage  int       `json:"last_stage"`
	From       []string  `json:"in_first_stage_or_later,omitempty"`
	To         []string  `json:"in_last_stage_or_earlier,omitempty"`
	Before     []string  `json:"before_first_stage,omitempty"`
	After      []string  `json:"after_last_stage,omitempty"`
	Members    []amount  `json:"forced_ops"`
	Forwards   []carried `json:"forced_forwards,omitempty"`
	Unit       string    `json:"unit"`
	Sum        int64     `json:"sum"`
	Cores      int64     `json:"cores_needed"`
}

// coreClause is a schedule.Cover in the words of the plan.
type coreClause struct {
	Capacity int64     `json:"core_capacity_bytes,omitempty"`
	Kind     int       `json:"core_kind,omitempty"`
	Members  []amount  `json:"on_one_core"`
	Forwards []carried `json:"forwards_on_it,omitempty"`
	Without  []amount  `json:"not_on_it,omitempty"`
	Unit     string    `json:"unit"`
	Sum      int64     `json:"sum"`
}

// Certify writes why no plan has a smaller interval than the bound: a document
// and, unless a sum says it all, a formula in DIMACS format that is
// unsatisfiable. An error that wraps schedule.ErrNoProof means that there is no
// certificate; the bound holds nevertheless.
func (out *Outcome) Certify(ctx context.Context, write func(name string, data []byte) error) error {
	p, m := out.Model.Problem, out.Model
	proof, err := schedule.Prove(ctx, p, &out.Result)
	if err != nil {
		return err
	}
	c := certificate{
		Schema: CertificateSchema, Limit: proof.Limit,
		Claim: fmt.Sprintf("no plan that keeps what is decided has an interval of %d cycles or less", proof.Limit),
	}
	if out.Plan != nil {
		c.Plan = out.Plan.Name
	}
	switch {
	case proof.Sum != nil:
		c.Kind, c.Sum = "sum", words{m}.sum(proof.Sum)
	case proof.Stages != nil:
		c.Kind, c.Formula = "stages", FormulaFile
		for i := range proof.Stages.Covers {
			c.Clauses = append(c.Clauses, words{m}.stageClause(&proof.Stages.Covers[i], proof))
		}
	default:
		c.Kind, c.Formula = "schedule", FormulaFile
		for i := range proof.Whole.Covers {
			c.Clauses = append(c.Clauses, words{m}.coreClause(&proof.Whole.Covers[i]))
		}
	}
	if c.Formula != "" {
		var formula bytes.Buffer
		if err := proof.WriteDIMACS(&formula, p); err != nil {
			return err
		}
		if err := write(FormulaFile, formula.Bytes()); err != nil {
			return err
		}
	}
	text, err := c.text()
	if err != nil {
		return err
	}
	return write(CertificateFile, text)
}

// text is the document, a clause a line.
func (c *certificate) text() ([]byte, error) {
	clauses := c.Clauses
	head := *c
	head.Clauses = nil
	text, err := json.MarshalIndent(head, "", " ")
	if err != nil || len(clauses) == 0 {
		return append(text, '\n'), err
	}
	out := bytes.NewBuffer(bytes.TrimSuffix(text, []byte("\n}")))
	for i, clause := range clauses {
		line, err := json.Marshal(clause)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			out.WriteString(",\n \"clauses\": [")
		} else {
			out.WriteString(",")
		}
		out.WriteString("\n  ")
		out.Write(line)
	}
	out.WriteString("]\n}\n")
	return out.Bytes(), nil
}

// words puts numbers of a problem in the words of its plan.
type words struct{ m *encode.Model }

// work is that of an op over all its lanes, on the fastest kind of core.
func (w words) work(o int) *int64 {
	work := int64(w.m.Problem.Ops[o].Shares()) * w.share(o)
	return &work
}

func (w words) share(o int) int64 { return slices.Min(w.m.Problem.Ops[o].Cycles) }

// forward is the work of a forward of a value over all its lanes.
func (w words) forward(v int) int64 {
	value := &w.m.Problem.Values[v]
	return int64(value.Forward) * slices.Min(value.Cycles)
}

func (w words) sum(s *schedule.Sum) *sum {
	out := &sum{Cycles: s.Total, Cores: s.Cores}
	for _, o := range s.Ops {
		a := amount{Op: w.m.OpName(o), Cycles: w.work(o)}
		if s.Share {
			lane, cycles := 0, w.share(o)
			a.Lane, a.Cycles = &lane, &cycles
		}
		out.Ops = append(out.Ops, a)
	}
	for _, c := range s.Carried {
		out.Forwards = append(out.Forwards, carried{Value: w.m.ValueName(c.Value), Stages: c.Stages, Cycles: w.forward(c.Value)})
	}
	return out
}

func (w words) stageClause(c *partition.Cover, proof *schedule.Proof) stageClause {
	out := stageClause{FirstStage: c.First, LastStage: c.Last, Unit: unit(c.Memory), Sum: c.Sum, Cores: c.Cores}
	n := len(w.m.Problem.Ops)
	ours := func(list []int) (names []string) {
		for _, o := range list {
			if o < n {
				names = append(names, w.m.OpName(o))
			} else {
				names = append(names, w.m.ValueName(proof.ValueOf[[2]int{o, 0}]))
			}
		}
		return names
	}
	out.From, out.To, out.Before, out.After = ours(c.From), ours(c.To), ours(c.Before), ours(c.After)
	for _, o := range c.Ops {
		a := amount{Op: w.m.OpName(o)}
		if !c.Memory {
			a.Cycles = w.work(o)
		}
		out.Members = append(out.Members, a)
	}
	carry := func(op, number int) {
		v := proof.ValueOf[[2]int{op, number}]
		out.Forwards = append(out.Forwards, carried{Value: w.m.ValueName(v), Cycles: w.forward(v)})
	}
	for _, o := range c.Carried {
		carry(o, 0)
	}
	for _, i := range c.Values {
		carry(proof.Relaxed.Values[i].Op, i+1)
	}
	return out
}

func (w words) coreClause(c *schedule.Cover) coreClause {
	out := coreClause{
		Unit: unit(c.Memory), Sum: c.Sum, Capacity: max(c.Core.Capacity, 0), Kind: c.Core.Kind,
		Without: w.shares(c.Without),
	}
	ops := slices.DeleteFunc(slices.Clone(c.Members), func(m schedule.Member) bool { return m.Op == schedule.Free })
	out.Members = w.shares(ops)
	if !c.Memory {
		for i, m := range ops {
			out.Members[i].Cycles = &w.m.Problem.Ops[m.Op].Cycles[c.Core.Kind]
		}
	}
	for _, m := range c.Members {
		if m.Op == schedule.Free {
			out.Forwards = append(out.Forwards, carried{
				Value: w.m.ValueName(m.Value), Stage: &m.Stage, Lane: &m.Lane, Cycles: w.m.Problem.Values[m.Value].Cycles[c.Core.Kind],
			})
		}
	}
	return out
}

// shares names shares of ops.
func (w words) shares(list []schedule.Member) []amount {
	var shares []amount
	for _, m := range list {
		parts := w.m.Problem.Ops[m.Op].Parts
		lane, part := m.Share/parts, m.Share%parts
		a := amount{Op: w.m.OpName(m.Op), Lane: &lane}
		if parts > 1 {
			a.Part = &part
		}
		shares = append(shares, a)
	}
	return shares
}

func unit(memory bool) string {
	if memory {
		return "bytes"
	}
	return "cycles"
}
