package adapter

import "syscall"

// dieWithUs does nothing: a process sees the end of its input when we end.
func dieWithUs(*syscall.SysProcAttr) {}
