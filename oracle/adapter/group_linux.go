package adapter

import "syscall"

// dieWithUs makes the kernel kill a process when the thread ends that started it.
func dieWithUs(attributes *syscall.SysProcAttr) { attributes.Pdeathsig = syscall.SIGKILL }
