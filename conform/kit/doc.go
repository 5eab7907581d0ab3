// Package kit lets the author of a shader core write one function and get a core that picaproof
// can judge.
//
// Stable: names and meanings stay; the changelog announces every exception.
//
// In Go, fill in a [Core], and call [Serve] in the main function of a program. The folder
// example/minimal has such a program. For other languages there are single files without
// dependencies; write one beside your core:
//
//	HeaderC    picaproof_kit.h    C99
//	HeaderCpp  picaproof_kit.hpp  C++17: the same, and a wrapper that turns exceptions into refusals
//	Python     picaproof_kit.py   Python 3.8
//	Rust       picaproof_kit.rs   Rust 2021
//
// The folder example has examples of each, the folder toy a complete core with selectable faults.
package kit

import (
	_ "embed"
	"slices"
)

// The texts of the files.
var (
	//go:embed picaproof_kit.h
	HeaderC []byte
	// HeaderCpp is HeaderC and the wrapper behind it.
	HeaderCpp = slices.Concat(HeaderC, wrapper)
	//go:embed wrapper.hpp
	wrapper []byte
	//go:embed picaproof_kit.py
	Python []byte
	//go:embed picaproof_kit.rs
	Rust []byte
)
