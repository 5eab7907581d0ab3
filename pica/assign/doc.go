// Package assign serves this module: it reads the values that people give to the registers of a program, by register or
// by the names of its symbol table, and finds the entry point that they name.
package assign
