//go:build !unix

package cli

import "os"

// die ends the program.
func die(os.Signal) { os.Exit(exitUsage) }
