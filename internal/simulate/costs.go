package simulate

import (
	"fmt"

	"plancheck/internal/costs"
	"plancheck/internal/record"
	"plancheck/ir"
	"plancheck/ir/evidence"
	"plancheck/ir/levels"
	"plancheck/ir/timeline"
)

// Costs are how long the commands of a plan take, and why.
type Costs struct {
	Schema, Digest string // of the document that they are from
	// Durations are by command, in picoseconds.
	Durations []int64
	// Resolutions are the different costs, in the order of the first command that
	// has each.
	Resolutions []timeline.Cost

	index []int32 // of each command: its place in Resolutions; -1 for none
}

// of returns the id of the resolution of a command, "" for none.
func (c *Costs) of(command int) string {
	if i := c.index[command]; i >= 0 {
		return c.Resolutions[i].ID
	}
	return ""
}

// timeless says that commands of a kind take no time: they only order others.
func timeless(kind string) bool {
	return kind == ir.KindSignal || kind == ir.KindWait || kind == ir.KindBarrier
}

// Unknown is the error of commands whose durations are not known.
type Unknown struct{ Commands []UnknownCost }

// UnknownCost is a command whose duration is not known.
type UnknownCost struct {
	Command int32  // its place in the program
	Code    string // evidence-missing, evidence-ambiguous or evidence-out-of-range
	Why     string // the command and what is missing or in the way
}

func (u *Unknown) Error() string {
	if more := len(u.Commands) - 1; more > 0 {
		return fmt.Sprintf("%s; and %d more", u.Commands[0].Why, more)
	}
	return u.Commands[0].Why
}

// answer is a cost, or why there is none. One without either is not known, and
// need not be.
type answer struct {
	cost      *timeline.Cost
	code, why string
}

// resolve asks for the cost of each command.
func resolve(plan *ir.Plan, schema, digest string, cost func(*ir.Command) answer) (*Costs, error) {
	commands := plan.Program.Commands
	costs := &Costs{Schema: schema, Digest: digest, Durations: make([]int64, len(commands)), index: make([]int32, len(commands))}
	var unknown []UnknownCost
	places := map[string]int32{}
	for i := range commands {
		costs.index[i] = -1
		a := cost(&commands[i])
		switch {
		case a.why != "":
			unknown = append(unknown, UnknownCost{int32(i), a.code, fmt.Sprintf("command %s: %s", plan.Text(commands[i].ID), a.why)})
			continue
		case a.cost == nil:
			continue
		}
		at, there := places[a.cost.ID]
		if !there {
			at = int32(len(costs.Resolutions))
			places[a.cost.ID] = at
			costs.Resolutions = append(costs.Resolutions, *a.cost)
		}
		costs.index[i], costs.Durations[i] = at, a.cost.Duration
	}
	if unknown != nil {
		return nil, &Unknown{unknown}
	}
	return costs, nil
}

// withID gives a cost its digest as its id.
func withID(c timeline.Cost) *timeline.Cost {
	c.ID = record.Digest(timeline.Schema+"#cost", &c, "id")
	return &c
}

// FromTable takes the costs of a plan's commands from a table. The error is an
// *Unknown where some are not in it.
func FromTable(plan *ir.Plan, t *Table) (*Costs, error) {
	of := make(map[string]int64, len(t.Durations))
	for _, d := range t.Durations {
		of[d.Command] = d.Picoseconds
	}
	digest := record.Digest(TableSchema, t)
	costs, err := resolve(plan, TableSchema, digest, func(c *ir.Command) answer {
		id := plan.Text(c.ID)
		takes, there := of[id]
		delete(of, id)
		switch {
		case there:
			return answer{cost: withID(timeline.Cost{Duration: takes, Source: digest, Records: []string{id}, Numerator: 1, Denominator: 1})}
		case timeless(c.Kind):
			return answer{}
		}
		return answer{code: "evidence-missing", why: "the table has no duration of it"}
	})
	if err != nil {
		return nil, err
	}
	for _, d := range t.Durations {
		if _, left := of[d.Command]; left {
			return nil, fmt.Errorf("the table has a duration of %s, which is no command of the plan", d.Command)
		}
	}
	return costs, nil
}

// FromEvidence takes the costs of a plan's commands from records. A record is of
// a command if its op, or its implementation, is the command's op (where that has
// none, its kind), and every other selector that it has agrees with what the
// command says: bytes with its bytes, participants with the number of ranks of
// its group. A command says nothing of data types and dimensions, so that records
// with these are of no command.
//
// The most specific records win, those with the most selectors: of repeated ones,
// that agree in all selectors and in the method, the median, of an even number the
// mean of the middle two, a half rounded down. Records of equal rank that do not
// agree are ambiguous, and a command without a record has no cost: both are an
// *Unknown. The factor of the evidence for the group of the records, as
// evidence.Evidence.Factor has it, multiplies the result.
func FromEvidence(plan *ir.Plan, e *evidence.Evidence) (*Costs, error) {
	r := &resolver{plan: plan, digest: levels.Digest(e), records: map[string][]*evidence.Sample{}, evidence: e, known: map[query]answer{}, ranks: map[ir.ID]int64{}}
	for i := range e.Records {
		s := &e.Records[i]
		r.records[s.Op] = append(r.records[s.Op], s)
		if s.Implementation != "" && s.Implementation != s.Op {
			r.records[s.Implementation] = append(r.records[s.Implementation], s)
		}
	}
	type group struct {
		name, dtype          string
		bucket, participants int64
	}
	seen := map[group]bool{}
	for _, f := range e.Factors {
		g := group{f.Group, f.DType, f.Bucket, f.Participants}
		if seen[g] {
			return nil, fmt.Errorf("the evidence has two factors of group %s", f.Group)
		}
		seen[g] = true
	}
	for _, g := range plan.Program.Groups {
		r.ranks[g.ID] = int64(len(g.Ranks))
	}
	return resolve(plan, evidence.EvidenceSchema, r.digest, r.cost)
}

// resolver finds costs in evidence.
type resolver struct {
	plan     *ir.Plan
	digest   string
	records  map[string][]*evidence.Sample
	evidence *evidence.Evidence
	ranks    map[ir.ID]int64 // how many a group has
	known    map[query]answer
}

// query is what a command says about its cost; absent numbers are -1.
type query struct {
	what                string
	bytes, participants int64
}

func (r *resolver) cost(c *ir.Command) answer {
	q := query{c.Op, c.Bytes, -1}
	if q.what == "" {
		q.what = c.Kind
	}
	if n, there := r.ranks[c.Group]; there {
		q.participants = n
	}
	a, known := r.known[q]
	if !known {
		a = r.ask(q)
		r.known[q] = a
	}
	if a.cost == nil && a.why == "" && !timeless(c.Kind) {
		return answer{code: "evidence-missing", why: fmt.Sprintf("the evidence has no record of %s", q)}
	}
	return a
}

// String says what is asked.
func (q query) String() string {
	s := q.what
	if q.bytes >= 0 {
		s += fmt.Sprintf(", bytes %d", q.bytes)
	}
	if q.participants >= 0 {
		s += fmt.Sprintf(", participants %d", q.participants)
	}
	return s
}

func (r *resolver) ask(q query) answer {
	var best []*evidence.Sample
	most := -1
	for _, s := range r.records[q.what] {
		switch n := specificity(s, q); {
		case n > most:
			best, most = []*evidence.Sample{s}, n
		case n == most && n >= 0:
			best = append(best, s)
		}
	}
	if len(best) == 0 {
		return answer{}
	}
	first := best[0]
	var ids []string
	for _, s := range best {
		if s.Op != first.Op || s.Implementation != first.Implementation || s.Method != first.Method || s.Bytes != first.Bytes || s.Participants != first.Participants {
			return answer{code: "evidence-ambiguous", why: fmt.Sprintf("records %s and %s of the evidence are both of it, and neither is more specific", first.ID, s.ID)}
		}
		ids = append(ids, s.ID)
	}
	takes, by, err := costs.OfRecords(r.evidence, best)
	if err != nil {
		return answer{code: "evidence-out-of-range", why: fmt.Sprintf("the median of its records by the factor %d / %d %v", by.Numerator, by.Denominator, err)}
	}
	c := timeline.Cost{Duration: takes, Source: r.digest, Records: ids, Numerator: by.Numerator, Denominator: by.Denominator}
	return answer{cost: withID(c)}
}

// specificity counts the selectors of a record that agree with a query; -1 where
// one does not.
func specificity(s *evidence.Sample, q query) int {
	if s.DType != "" || len(s.Dims) > 0 || s.Bytes >= 0 && s.Bytes != q.bytes || s.Participants >= 0 && s.Participants != q.participants {
		return -1
	}
	n := 0
	for _, there := range []bool{s.Implementation == q.what, s.Bytes >= 0, s.Participants >= 0} {
		if there {
			n++
		}
	}
	return n
}
