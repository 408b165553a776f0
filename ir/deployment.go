package ir

// Identity says what a program was made from, by what and for what. A field that
// is empty is one that the document does not have.
type Identity struct {
	SourcePortable   string // digest of the portable plan that it comes from
	Target           string // fingerprint of the target that it was bound to
	Deployment       string // fingerprint of the deployment that it was bound to
	ABI              string // revision of the target's ABI that its commands use
	PlanningEvidence string // revision of the costs by which it was planned
	Planner          string // revision of what planned it
	At               uint32
}

// Stated is a field of an object that holds a text.
type Stated struct{ Field, Text string }

// Fields returns all fields of an identity, in the order of the schema.
func (i *Identity) Fields() []Stated {
	return []Stated{
		{"source_portable_digest", i.SourcePortable},
		{"target_fingerprint", i.Target},
		{"deployment_fingerprint", i.Deployment},
		{"abi_revision", i.ABI},
		{"planning_evidence_revision", i.PlanningEvidence},
		{"planner_revision", i.Planner},
	}
}

// Deployment is where a program is to run: the devices that are there, the
// libraries that are installed on them, and which revision of which library
// works with which ABI. Lists are nil when the document does not have them, and
// texts are empty.
type Deployment struct {
	Family      string // one of Families
	Fingerprint string
	Target      string // fingerprint of the target that it is one of
	ABI         string // revision of the ABI that it offers
	Devices     []ID   // physical devices, each once
	Libraries   []Library
	Compatible  []Compatibility
	At          uint32
}

// Fields returns the fields of a deployment that name revisions, in the order of
// the schema.
func (d *Deployment) Fields() []Stated {
	return []Stated{
		{"fingerprint", d.Fingerprint},
		{"target_fingerprint", d.Target},
		{"abi_revision", d.ABI},
	}
}

// Library is a revision of a library that is installed. A library may be
// installed in several revisions.
type Library struct {
	Name, Version string
	At            uint32
}

// Compatibility says that a revision of a library works with a revision of the
// ABI. What no entry says does not work.
type Compatibility struct {
	Library, Version, ABI string
	At                    uint32
}

// Implementation is what does commands: a function of a library, as built. Its
// id is short for the rest.
type Implementation struct {
	ID        ID
	Namespace string // the library that has it
	Name      string // of the function
	Version   string // of the library that it was built for; "" when absent
	ABI       string // revision of the ABI that it was built for; "" when absent
	Variant   string // which of several: tile sizes, an algorithm; "" when absent
	At        uint32
}
