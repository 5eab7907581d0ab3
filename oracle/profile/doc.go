// Package profile names the sets of rules that PICA200 implementations are known or
// believed to follow, as values of knobs.
//
// Stable: names and meanings stay; the changelog announces every exception.
//
// Call [ByName] for a named set, [Parse] for a set with changed knobs, and [Describe] for the
// evidence.
//
// A profile is written as the name of a set and the knobs that differ from it:
//
//	hw
//	hw,round=rne,hazards=warn
//	azahar-x64,op.dst=run
//
// Each value of a knob has a source: a console, a document, an implementation, or a
// guess. See [impl.Catalogue] and [Sets].
package profile
