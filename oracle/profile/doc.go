// Package profile names the sets of rules that PICA200 implementations are
// known or believed to follow, and the knobs they are made of.
//
// A profile is written as a set's name and the knobs that differ from it:
//
//	hw
//	hw,round=rne,hazards=warn
//	azahar-x64,op.dst=run
//
// Each value of a knob says where it comes from: a console, a document, an
// implementation, or a guess. See [Catalogue] and [Sets].
package profile
