// Package proc serves this module: it reads what Linux tells about processes and threads in /proc, as proc(5) says.
// It is empty on other systems.
package proc
