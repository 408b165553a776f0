package strictjson

// Unquote returns what a string, given with its quotes, means. Where it is not
// well-formed it says what is wrong first, and at which byte.
func Unquote(s []byte) (meaning []byte, at int, problem string) {
	if len(s) < 2 || s[0] != '"' || s[len(s)-1] != '"' {
		return nil, 0, "is no string"
	}
	meaning = unescape(nil, s[1:len(s)-1], func(i int, _, message string) {
		if problem == "" {
			at, problem = i+1, message
		}
	})
	return meaning, at, problem
}
