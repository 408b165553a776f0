package strictjson

// Shape says how an object is read into a T: a table of fields, each with the
// function that reads its value. D is what the functions need besides, mostly
// the decoder.
type Shape[D, T any] struct {
	fields *Fields
	reads  []func(D, *T)
}

// Field is one line of the table of a Shape.
type Field[D, T any] struct {
	name     string
	required bool
	read     func(D, *T)
}

// Required is a field that every object of the shape must have.
func Required[D, T any](name string, read func(D, *T)) Field[D, T] {
	return Field[D, T]{name, true, read}
}

// Optional is a field that an object of the shape may have.
func Optional[D, T any](name string, read func(D, *T)) Field[D, T] {
	return Field[D, T]{name, false, read}
}

// NewShape makes a shape that messages call noun: "an op".
func NewShape[D, T any](noun string, fields ...Field[D, T]) *Shape[D, T] {
	s := &Shape[D, T]{}
	var names, required []string
	for _, f := range fields {
		names = append(names, f.name)
		s.reads = append(s.reads, f.read)
		if f.required {
			required = append(required, f.name)
		}
	}
	s.fields = NewFields(noun, names...).Require(required...)
	return s
}

// Open lets objects have other fields too, which are stepped over, for
// documents that are not ours, and returns the shape.
func (s *Shape[D, T]) Open() *Shape[D, T] {
	s.fields.Open()
	return s
}

// Refuse gives fields that are not in the table an error of their own instead of
// unknown-field, and returns the shape.
func (s *Shape[D, T]) Refuse(code, help string, names ...string) *Shape[D, T] {
	s.fields.Refuse(code, help, names...)
	return s
}

// RefuseOthers gives all fields that are not in the table, nor refused by name,
// an error of their own instead of unknown-field, and returns the shape.
func (s *Shape[D, T]) RefuseOthers(code, help string) *Shape[D, T] {
	s.fields.RefuseOthers(code, help)
	return s
}

// Hint gives the error about a required field that is missing a help, and returns
// the shape.
func (s *Shape[D, T]) Hint(name, help string) *Shape[D, T] {
	s.fields.Hint(name, help)
	return s
}

// Annotate adds to the schema of the shape what the decoder checks besides the
// fields (see Describe), and returns the shape.
func (s *Shape[D, T]) Annotate(add func(*Schema)) *Shape[D, T] {
	s.fields.annotate = add
	return s
}

// Read reads the next value of r into v. It says whether there was an object.
func (s *Shape[D, T]) Read(r *Reader, d D, v *T) bool {
	o := r.Object(s.fields)
	for o.Next() {
		if o.Field == Other {
			r.Skip()
			continue
		}
		s.reads[o.Field](d, v)
	}
	return o.Ok()
}
