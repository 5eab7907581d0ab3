// Package decode serves this module: it turns instruction words into plain values and back, driven
// by the tables of package pica. Every one of the 2^32 words decodes, and encoding the result gives
// the same word.
package decode
