// Package shbin reads, checks and writes DVLB files (.shbin), which hold
// PICA200 shaders.
package shbin
