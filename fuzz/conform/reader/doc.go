// Package reader judges programs that read shader files: parsers, loaders, converters.
//
// A reader is shown, of each format, files that break one rule and their near misses,
// valid files, odd ones and damaged ones. It has to refuse the files of rules that no
// reader may pass over, to accept those about which nothing can be said, and to survive
// all of them, in time and memory that grow no faster than the files. What it gets wrong
// is merged by cause and shown by the smallest file.
package reader
