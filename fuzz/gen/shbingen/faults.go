package shbingen

import "github.com/picaproof/picaproof/fuzz/gen"

// Faults has at least one entry for every rule.
var Faults []gen.Fault
