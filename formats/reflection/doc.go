// Package reflection serves this module: it makes the interface table of a file of any format.
//
// The table has the inputs, outputs, uniforms, blocks, samplers and constants of every shader, and the links from
// outputs to inputs. What a format does not record is named in Unknown, never guessed.
package reflection
