package diag

// Region is a range of bytes with an owner. The regions of a file are its
// leaves: fields, opaque runs, padding and gaps, sorted by offset, without
// overlap, from the first byte to the last. The tree is in the paths.
type Region struct {
	Off   int        `json:"offset"`
	Len   int        `json:"length"`
	Kind  RegionKind `json:"kind"`
	Path  string     `json:"path"`            // "dvle[0].constants[2].register"
	Value string     `json:"value,omitempty"` // decoded for reading: "c4", "1.0", `"main"`
	// Also names further owners of the same bytes.
	Also []string `json:"also,omitempty"`
}

// RegionKind says how a range came to its owner.
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

// Outline describes any bytes, also a file that Parse refuses: the regions
// cover all of its bytes, so that each finding has its bytes among them.
type Outline struct {
	Regions  []Region  `json:"regions"`
	Findings []Finding `json:"findings"`
}
