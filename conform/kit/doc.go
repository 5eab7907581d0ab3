// Package kit lets the author of a shader core write one function and get a core that picaproof
// can judge. It serves cores written in Go, and has headers without dependencies for other
// languages:
//
// Stable: names and meanings stay; the changelog announces every exception.
//
// Fill in a [Core], and call [Serve] in the main function of a program.
//
//	picaproof_kit.h    C99
//	picaproof_kit.hpp  C++17: the same, and a wrapper that turns exceptions into refusals
//
// The folder example has examples; the folder toy has a complete core with selectable faults.
package kit

import _ "embed"

// The texts of the headers.
var (
	//go:embed picaproof_kit.h
	HeaderC []byte
	//go:embed picaproof_kit.hpp
	HeaderCpp []byte
)
