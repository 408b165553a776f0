// Package strictjson reads JSON (RFC 8259) the strict way: whatever is wrong
// with a document is reported, all of it, each error with its line, column and
// JSON pointer.
//
// A Reader walks over the bytes of a document without building a tree. The
// caller asks for what must come next: an object with known fields, a list, an
// integer, a string. A wrong type, an unknown field, a repeated key, a bad
// number or bad UTF-8 is noted and reading goes on behind it; a syntax error
// outside of words, numbers and strings and too deep nesting end it. Errors are
// kept as byte offsets until Diagnostics is called, so a good document pays
// nothing for them.
//
// A decoder is a table of fields:
//
//	var pointShape = strictjson.NewShape("a point",
//		strictjson.Required("x", func(d *decoder, p *point) { p.x, _ = d.Int(0) }),
//		strictjson.Optional("tags", func(d *decoder, p *point) {
//			for l := d.List("a list of tags"); l.Next(); {
//				tag, _ := d.String("a tag")
//				p.tags = append(p.tags, string(tag))
//			}
//		}))
//
// and pointShape.Read(d.Reader, d, &p) fills p. Methods that report an error
// return false and have stepped over the value.
package strictjson
