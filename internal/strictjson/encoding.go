package strictjson

import "bytes"

// unreadable says why a document of the given size in bytes cannot be read at
// all; data are its bytes behind a UTF-8 byte-order mark.
func unreadable(data []byte, size uint64) (problem, bool) {
	if size > sizeLimit {
		return problem{code: "document-too-large", text: "the document is larger than 4 GiB"}, true
	}
	if name := foreignEncoding(data); name != "" {
		return problem{code: "encoding-unsupported", text: "the document is encoded in " + name, help: "save it as UTF-8", bare: true}, true
	}
	if len(data) == 0 {
		return problem{code: "document-empty", text: "the document is empty"}, true
	}
	if len(bytes.TrimLeft(data, " \t\r\n")) == 0 {
		return problem{code: "document-empty", text: "the document holds nothing but white space"}, true
	}
	return problem{}, false
}

// foreignEncoding names an encoding of Unicode other than UTF-8, by its
// byte-order mark or by the zero bytes of its first character, which is ASCII
// in JSON.
func foreignEncoding(data []byte) string {
	var b [4]byte // the first bytes, filled up with ones that fit no pattern
	copy(b[:], "....")
	n := copy(b[:], data)
	for _, mark := range []struct{ bytes, name string }{
		{"\xff\xfe\x00\x00", "UTF-32 (little-endian)"},
		{"\x00\x00\xfe\xff", "UTF-32 (big-endian)"},
		{"\xff\xfe", "UTF-16 (little-endian)"},
		{"\xfe\xff", "UTF-16 (big-endian)"},
	} {
		if bytes.HasPrefix(data, []byte(mark.bytes)) {
			return mark.name
		}
	}
	zero := func(i int) bool { return b[i] == 0 }
	switch {
	case n >= 4 && !zero(0) && zero(1) && zero(2) && zero(3):
		return "UTF-32 (little-endian)"
	case n >= 4 && zero(0) && zero(1) && zero(2) && !zero(3):
		return "UTF-32 (big-endian)"
	case n >= 2 && !zero(0) && zero(1):
		return "UTF-16 (little-endian)"
	case n >= 2 && zero(0) && !zero(1):
		return "UTF-16 (big-endian)"
	}
	return ""
}
