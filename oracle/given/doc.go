// Package given serves this module: it says which uniforms and inputs of a run have a value, which of those that the
// run needs have none, and names what fed an output as the file does.
package given
