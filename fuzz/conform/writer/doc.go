// Package writer judges programs that write shader files: assemblers, which are given
// sources ([Run]), and converters, which are given files ([RunConverter]).
//
// A source is printed from a program model of package source. What the tool makes of it
// is parsed strictly and held to the model: its instructions, up to what an assembler may
// choose, its tables, its constants bit by bit; and it is executed beside the model's own
// words. Sources with a mistake must be refused. What goes wrong is reduced through the
// tool to a small source, and what shows one fault is one entry of a report.
package writer
