// Package convert turns the model of one container of PICA200 programs into
// that of another, and reports what did not come through.
//
// A DVLB is the form in the middle: every other container is read into one and
// written from one. A ZPSH and a DVOJ hold parts of what it holds, a CSDR and a
// CGFX hold named DVLBs. What is invented on the way to the middle and dropped
// on the way out of it is not reported, since it is in neither file.
//
// Programs run alike before and after: code, operand descriptors, entry points,
// constants and the registers that are output are kept, or the conversion is
// refused with a [RefusedError]. A register that is in the output table and not
// in the output mask of a DVLE counts as output, as it does for libctru.
// Everything else is kept, or is in the [Report]:
//
//   - dropped: the target has no place for it
//   - changed: the target says something else, as when the order of a table is
//     lost, or two entry points had one name
//   - invented: the target has to say what the source does not
//
// A field that the target does not have, and that holds what reading the target
// would give for it, is not lost.
//
// Containers of GX2 shaders are converted into each other, apart from all these; see
// [GX2Target].
package convert
