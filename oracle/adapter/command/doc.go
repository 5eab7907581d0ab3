// Package command serves this module: it runs programs that speak no protocol. A command line with
// places for the names of files is run once for each input, in a process group of its own, within
// limits of time, memory and output. The package reports how the command ended, reads the output
// file, and prints a shell command that repeats the run.
package command
