// Command picaproof judges console shader binaries and shader cores.
package main

import (
	"os"

	"github.com/picaproof/picaproof/cmd/cli"
	"github.com/picaproof/picaproof/cmd/subreaper"
)

func main() {
	end := subreaper.Become()
	status := cli.Tool{}.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	end()
	os.Exit(status)
}
