package cgfxgen

import "github.com/picaproof/picaproof/fuzz/gen"

// Faults break one rule each.
var Faults = []gen.Fault{}
