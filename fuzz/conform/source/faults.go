package source

// Fault is a mistake that an assembler must refuse.
type Fault struct {
	Name string
	// Check names the check that an assembler lacks that accepts it; several mistakes
	// may be one check's.
	Check string
}

// Defect is a source that the dialect's own assembler is known to get wrong.
type Defect struct{ Name string }

var picassoFaults []Fault
var picassoDefects []Defect
