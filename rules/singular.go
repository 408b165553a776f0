package rules

import "strings"

// singularPhrase is the singular of words that name things: of the last of
// them, or of that before "of": boxes -> box, bytes of weights -> byte of weights.
func singularPhrase(words string) string {
	head, of, ok := strings.Cut(words, " of ")
	if ok {
		of = " of " + of
	}
	i := strings.LastIndexByte(head, ' ') + 1
	return head[:i] + singular(head[i:]) + of
}

// irregular are plurals that the endings do not tell.
var irregular = map[string]string{
	"axes": "axis", "buses": "bus", "caches": "cache", "dies": "die", "indices": "index", "matrices": "matrix",
	"series": "series", "ties": "tie", "vertices": "vertex",
}

// singular is the singular of an English noun in the plural. A word that does
// not look like a plural stays as it is.
func singular(noun string) string {
	if one, ok := irregular[noun]; ok {
		return one
	}
	if stem, ok := strings.CutSuffix(noun, "ies"); ok {
		return stem + "y"
	}
	for _, ending := range []string{"xes", "ches", "shes", "sses"} {
		if strings.HasSuffix(noun, ending) {
			return strings.TrimSuffix(noun, "es")
		}
	}
	if strings.HasSuffix(noun, "ss") || strings.HasSuffix(noun, "us") {
		return noun
	}
	return strings.TrimSuffix(noun, "s")
}
