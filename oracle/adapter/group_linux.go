package adapter

import "syscall"

// dieWithUs makes the kernel kill a process when the thread that started it ends.
func dieWithUs(attributes *syscall.SysProcAttr) { attributes.Pdeathsig = syscall.SIGKILL }
