package ir

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// digestPrefix begins every digest with the name of its hash function.
const digestPrefix = "sha256:"

// PlanDigest returns the content digest of a plan: "sha256:" and 64 hexadecimal
// digits. It is the SHA-256 of "ir:plancheck.concrete-plan/1", a line feed, and
// the plan's canonical JSON: no white space, keys sorted, strings as in RFC
// 8785, and nothing written that its absence says too (one lane, lanes that
// count up from 0, null for a hole, an empty list other than stages, residency
// and placement, whose presence means something). The digest that the plan
// records for itself and the revision that its graph states are not part of it;
// the graph revision that the assignment names is.
func PlanDigest(p *Plan) string {
	return digest("ir:"+PlanSchema+"\n", p, planWriter.document)
}

// GraphDigest returns the content digest of a plan's graph. It is that of
// PlanDigest for the graph alone, behind "ir:plancheck.concrete-plan/1#/graph".
func GraphDigest(p *Plan) string {
	return digest("ir:"+PlanSchema+"#/graph\n", p, planWriter.graph)
}

// AssignmentDigest returns the content digest of a plan's assignment. It is that
// of PlanDigest for the assignment alone, behind
// "ir:plancheck.concrete-plan/1#/assignment". Without an assignment it is that
// of an empty one.
func AssignmentDigest(p *Plan) string {
	return digest("ir:"+PlanSchema+"#/assignment\n", p, func(w planWriter) { w.assignment(&p.Assignment) })
}

// IsDigest says whether a text has the form of a digest that plancheck writes:
// "sha256:" and 64 hexadecimal digits in lower case.
func IsDigest(text string) bool {
	digits, ok := strings.CutPrefix(text, digestPrefix)
	return ok && len(digits) == 2*sha256.Size && strings.Trim(digits, "0123456789abcdef") == ""
}

func digest(domain string, p *Plan, write func(planWriter)) string {
	h := sha256.New()
	spill := func(b []byte) { h.Write(b) } // a hash never fails
	w := newPlanWriter(p, &writer{canonical: true, spill: spill})
	w.buf = append(w.buf, domain...)
	write(w)
	spill(w.buf)
	return digestPrefix + hex.EncodeToString(h.Sum(nil))
}

// plainLanes returns the lists of an instance in the form that is shortest:
// cores that are all holes and lanes that the absence of both lists or the
// length of cores would say are left out.
func (w planWriter) plainLanes(i *Instance) (lanes, cores []int64) {
	lanes, cores = i.Lanes, i.Cores
	if cores != nil && allHoles(cores) {
		if lanes == nil {
			lanes = make([]int64, len(cores))
			for n := range lanes {
				lanes[n] = int64(n)
			}
		}
		cores = nil
	}
	all := int64(len(cores))
	if n, ok := w.dense(i.Op); cores == nil && ok {
		all = w.lanes[n]
	}
	if int64(len(lanes)) == all && countsUp(lanes, len(lanes)) {
		lanes = nil
	}
	return lanes, cores
}

func allHoles(cores []int64) bool {
	for _, c := range cores {
		if c != None {
			return false
		}
	}
	return true
}

// countsUp says whether lanes are 0, 1, 2, ... up to n-1.
func countsUp(lanes []int64, n int) bool {
	for i, lane := range lanes {
		if lane != int64(i) {
			return false
		}
	}
	return len(lanes) == n
}
