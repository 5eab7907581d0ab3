package latte

// A Stage is what a program is for.
type Stage uint8

// The stages. The copy program of a geometry shader exports what that wrote.
const (
	Vertex Stage = iota
	Pixel
	Geometry
	Copy
)

var stageNames = [...]string{"vertex", "pixel", "geometry", "copy"}

// String returns "vertex", "pixel", "geometry" or "copy".
func (s Stage) String() string { return stageNames[s] }

// MarshalText implements encoding.TextMarshaler.
func (s Stage) MarshalText() ([]byte, error) { return []byte(s.String()), nil }
