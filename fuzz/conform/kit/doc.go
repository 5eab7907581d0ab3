// Package kit lets the author of a shader core write one function and have a core
// that picaproof can judge. It serves cores written in Go, and holds the headers for
// others, which are files without dependencies:
//
//	picaproof_kit.h    C99
//	picaproof_kit.hpp  C++17: the same, and a wrapper that turns exceptions into refusals
//
// Examples stand in example; toy is a whole core with faults that can be chosen.
package kit

import _ "embed"

// The headers, as they are handed out.
var (
	//go:embed picaproof_kit.h
	HeaderC []byte
	//go:embed picaproof_kit.hpp
	HeaderCpp []byte
)
