package bnshgen

import "github.com/picaproof/picaproof/fuzz/gen"

// Faults has an entry for every way to break a rule.
var Faults []gen.Fault
