package strictjson

const hexDigits = "0123456789abcdef"

// AppendString writes a string as JSON, escaping no more than it must and by the
// short forms where there are any (as RFC 8785 has it).
func AppendString(buf []byte, s string) []byte {
	buf = append(buf, '"')
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '"' || c == '\\':
			buf = append(buf, '\\', c)
		case c >= ' ':
			buf = append(buf, c)
		default:
			if short := "btn_fr"; c >= '\b' && c <= '\r' && c != '\v' {
				buf = append(buf, '\\', short[c-'\b'])
			} else {
				buf = append(buf, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
			}
		}
	}
	return append(buf, '"')
}
