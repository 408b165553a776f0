package example

import (
	"fmt"
	"strings"

	"plancheck/internal/evidence"
	"plancheck/ir/level"
)

// document is a built-in document of another level than a plan.
type document struct {
	name, doc string
	build     func() level.Body
}

func documents() []document {
	return []document{
		{"a100-target", "eight GPUs in the manner of NVIDIA's A100, by public figures", func() level.Body { return evidence.A100() }},
		{"a100-deployment", "one machine of eight such GPUs", func() level.Body { return evidence.A100Deployment() }},
		{"a100-evidence", "evidence of that machine without any record yet", func() level.Body { return evidence.NoRecords(evidence.A100Deployment()) }},
		{"chip-target", "a small spatial chip, a mesh of 4 by 4 cores, by round figures", func() level.Body { return evidence.Chip() }},
		{"chip-deployment", "one such chip", func() level.Body { return evidence.ChipDeployment() }},
		{"chip-evidence", "evidence of that chip without any record yet", func() level.Body { return evidence.NoRecords(evidence.ChipDeployment()) }},
	}
}

// DocumentNames lists the documents that Document knows.
func DocumentNames() []string {
	var names []string
	for _, d := range documents() {
		names = append(names, d.name)
	}
	return names
}

// DocumentDoc says in a few words what a document is; "" for one that there is
// not.
func DocumentDoc(name string) string {
	for _, d := range documents() {
		if d.name == name {
			return d.doc
		}
	}
	return ""
}

// Document returns a built-in profile or revision of evidence. It fails for a name
// that does not exist.
func Document(name string) (level.Body, error) {
	for _, d := range documents() {
		if d.name == name {
			return d.build(), nil
		}
	}
	return nil, fmt.Errorf("no built-in document %q; there are %s", name, strings.Join(DocumentNames(), ", "))
}
