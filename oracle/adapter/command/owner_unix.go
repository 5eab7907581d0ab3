//go:build unix

package command

import (
	"io/fs"
	"os"
	"syscall"
)

// owned reports whether a file belongs to the user of this process.
func owned(info fs.FileInfo) bool {
	s, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(s.Uid) == os.Geteuid()
}
