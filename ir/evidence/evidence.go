// Package evidence holds what is known of a target and of the times that things
// take on it: the profile of a target and of a deployment, revisions of evidence,
// and what was bound on it. Rates and times are integers: bytes or operations a
// second, picoseconds, and ratios in millionths.
package evidence

import (
	"fmt"
	"math/bits"
	"strings"

	"plancheck/ir/level"
)

// The schemas of the documents of this package.
const (
	TargetSchema     = "plancheck.target/1"
	DeploymentSchema = "plancheck.deployment/1"
	EvidenceSchema   = "plancheck.evidence/1"
	BindingSchema    = "plancheck.binding/1"
)

// Evidence is a revision of what is known of times. A revision is never changed:
// a new one names the old one as its parent.
type Evidence struct {
	_  struct{} `noun:"an evidence revision"`
	At uint32

	level.Header
	// Provider is who says it: the name that a policy asks by.
	Provider string `json:"provider"`
	// Environment is the revision of drivers and libraries that times are from.
	Environment string `json:"environment_revision,optional" rel:"evidence_environment(Revision)" doc:"The environment that times were measured in." says:"times are from environment {Revision}"`
	// Records are times that were measured or stated.
	Records []Sample `json:"records" defines:"record" rel:"evidence_record(Record, Place#, Duration)" doc:"A measured or stated time, and its place in the list." says:"record {Record} is {Duration} picoseconds" rel2:"evidence_selector(Record, Op, DType, Implementation, Bytes, Participants)" doc2:"What a record is about: the op and, where it says so, the data type, the implementation, the bytes of the message and the participants; else an empty text or -1." says2:"record {Record} is about {Op}"`
	// Factors are what calibration found: durations of a group are multiplied by
	// them.
	Factors []Factor `json:"factors,optional" rel:"evidence_factor(Place#, Group, DType, Bucket, Participants, Numerator, Denominator)" doc:"What durations of a group are multiplied by: of an implementation or op and, where it says so, a data type, a size and a number of participants; else an empty text or -1." says:"durations of {Group} are multiplied by {Numerator} / {Denominator}" rel2:"factor_samples(Place#, Group, Samples)" doc2:"How many observations the factor is from." says2:"the factor of {Group} is from {Samples}" rel3:"factor_held_out(Place#, Group, Held, HeldBefore, HeldAfter)" doc3:"How far predictions of observations that were held out are off in all, in picoseconds, before and after calibration." says3:"on {Held} held out, predictions of {Group} were {HeldBefore} ps off, and are {HeldAfter}"`
	// Calibration is what the factors were found from; there where they are.
	Calibration *Calibration `json:"calibration,optional" rel:"evidence_calibration(Method)" doc:"The factors were found by this method." says:"the factors were found by {Method}"`
}

// Sample is a time that something took. What it says of that must agree with what
// is asked; what it does not say agrees with everything.
type Sample struct {
	_  struct{} `noun:"a record" key:"Record"`
	At uint32

	ID string `json:"id"`
	// Op is what was done: model.linear, all-reduce.
	Op string `json:"op"`
	// DType is the data type that it was done on.
	DType string `json:"dtype,optional"`
	// Implementation is what did it.
	Implementation string `json:"implementation,optional"`
	// Dims are the sizes m, n and k of a matrix product, and else the shape of the first
	// input.
	Dims []int64 `json:"dims,optional" min:"1"`
	// Participants is how many ranks took part.
	Participants int64 `json:"participants,optional" min:"1" absent:"-1"`
	// Bytes is the message that a rank gave to a collective or a transfer, and
	// else what was read and written.
	Bytes int64 `json:"bytes,optional" min:"0" absent:"-1"`
	// Duration is how long it took, in picoseconds.
	Duration int64 `json:"duration_ps" min:"0"`
	// Method is how that is known.
	Method string `json:"method" enum:"measured simulated analytical calibrated vendor_model"`
	// Source is where the record is from. Records of several sources that say the
	// same of what they are about are ambiguous, those of one are repetitions.
	Source string `json:"source,optional" rel:"evidence_source(Record, Source)" doc:"Where the record is from." says:"record {Record} is from {Source}"`
}

// About writes what a record is about in one way: records with the same text are
// about the same.
func (s *Sample) About() string {
	var b strings.Builder
	b.WriteString(s.Op)
	for _, part := range []struct{ name, text string }{{"dtype", s.DType}, {"by", s.Implementation}} {
		if part.text != "" {
			fmt.Fprintf(&b, " %s %q", part.name, part.text)
		}
	}
	if len(s.Dims) > 0 {
		fmt.Fprintf(&b, " dims %d", s.Dims)
	}
	if s.Bytes >= 0 {
		fmt.Fprintf(&b, " bytes %d", s.Bytes)
	}
	if s.Participants >= 0 {
		fmt.Fprintf(&b, " participants %d", s.Participants)
	}
	return b.String()
}

// Factor corrects the durations of a group: of an implementation, or of an op
// where the implementation is not known, and of what else it names.
type Factor struct {
	_  struct{} `noun:"a factor"`
	At uint32

	// Group is the implementation or the op.
	Group string `json:"group"`
	// DType is the data type; the group may be of any where it is absent.
	DType string `json:"dtype,optional"`
	// Bucket is the size of what the group does: how many bits its operations, or
	// else its bytes, have as a binary number, so that the sizes of a bucket are
	// within a factor of two. The group may be of any size where it is absent.
	Bucket int64 `json:"size_bucket,optional" min:"0" absent:"-1"`
	// Participants is how many ranks take part; the group may be of any number
	// where it is absent.
	Participants int64 `json:"participants,optional" min:"1" absent:"-1"`
	// Numerator is the numerator of the factor.
	Numerator int64 `json:"numerator" min:"1"`
	// Denominator is the denominator of the factor.
	Denominator int64 `json:"denominator" min:"1"`
	// Samples is how many observations the factor is the median ratio of.
	Samples int64 `json:"samples" min:"0"`
	// Before is the sum of |observed - predicted| over the samples without this
	// factor, in picoseconds.
	Before int64 `json:"residual_before_ps,optional" min:"0"`
	// After is the same sum with this factor.
	After int64 `json:"residual_after_ps,optional" min:"0"`
	// Held is how many observations the factor was checked by, that it is not
	// from.
	Held int64 `json:"held_out_samples,optional" min:"0"`
	// HeldBefore is their sum of |observed - predicted| without this factor, in
	// picoseconds.
	HeldBefore int64 `json:"held_out_before_ps,optional" min:"0"`
	// HeldAfter is the same sum with this factor.
	HeldAfter int64 `json:"held_out_after_ps,optional" min:"0"`
}

// Refused are fields that would tie a factor to one case, which corrects nothing
// but that case.
func (Factor) Refused() (code, help string, names []string) {
	return "calibration-case-specific", "a factor is of a group: of an implementation, a data type, a size, a number of participants", []string{
		"model", "model_name", "case", "case_id", "run", "reference_total", "command", "task",
	}
}

// Calibration says what the factors were found from.
type Calibration struct {
	_  struct{} `noun:"a calibration"`
	At uint32

	// Method is how a factor came of observations: it is that of before times the
	// median of observed over predicted.
	Method string `json:"method" enum:"median-ratio"`
	// Timeline is the digest of the prediction that observations were compared
	// with.
	Timeline string `json:"timeline" rel:"calibration_timeline(Digest)" doc:"The prediction that observations were compared with." says:"observations were compared with timeline {Digest}"`
	// Training are digests of the sets of observations that factors are from.
	Training []string `json:"training" rel:"calibration_training(Place#, Digest)" doc:"A set of observations that factors are from." says:"factors are from observations {Digest}"`
	// HeldOut are digests of the sets of observations that factors were checked
	// by.
	HeldOut []string `json:"held_out,optional" rel:"calibration_held_out(Place#, Digest)" doc:"A set of observations that factors are checked by." says:"factors are checked by observations {Digest}"`
}

// Group is what a duration is of, as factors tell it from others. Absent are an
// empty text and -1.
type Group struct {
	Implementation, Op, DType string
	Bucket, Participants      int64
}

// Bucket is the size bucket of an amount of work or of bytes: how many bits it
// has, so that a bucket's sizes are within a factor of two; -1 for an amount that
// is not known.
func Bucket(amount int64) int64 {
	if amount < 0 {
		return -1
	}
	return int64(bits.Len64(uint64(amount)))
}

// Factor returns the factor that durations of a group are multiplied by, and nil
// where there is none: of the factors that agree with the group the one that says
// most, of several that say as much the first. One that names the implementation
// says more than one that names the op.
func (e *Evidence) Factor(g Group) *Factor {
	var best *Factor
	most := -1
	for i := range e.Factors {
		f := &e.Factors[i]
		if n := f.says(g); n > most {
			best, most = f, n
		}
	}
	return best
}

// says counts what a factor says of a group; -1 where something disagrees.
func (f *Factor) says(g Group) int {
	n := 0
	switch f.Group {
	case "":
		return -1
	case g.Implementation:
		n = 8
	case g.Op:
	default:
		return -1
	}
	for _, part := range []struct{ there, agrees bool }{
		{f.DType != "", f.DType == g.DType},
		{f.Bucket >= 0, f.Bucket == g.Bucket},
		{f.Participants >= 0, f.Participants == g.Participants},
	} {
		switch {
		case part.there && !part.agrees:
			return -1
		case part.there:
			n++
		}
	}
	return n
}
