// Package command runs programs that know no protocol: a command line with places for
// the names of files is run once for each input, in a process group of its own, within
// limits of time, memory and output. It says how the command ended, reads what it wrote,
// and prints a shell command that repeats the run.
package command
