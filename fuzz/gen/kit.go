package gen

// Kit makes the faults of a format from functions that spoil a valid model K.
type Kit[K any] struct {
	New   func(c *Choices) K // draws a valid model
	Bytes func(k K) []byte   // writes the valid model
	Draft func(k K) *Draft   // writes the model, whatever rules it breaks
}

// Raw returns a fault whose function returns the bytes of the spoilt file and the place of the finding.
func (x Kit[K]) Raw(rule string, spoil func(k K) ([]byte, Place), also ...string) Fault {
	return Fault{Rule: rule, Also: also, Spoil: func(c *Choices) ([]byte, Place) {
		k := x.New(c)
		c.Valid(func() []byte { return x.Bytes(k) })
		return spoil(k)
	}}
}

// Model returns a fault whose function spoils the model and returns the path of the finding.
func (x Kit[K]) Model(rule string, spoil func(k K) (path string), also ...string) Fault {
	return x.Raw(rule, func(k K) ([]byte, Place) {
		path := spoil(k)
		d := x.Draft(k)
		return d.Bytes, d.Place(path)
	}, also...)
}

// Field returns a fault of one field with a wrong value. A pattern says which fields may have it.
func (x Kit[K]) Field(rule, pattern string, wrong Value) Fault {
	return Fault{Rule: rule, Spoil: func(c *Choices) ([]byte, Place) {
		k := x.New(c)
		c.Valid(func() []byte { return x.Bytes(k) })
		d := x.Draft(k)
		at := d.Break(c, d.Pick(c, pattern), wrong, nil)
		return d.Bytes, at
	}}
}
