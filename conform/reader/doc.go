// Package reader judges programs that read shader files: parsers, loaders, converters.
//
// Settling: names may change before version 1; the changelog lists every change.
//
// Call [Run] with a [Command], a [Protocol] or a [Func]. In a test of Go code, conform.Reader
// does it in one line.
//
// For each format, a reader gets files that break one rule and their near misses, valid files,
// odd files and damaged files. It has to refuse the files of rules that no reader may ignore, to
// accept files without complaints, and to survive all of them, in time and memory that grow no
// faster than the files. Failures are merged by cause and shown by the smallest file.
package reader
