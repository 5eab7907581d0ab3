//go:build unix

package adapter

import "syscall"

// cautious are flags with which opening a file neither follows a link nor waits for the
// other end of a pipe.
const cautious = syscall.O_NOFOLLOW | syscall.O_NONBLOCK
