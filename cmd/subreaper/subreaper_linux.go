package subreaper

import "golang.org/x/sys/unix"

func become() bool { return unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == nil }
