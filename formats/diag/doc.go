// Package diag has the types in which the format packages describe a file.
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
