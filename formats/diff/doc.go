// Package diff compares the models of two containers: field by field, and code
// by what it does.
//
// Where things are in a file does not matter, nor does the order of a table of
// names: references are compared by the names they lead to. Two instructions are
// the same when they do the same: the operand descriptors that they select may
// have other numbers and may differ in what the instruction does not use, in bit
// 31, or in the second word of a DVLB, none of which any reader looks at.
// Descriptors that no instruction selects do not count.
//
// What belongs to no field is compared as bytes: gaps that are not zero, names
// that nothing refers to, and what a CGFX or a .csdr has besides its shaders. Not
// compared are zeros between tables, the search tree of a CGFX's DICT, and the
// upper half of the output masks of a ZPSH, which zitrus does not initialise.
//
// Models of different formats are compared as the one that holds less (see
// package convert); what that one has no place for is not compared, and said.
package diff
