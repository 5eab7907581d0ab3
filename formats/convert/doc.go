// Package convert converts containers of shaders into each other and reports
// every field that the conversion loses, changes or invents.
//
// Settling: names may change before version 1; the changelog lists every change.
//
// Call [To] for the conversion to a format, by its name.
//
// Containers of PICA200 programs are converted through a DVLB: each source is read
// into a DVLB, and each target is written from one. A ZPSH and a DVOJ hold a part of
// a DVLB's fields; a CSDR and a CGFX hold named DVLBs. The report leaves out fields
// of the DVLB in the middle that neither source nor target has.
//
// Converted programs compute the same outputs: code, operand descriptors, entry
// points, constants and output registers are kept, or the conversion fails with
// a [RefusedError]. A register in the output table of a DVLE is an output even
// if the output mask lacks it; libctru reads it so. Every other field is kept
// or stands in the [Report]:
//
//   - dropped: the target has no place for the field
//   - changed: the target holds another value; the order of a table is lost, say, or
//     two entry points had one name
//   - invented: the target needs a value, and the source has none
//
// A field that the target lacks counts as lost only if its value is not what a
// reader of the target assumes.
//
// Containers of GX2 shaders are converted into each other only; see [GX2Target].
package convert
