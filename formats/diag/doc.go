// Package diag has the types in which the format packages describe a file.
//
// Stable: names and meanings stay; the changelog announces every exception.
//
// Callers of the format packages read a [Finding], take a [ParseError] apart with errors.As,
// and ask errors.Is for [ErrMalformed], [ErrUnsupported] or [ErrLimit]. Authors of formats use
// the rest.
//
// A format has a table of rules ([Rule]). The code that reads a file passes the id of a
// broken rule, the place and the values to a [Reporter], which makes the [Finding]. A
// strict reporter keeps the first error, for Parse, which returns it as a [ParseError];
// a collecting one keeps all findings, for Check.
//
// A [Struct] is the field table of a structure: it gives the places of findings and the
// regions of its bytes. A [Region] gives a range of bytes its owner; an [Outline] has the
// regions and the findings of any file.
package diag
