// Package writer judges programs that write shader files: assemblers, which get sources ([Run]),
// and converters, which get files ([RunConverter]).
//
// Settling: names may change before version 1; the changelog lists every change.
//
// Call [Run] with a [Command], a [Protocol] or a [Func]. In a test of Go code, conform.Writer
// does it in one line.
//
// A source is printed from a program model of package source. The tool's output is parsed
// strictly and compared with the model: its instructions, up to the choices of an assembler, its
// tables, its constants bit by bit. It is also executed next to the model's own words. Sources
// with a mistake must be refused. Each failure is reduced through the tool to a small source,
// and failures with one fault are one entry of a report.
package writer
