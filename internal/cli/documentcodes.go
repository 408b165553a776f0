package cli

// DocumentCode is a code of errors that keep a document from being judged. Rules
// have codes of their own.
type DocumentCode struct {
	Code, Meaning string
}

// DocumentCodes lists what may be wrong with a document, in the order of
// docs/plan.md, whose table is held together with this one by a test.
func DocumentCodes() []DocumentCode {
	return []DocumentCode{
		{"file-not-found", "there is no such file"},
		{"file-is-folder", "the path is a folder"},
		{"file-unreadable", "the file, or standard input, cannot be read"},
		{"document-empty", "the file has no bytes, or only white space"},
		{"document-too-large", "the file has more than 4294967295 bytes"},
		{"encoding-unsupported", "the file is UTF-16 or UTF-32; plans are UTF-8, with a byte-order mark or without"},
		{"invalid-utf8", "bytes that are no UTF-8, or half of a surrogate pair as an escape"},
		{"json-syntax", "not JSON"},
		{"text-syntax", "a text form that is not well-formed"},
		{"nesting-too-deep", "more than 64 levels of lists and objects"},
		{"duplicate-json-key", "an object has a key twice"},
		{"unknown-field", "a field that objects of its kind do not have"},
		{"missing-field", "a needed field is absent, or one of two that belong together"},
		{"wrong-type", `a text where a number belongs, "null" where nothing may be left open, and the like`},
		{"not-an-integer", "a number with a fraction or an exponent"},
		{"integer-out-of-range", "a number too small or too large"},
		{"nonfinite-number", "NaN or Infinity"},
		{"id-empty", "an id without a character"},
		{"id-duplicate", "an id, or a number that must be there once, is there before"},
		{"attribute-reserved", "a field for a time in a program: plans hold none"},
		{"unknown-type-tag", "a word that is none of those that may stand there"},
		{"field-misplaced", "an op states the work of a forward, and its listed values should"},
		{"reference-unknown", "an id that nothing has, or a value that is not of the op"},
		{"schema-name-mismatch", "a document of another kind"},
		{"schema-version-mismatch", "a version of the schema that this plancheck does not read"},
		{"target-extension-unknown", "a target extension of a family that is not known"},
		{"untyped-target-metadata", "a field that a spatial extension does not have, so that nobody would judge it"},
		{"clocks-not-comparable", "clock domains of a spatial extension of which no time is a whole number of cycles that an integer can count"},
		{"logical-schedule-has-stage", `a logical schedule, which is made before stages are decided, has a field "stage" or "stages"`},
		{"length-mismatch", "lists that belong together are not equally long"},
		{"too-many-errors", "reading ends after many errors"},
		{"too-many-facts", "the document stands for more facts than a list can hold, as by a huge number of lanes"},
		{"not-evaluated", "the rules could not be evaluated for another reason, which is named"},
	}
}

// documentCode finds a code of documents.
func documentCode(code string) (DocumentCode, bool) {
	for _, d := range DocumentCodes() {
		if d.Code == code {
			return d, true
		}
	}
	return DocumentCode{}, false
}
