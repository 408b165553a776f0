package evidence

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"plancheck/internal/costs"
	"plancheck/ir/evidence"
	"plancheck/ir/level"
)

// records gives costs by the records of an evidence revision.
type records struct {
	evidence *evidence.Evidence
	policy   *evidence.Policy
}

// known is what several records say of one thing: those that agree in all that
// they are about, of one source and method.
type known struct {
	samples  []*evidence.Sample
	at       int64 // where on the axis; of no meaning for an exact cost
	duration *big.Rat
	clash    *evidence.Sample // another record about the same, of another source
}

// axisNone is the axis of exact costs.
const axisNone = ""

// bytesOf is the bytes that records of a task are about: those of the message of
// a task that sends one, else those that it reads and writes.
func bytesOf(task *evidence.Bound) int64 {
	if task.Body == level.Collective || task.Body == level.Transfer {
		return task.Query.Message
	}
	return task.Query.Read + task.Query.Write
}

// agrees says whether a record is about a task, but for one axis, on which it has
// the value at; and how much the record says.
func agrees(s *evidence.Sample, task *evidence.Bound, axis string) (at int64, specificity int, ok bool) {
	q := task.Query
	if s.Op != task.Op {
		return 0, 0, false
	}
	for _, text := range [][2]string{{s.DType, q.DType}, {s.Implementation, task.Implementation}} {
		switch text[0] {
		case "":
		case text[1]:
			specificity++
		default:
			return 0, 0, false
		}
	}
	at = -1
	number := func(name string, has, asked int64) bool {
		if name == axis {
			at = has
			return has > 0 && asked > 0 && has != asked
		}
		return has == asked
	}
	for _, n := range []struct {
		name       string
		has, asked int64
	}{{"bytes", s.Bytes, bytesOf(task)}, {"participants", s.Participants, q.Participants}} {
		if n.has < 0 {
			continue
		}
		if !number(n.name, n.has, n.asked) {
			return 0, 0, false
		}
		specificity++
	}
	if len(s.Dims) > 0 {
		if len(s.Dims) != len(q.Dims) {
			return 0, 0, false
		}
		for i := range s.Dims {
			if !number(strconv.Itoa(i), s.Dims[i], q.Dims[i]) {
				return 0, 0, false
			}
		}
		specificity++
	}
	return at, specificity, axis == axisNone || at >= 0
}

// asked is what a task has on an axis.
func asked(task *evidence.Bound, axis string) int64 {
	switch axis {
	case "bytes":
		return bytesOf(task)
	case "participants":
		return task.Query.Participants
	}
	i, _ := strconv.Atoi(axis) // an axis of ours
	return task.Query.Dims[i]
}

// about writes what a record is about, but for its value on an axis.
func about(s *evidence.Sample, axis string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%q %q %q", s.Op, s.DType, s.Implementation)
	number := func(name string, n int64) {
		if name == axis {
			b.WriteString(" *")
		} else {
			fmt.Fprintf(&b, " %d", n)
		}
	}
	number("bytes", s.Bytes)
	number("participants", s.Participants)
	for i, n := range s.Dims {
		number(strconv.Itoa(i), n)
	}
	return b.String()
}

// series are the records about a task that agree in all but an axis, by where
// they are on it.
type series struct {
	axis        string
	specificity int
	points      []*known
}

// along gathers the records about a task along an axis, the most specific series
// first.
func (r records) along(task *evidence.Bound, axis string) []*series {
	var all []*series
	of := map[string]*series{}
	for i := range r.evidence.Records {
		s := &r.evidence.Records[i]
		at, specificity, ok := agrees(s, task, axis)
		if !ok {
			continue
		}
		key := about(s, axis)
		if of[key] == nil {
			of[key] = &series{axis: axis, specificity: specificity}
			all = append(all, of[key])
		}
		of[key].add(s, at)
	}
	for _, s := range all {
		slices.SortFunc(s.points, func(a, b *known) int { return cmp.Compare(a.at, b.at) })
		for _, p := range s.points {
			p.duration = median(p.samples)
		}
	}
	slices.SortStableFunc(all, func(a, b *series) int { return cmp.Compare(b.specificity, a.specificity) })
	return all
}

func (s *series) add(sample *evidence.Sample, at int64) {
	for _, p := range s.points {
		if p.at != at {
			continue
		}
		if first := p.samples[0]; first.Source != sample.Source || first.Method != sample.Method {
			if p.clash == nil {
				p.clash = sample
			}
			return
		}
		p.samples = append(p.samples, sample)
		return
	}
	s.points = append(s.points, &known{samples: []*evidence.Sample{sample}, at: at})
}

// median is the middle duration, or the mean of the middle two.
func median(samples []*evidence.Sample) *big.Rat {
	var all []*big.Rat
	for _, s := range samples {
		all = append(all, costs.Whole(s.Duration))
	}
	return middle(all)
}

// middle is the median of numbers.
func middle(all []*big.Rat) *big.Rat {
	all = slices.Clone(all)
	slices.SortFunc(all, (*big.Rat).Cmp)
	low, high := all[(len(all)-1)/2], all[len(all)/2]
	return costs.Quotient(costs.Sum(low, high), costs.Whole(2))
}

// contradiction says that two records about the same are from several sources.
func contradiction(p *known) string {
	if p.clash == nil {
		return ""
	}
	return fmt.Sprintf("records %s and %s are about the same and from different sources", p.samples[0].ID, p.clash.ID)
}

// exact looks for records that are about the task itself.
func (r records) exact(task *evidence.Bound) attempt {
	a := r.attempt("exact")
	all := r.along(task, axisNone)
	if len(all) == 0 {
		return a.not(unavailable, "no record is about this")
	}
	best := all[0].points[0]
	if why := contradiction(best); why != "" {
		return a.not(invalid, why)
	}
	if len(all) > 1 && all[1].specificity == all[0].specificity {
		return a.not(invalid, fmt.Sprintf("records %s and %s are both about this, and neither says more", best.samples[0].ID, all[1].points[0].samples[0].ID))
	}
	if n := int64(len(best.samples)); n < r.policy.MinSamples {
		return a.not(unavailable, fmt.Sprintf("there are %d records of this, and the policy asks for %d", n, r.policy.MinSamples))
	}
	f := &found{duration: best.duration}
	f.resolution.Records = ids(best)
	f.resolution.Method = best.samples[0].Method
	f.resolution.Spread = spread(best)
	return a.with(f)
}

// interpolated looks for two records around the task on one axis.
func (r records) interpolated(task *evidence.Bound) attempt {
	a := r.attempt("interpolated")
	var best *series
	var low, high *known
	for _, axis := range axes(task) {
		x := asked(task, axis)
		for _, s := range r.along(task, axis) {
			i := slices.IndexFunc(s.points, func(p *known) bool { return p.at > x })
			if i < 1 {
				continue
			}
			if best != nil && best.specificity == s.specificity {
				return a.not(invalid, fmt.Sprintf("records %s and %s, and %s and %s, are around this, and neither two say more",
					low.samples[0].ID, high.samples[0].ID, s.points[i-1].samples[0].ID, s.points[i].samples[0].ID))
			}
			if best == nil || s.specificity > best.specificity {
				best, low, high = s, s.points[i-1], s.points[i]
			}
		}
	}
	if best == nil {
		return a.not(unavailable, "no two records are around this on one axis")
	}
	for _, p := range []*known{low, high} {
		if why := contradiction(p); why != "" {
			return a.not(invalid, why)
		}
	}
	// The weight of high; both differences are below the sizes themselves.
	w := evidence.Ratio{Numerator: asked(task, best.axis) - low.at, Denominator: high.at - low.at}
	weight := costs.Ratio(w.Numerator, w.Denominator)
	f := &found{duration: costs.Sum(costs.Product(low.duration, new(big.Rat).Sub(costs.Whole(1), weight)), costs.Product(high.duration, weight))}
	f.resolution.Records = append(ids(low), ids(high)...)
	f.resolution.Method, f.resolution.Axis, f.resolution.Weight = method(low, high), best.axis, &w
	return a.with(f)
}

// extrapolated takes the nearest record on one axis: a larger size takes longer in
// proportion, and a smaller one as long as the record, which is never too little.
func (r records) extrapolated(task *evidence.Bound) attempt {
	a := r.attempt("extrapolated")
	var best *series
	var edge *known
	var far int64
	var other *known
	for _, axis := range axes(task) {
		x := asked(task, axis)
		for _, s := range r.along(task, axis) {
			p := s.points[0]
			if last := s.points[len(s.points)-1]; last.at < x {
				p = last
			} else if p.at < x {
				continue // it is between records
			}
			d := distance(x, p.at)
			switch {
			case best == nil || s.specificity > best.specificity || s.specificity == best.specificity && d < far:
				best, edge, far, other = s, p, d, nil
			case s.specificity == best.specificity && d == far:
				other = p
			}
		}
	}
	if best == nil {
		return a.not(unavailable, "no record differs from this on one axis only")
	}
	if why := contradiction(edge); why != "" {
		return a.not(invalid, why)
	}
	if other != nil {
		return a.not(invalid, fmt.Sprintf("records %s and %s are as near, and neither says more", edge.samples[0].ID, other.samples[0].ID))
	}
	if far > r.policy.MaxDistance {
		a.Distance = far
		return a.not(unavailable, fmt.Sprintf("record %s, the nearest, is farther away than the policy allows", edge.samples[0].ID))
	}
	f := &found{duration: edge.duration}
	if x := asked(task, best.axis); x > edge.at {
		f.duration = costs.Product(edge.duration, costs.Ratio(x, edge.at))
	}
	f.resolution.Records, f.resolution.Method, f.resolution.Axis, f.resolution.Distance = ids(edge), edge.samples[0].Method, best.axis, far
	return a.with(f)
}

// axes lists those of a task: what is asked may differ on one from what is known.
func axes(task *evidence.Bound) []string {
	all := []string{"bytes", "participants"}
	for i := range task.Query.Dims {
		all = append(all, strconv.Itoa(i))
	}
	return all
}

func (r records) attempt(match string) attempt {
	return attempt{Attempt: evidence.Attempt{Provider: r.evidence.Provider, Match: match}}
}

// not is an attempt that found nothing.
func (a attempt) not(status, reason string) attempt {
	a.Status, a.Reason = status, reason
	return a
}

func (a attempt) with(f *found) attempt {
	a.Status = available
	f.resolution.Match, f.resolution.Provider = a.Match, a.Provider
	a.found = f
	return a
}

func ids(k *known) []string {
	var all []string
	for _, s := range k.samples {
		all = append(all, s.ID)
	}
	return all
}

// method is how two costs were found; where they differ, the one that is worth
// less.
func method(a, b *known) string {
	worth := []string{"measured", "calibrated", "simulated", "vendor_model", "analytical"}
	return worth[max(slices.Index(worth, a.samples[0].Method), slices.Index(worth, b.samples[0].Method), 0)]
}

func spread(k *known) *evidence.Spread {
	s := &evidence.Spread{Samples: int64(len(k.samples)), Lower: k.samples[0].Duration, Upper: k.samples[0].Duration}
	total, n := new(big.Rat), costs.Whole(s.Samples)
	for _, x := range k.samples {
		s.Lower, s.Upper = min(s.Lower, x.Duration), max(s.Upper, x.Duration)
		total.Add(total, costs.Whole(x.Duration))
	}
	mean, squares := costs.Quotient(total, n), new(big.Rat)
	for _, x := range k.samples {
		d := new(big.Rat).Sub(costs.Whole(x.Duration), mean)
		squares.Add(squares, costs.Product(d, d))
	}
	variance := costs.Quotient(squares, n)
	s.Deviation = new(big.Int).Sqrt(new(big.Int).Quo(variance.Num(), variance.Denom())).Int64()
	return s
}
