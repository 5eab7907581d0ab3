package diag

// Region is a range of bytes with an owner. The regions of a file are fields, opaque bytes,
// padding and gaps, sorted by offset, without overlap, from the first byte to the last. Their
// paths give the structure.
type Region struct {
	Off   int        `json:"offset"`
	Len   int        `json:"length"`
	Kind  RegionKind `json:"kind"`
	Path  string     `json:"path"`            // "dvle[0].constants[2].register"
	Value string     `json:"value,omitempty"` // decoded for reading: "c4", "1.0", `"main"`
	// Also names further owners of the same bytes.
	Also []string `json:"also,omitempty"`
}

// RegionKind is the kind of bytes in a region.
type RegionKind uint8

// The kinds.
const (
	FieldRegion   RegionKind = iota // a field of a structure
	OpaqueRegion                    // bytes that belong to a structure and are not interpreted
	PaddingRegion                   // zero bytes up to an alignment
	GapRegion                       // bytes that nothing refers to
)

var regionKindNames = [...]string{"field", "opaque", "padding", "gap"}

// String returns the kind in lower case.
func (k RegionKind) String() string { return regionKindNames[k] }

// MarshalText implements encoding.TextMarshaler.
func (k RegionKind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// Outline describes any bytes, also a file that Parse refuses. The regions cover all bytes, so
// that they contain the bytes of each finding.
type Outline struct {
	Regions  []Region  `json:"regions"`
	Findings []Finding `json:"findings"`
}
