package costs

import (
	"slices"

	"plancheck/ir/evidence"
)

// OfRecords is what repeated records say of what they are about: their median, of
// an even number the mean of the middle two, a half rounded down; times the factor
// that the evidence has for their group, 1 / 1 for none, to the nearest picosecond.
// The group is that of the first; there is at least one.
func OfRecords(e *evidence.Evidence, records []*evidence.Sample) (picoseconds int64, by evidence.Ratio, err error) {
	by = evidence.Ratio{Numerator: 1, Denominator: 1}
	first := records[0]
	group := evidence.Group{Implementation: first.Implementation, Op: first.Op, DType: first.DType, Bucket: evidence.Bucket(first.Bytes), Participants: first.Participants}
	if f := e.Factor(group); f != nil {
		by.Numerator, by.Denominator = f.Numerator, f.Denominator
	}
	picoseconds, err = Round(Product(Whole(median(records)), Ratio(by.Numerator, by.Denominator)))
	return picoseconds, by, err
}

func median(records []*evidence.Sample) int64 {
	var all []int64
	for _, s := range records {
		all = append(all, s.Duration)
	}
	slices.Sort(all)
	low, high := all[(len(all)-1)/2], all[len(all)/2]
	return low + (high-low)/2
}
