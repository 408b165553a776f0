package cli

import (
	"slices"

	"plancheck/internal/diag"
)

// verbs lists the verbs in the order of the overview.
func verbs() []verb {
	return []verb{
		checkVerb(),
		solveVerb(),
		exploreVerb(),
		repairVerb(),
		deriveVerb(),
		simulateVerb(),
		calibrateVerb(),
		lowerVerb(),
		runVerb(),
		textVerb(),
		diffVerb(),
		factsVerb(),
		explainVerb(),
		rulesVerb(),
		exampleVerb(),
		importVerb(),
		schemaVerb(),
		completionVerb(),
		versionVerb(),
		helpVerb(),
	}
}

func verbNames() []string {
	var names []string
	for _, v := range verbs() {
		names = append(names, v.name)
	}
	return names
}

// didYouMean is the end of a message about an unknown word.
func didYouMean(word string, known []string) string {
	if near := diag.Nearest(word, slices.Values(known)); near != "" {
		return `; did you mean "` + near + `"?`
	}
	return ""
}
