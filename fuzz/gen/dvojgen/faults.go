package dvojgen

import "github.com/picaproof/picaproof/fuzz/gen"

// Faults has a way to break every rule.
var Faults []gen.Fault
