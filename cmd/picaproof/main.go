// Command picaproof judges console shader binaries and shader cores.
package main

import (
	"os"

	"github.com/picaproof/picaproof/cmd/cli"
)

func main() { os.Exit(cli.Tool{}.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
