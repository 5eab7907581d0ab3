// Package diff compares the models of two containers: fields by value, code by
// effect.
//
// Settling: names may change before version 1; the changelog lists every change.
//
// Call [Models] to compare what two parsed files mean, [Fields] to compare every field.
//
// Offsets in the file and the order of name tables are not compared: references
// are compared by the names they lead to. Two instructions are the same when
// they have the same effect. The operand descriptors that they select may have
// other numbers. They may differ in bits that the instruction does not use, in
// bit 31, and in the second word of a DVLB's descriptor, because no reader
// looks at those. Descriptors that no instruction selects are not compared.
//
// Bytes outside the fields are compared as bytes: gaps that are not zero, names
// without a reference, and the content of a CGFX or a .csdr besides its shaders. Zeros
// between tables, the search tree of a CGFX's DICT, and the upper half of a ZPSH's
// output masks, which zitrus does not initialise, are not compared.
//
// Before two models of different formats are compared, one is converted to the format
// with fewer fields (see package convert). The result lists the fields that the
// conversion lost; they are not compared.
package diff
