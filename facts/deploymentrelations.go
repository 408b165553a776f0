package facts

// deploymentRelations is the part of Relations that is about what a program was
// made for.
func deploymentRelations() []Relation {
	return []Relation{
		{"identity", []Column{str("Field"), str("Text")}, "/program/identity", "A field of the program's identity that says something, and what.",
			"the identity has {Field} {Text}", true, rows{write: (*exporter).identity}},
		{"identity_digest", []Column{str("Field")}, "/program/identity", "The field of the identity holds a digest: sha256: and 64 hexadecimal digits in lower case.",
			"the {Field} of the identity is a digest", true, rows{write: (*exporter).identityDigests}},
		{"deployment_family", []Column{str("Family")}, "/program/deployment", "The family of targets that the deployment is of: queue or spatial.",
			"the deployment is of family {Family}", true, rows{write: (*exporter).deploymentFamily, field: "family"}},
		{"deployment", []Column{str("Field"), str("Text")}, "/program/deployment", "A field of the deployment that says something, and what: fingerprint, target_fingerprint or abi_revision.",
			"the deployment has {Field} {Text}", true, rows{write: (*exporter).deployment}},
		{"deployment_digest", []Column{str("Field")}, "/program/deployment", "The field of the deployment holds a digest: sha256: and 64 hexadecimal digits in lower case.",
			"the {Field} of the deployment is a digest", true, rows{write: (*exporter).deploymentDigests}},
		{"deployment_device", []Column{str("Target")}, "/program/deployment", "A physical device that the deployment has.",
			"the deployment has physical device {Target}", true, rows{write: (*exporter).deploymentDevices, field: "devices", entry: true}},
		{"deployment_place", []Column{str("Target"), num("Place")}, "/program/deployment", "The place of the physical device in the list of those that the deployment has, from 0 on.",
			"physical device {Target} has place {Place}", true, rows{write: (*exporter).deploymentPlaces, field: "devices", entry: true}},
		{"deployment_library", []Column{str("Library"), str("Version")}, "/program/deployment", "A library that the deployment has, in this version.",
			"the deployment has {Library} {Version}", true, rows{write: (*exporter).deploymentLibraries}},
		{"library_works", []Column{str("Library"), str("Version"), str("Abi")}, "/program/deployment", "The table says that this version of the library works with the ABI.",
			"{Library} {Version} works with {Abi}", true, rows{write: (*exporter).librariesWork}},
		{"world_size", []Column{num("Size")}, "/program/world_size", "How many ranks there are, counted from 0.",
			"the world has {Size ranks}", true, rows{write: (*exporter).worldSize}},
		{"implementation", []Column{str("Implementation"), str("Library"), str("Name")}, "/program/implementations", "An implementation, and the library and function that it is.",
			"implementation {Implementation} is {Name} of {Library}", true, rows{write: (*exporter).implementations}},
		{"implementation_version", []Column{str("Implementation"), str("Version")}, "/program/implementations", "The version of its library that the implementation was built for.",
			"implementation {Implementation} is built for version {Version}", true, rows{write: (*exporter).implementationVersions, field: "version"}},
		{"implementation_abi", []Column{str("Implementation"), str("Abi")}, "/program/implementations", "The ABI that the implementation was built for.",
			"implementation {Implementation} is built for {Abi}", true, rows{write: (*exporter).implementationABIs, field: "abi"}},
		{"implementation_variant", []Column{str("Implementation"), str("Variant")}, "/program/implementations", "Which of several variants of its function the implementation is.",
			"implementation {Implementation} is variant {Variant}", true, rows{write: (*exporter).implementationVariants, field: "variant"}},
	}
}
